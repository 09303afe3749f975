"""Where a job stands at an instant: exactly one code, whatever the state."""

from __future__ import annotations

from enum import StrEnum

from quota_verifier.explain.account import accounts
from quota_verifier.explain.line import is_head
from quota_verifier.explain.moment import Moment, span_at
from quota_verifier.model import Share
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.invariants.claims import coming
from quota_verifier.scheduler.invariants.room import Reach, could_start, within
from quota_verifier.scheduler.replay import JobNow, Phase
from quota_verifier.scheduler.run import UNKNOWN


class Standing(StrEnum):
    """Why a job runs, waits, or is over. The codes exclude each other; for a waiting job the first that applies."""

    NOT_SUBMITTED = "not-submitted"
    REJECTED = "rejected"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    NEVER_SCHEDULABLE = "never-schedulable"
    ENVIRONMENT_DISABLED = "environment-disabled"
    HEAD_OF_LINE = "head-of-line"
    BEING_RELEASED = "being-released"
    OWN_LIMIT = "own-limit"
    BORROW_LIMIT = "borrow-limit"
    ENVIRONMENT_FULL = "environment-full"
    NOTHING_LENDABLE = "nothing-lendable"
    TOO_LITTLE_FREE = "too-little-free"
    KEPT_FOR_ANOTHER = "kept-for-another"

    @property
    def waits(self) -> bool:
        """Whether a job of this standing is RUNNABLE."""
        return self in RULE_OF


RULE_OF: dict[Standing, str] = {
    Standing.NEVER_SCHEDULABLE: "R21",
    Standing.ENVIRONMENT_DISABLED: "R20",
    Standing.HEAD_OF_LINE: "A1",
    Standing.BEING_RELEASED: "R14",
    Standing.OWN_LIMIT: "R12",
    Standing.BORROW_LIMIT: "R15",
    Standing.ENVIRONMENT_FULL: "R12",
    Standing.NOTHING_LENDABLE: "R15",
    Standing.TOO_LITTLE_FREE: "R12",
    Standing.KEPT_FOR_ANOTHER: "R14",
}
"""The rule that keeps a waiting job waiting."""

_OVER = {Kind.SUCCEEDED: Standing.SUCCEEDED, Kind.REJECTED: Standing.REJECTED, Kind.FAILED: Standing.FAILED}


def standing_of(moment: Moment, job: JobNow) -> Standing:
    """The one code of a job at an instant."""
    match job.phase:
        case Phase.UNSUBMITTED:
            return Standing.NOT_SUBMITTED
        case Phase.DONE if job.ended is not None:
            return _OVER[job.ended]
        case Phase.STOPPING:
            return Standing.STOPPING
        case Phase.PLACED:
            span = span_at(moment.spans.get(job.index, ()), moment.at_ms)
            running = span is not None and span.run != UNKNOWN and span.run <= moment.at_ms
            return Standing.RUNNING if running else Standing.STARTING
        case Phase.WAITING:
            return _why_it_waits(moment, job)
        case _:
            raise AssertionError(f"{job.job.id} is {job.phase.value} after an instant has ended")


def is_coming(moment: Moment, job: JobNow) -> bool:
    """Whether a head lacks something, and starts once what is being released has been released (R14)."""
    state = moment.state
    others = moment.claimants(job)
    if not could_start(state, job, leaving=coming(state), claimants=others):
        return False
    return bool(coming(state)) and (job.index in moment.claims.jobs or not could_start(state, job, claimants=others))


def _why_it_waits(moment: Moment, job: JobNow) -> Standing:
    state = moment.state
    share, rounding = state.share_of(job), state.assumptions.borrow_rounding
    if never_schedulable(state.queue, share, job.job.demand, rounding) is not None:
        return Standing.NEVER_SCHEDULABLE
    if not state.environment.enabled:
        return Standing.ENVIRONMENT_DISABLED
    if not is_head(state, job):
        return Standing.HEAD_OF_LINE
    if is_coming(moment, job):
        return Standing.BEING_RELEASED
    return _what_a_head_lacks(moment, job, share)


def _what_a_head_lacks(moment: Moment, job: JobNow, share: Share) -> Standing:
    state = moment.state
    owner = within(state, job, Reach.OWN)
    if not owner and not within(state, job, Reach.HARD):
        return Standing.BORROW_LIMIT if share.strategy.borrows else Standing.OWN_LIMIT
    short = [unit for unit in accounts(moment, job) if unit.short]
    if not short:
        return Standing.KEPT_FOR_ANOTHER
    if any(unit.free <= 0 for unit in short):
        return Standing.ENVIRONMENT_FULL
    return Standing.TOO_LITTLE_FREE if owner else Standing.NOTHING_LENDABLE
