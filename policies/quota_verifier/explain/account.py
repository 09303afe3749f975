"""The numbers that decide whether a job can start, unit by unit (section 1 of the rules), from the replay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from quota_verifier.explain.moment import Moment
from quota_verifier.schedulability import largest_job
from quota_verifier.scheduler.invariants.claims import coming
from quota_verifier.scheduler.invariants.room import (
    available,
    could_start,
    free,
    heads_of,
    held,
    of_share,
    total,
    usage,
)
from quota_verifier.scheduler.replay import JobNow, Replay


class Why(StrEnum):
    """Why free capacity is not there for a share."""

    RESERVE = "reserved"
    WAITING = "waiting lender"
    DISABLED = "disabled share"
    UNASSIGNED = "unassigned"


@dataclass(frozen=True, slots=True)
class Keeper:
    """Free instances that a share does not see: whose they are (nobody's where unassigned) and why."""

    share: str
    instances: int
    why: Why


@dataclass(frozen=True, slots=True)
class UnitAccount:
    """One unit of a job's demand, in instances: D, U, L, M, R21, E, F, what is kept of F, and V.

    `cap` is the hard cap, None without a borrow limit; `coming` is what is being released, by any share.
    """

    unit: str
    asked: int
    used: int
    limit: int
    cap: int | None
    largest: int
    environment: int
    free: int
    coming: int
    kept: tuple[Keeper, ...]
    available: int

    @property
    def to_borrow(self) -> int:
        """What the job would put its share above its own limit."""
        return max(0, self.used + self.asked - self.limit)

    @property
    def short(self) -> int:
        """What is missing of V."""
        return max(0, self.asked - self.available)

    @property
    def over_cap(self) -> bool:
        """Whether the job would put its share above its hard cap."""
        return self.cap is not None and self.used + self.asked > self.cap


def accounts(moment: Moment, job: JobNow) -> tuple[UnitAccount, ...]:
    """The numbers of a job at an instant, one row for each unit that it asks for."""
    return tuple(_account(moment.state, job, unit, asked) for unit, asked in job.demand)


def _account(state: Replay, job: JobNow, unit: str, asked: int) -> UnitAccount:
    share, rounding = state.share_of(job), state.assumptions.borrow_rounding
    return UnitAccount(
        unit=unit,
        asked=asked,
        used=usage(state, job.share, unit),
        limit=share.limit(unit),
        cap=share.hard_cap(unit, rounding),
        largest=largest_job(state.queue, share, unit, rounding),
        environment=state.environment.limit(unit),
        free=free(state, unit),
        coming=total(coming(state), unit),
        kept=keepers(state, job.share, unit),
        available=available(state, job.share, unit),
    )


def keepers(state: Replay, share: int, unit: str) -> tuple[Keeper, ...]:
    """Who keeps how much of a unit from a share, in declaration order; what no share owns comes last."""
    found = [
        Keeper(state.queue.shares[other].name, kept, _why(state, other))
        for other in range(len(state.queue.shares))
        if other != share and (kept := held(state, other, unit)) > 0
    ]
    unassigned = state.queue.unassigned(unit)
    if unassigned and state.assumptions.unassigned_capacity == "unusable":
        found.append(Keeper("", unassigned, Why.UNASSIGNED))
    return tuple(found)


def _why(state: Replay, share: int) -> Why:
    config = state.queue.shares[share]
    if not config.strategy.lends:
        return Why.RESERVE
    if not config.enabled and state.assumptions.disabled_share == "withheld":
        return Why.DISABLED
    return Why.WAITING


def fits_elsewhere(moment: Moment, job: JobNow) -> tuple[tuple[str, int], ...]:
    """Other units on which a job of one unit would start now, with what is available there (C46)."""
    if len(job.demand) != 1:
        return ()
    state = moment.state
    asked_unit, asked = job.demand[0]
    others: list[tuple[str, int]] = []
    for unit in sorted(state.share_of(job).limits):
        twin = replace(job, job=replace(job.job, demand={unit: asked}), demand=((unit, asked),))
        if unit != asked_unit and could_start(state, twin, claimants=moment.claimants(job)):
            others.append((unit, available(state, job.share, unit)))
    return tuple(others)


def kept_for(moment: Moment, job: JobNow) -> tuple[list[JobNow], bool]:
    """For whom it is kept what is being released (R14), and whether that is certain.

    A job that waits for what is being released anyway, without preempting anybody, claims it without an event. So
    where no preemptor does, it may be any of the heads that could start with it, else any other head.
    """
    state = moment.state
    certain = moment.claimants(job)
    if certain:
        return certain, True
    heads = [head for share in range(len(state.usage)) for head in heads_of(state, share) if head is not job]
    return moment.claims.possible(state, job) or heads, False


def over_limit_of(state: Replay, job: JobNow, unit: str) -> int:
    """Of a job's instances those above its share's limit, counted from the latest dispatched back."""
    later = [other for other in state.holding.values() if other.sequence > job.sequence]
    over = usage(state, job.share, unit) - state.queue.shares[job.share].limit(unit)
    return max(0, min(job.needs(unit), over - total(of_share(later, job.share), unit)))
