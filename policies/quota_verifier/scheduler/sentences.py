"""Events as sentences that say why, with the numbers that decided and the rule's id."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quota_verifier.durations import format_duration
from quota_verifier.model import EnvironmentUpdate, JobUpdate, ShareUpdate
from quota_verifier.scheduler.events import RULES, Event, Kind, Reason
from quota_verifier.scheduler.replay import PREEMPTIONS, JobNow, Phase, Replay

Words = Callable[[Event, Replay, JobNow], str]

DISABLED = {Reason.SHARE_DISABLED: "its quota share is DISABLED", Reason.QUEUE_DISABLED: "the job queue is DISABLED"}

FAILURES = {
    Reason.PREEMPTION_RETRIES_EXHAUSTED: "failed: no preemption retries are left",
    Reason.JOB_FAULT: "failed: no attempts are left, or a retry rule says EXIT",
    Reason.TIMEOUT: "failed: no attempts are left after the timeout, or a retry rule says EXIT",
    Reason.TIME_LIMIT: "failed: its time limit is up",
    Reason.REQUESTED: "failed: terminated by request",
}

REQUEUES = {
    Reason.RECLAIM: "waits again; a preemption uses no attempt",
    Reason.IN_SHARE: "waits again; a preemption uses no attempt",
    Reason.CAPACITY_ERROR: "waits again; a capacity error uses no attempt",
    Reason.JOB_FAULT: "waits for its next attempt",
    Reason.TIMEOUT: "waits for its next attempt",
}


def sentence(event: Event, before: Replay) -> str:
    """What happened and why, without the job's name; `before` is the state just before the event."""
    if event.kind is Kind.CONFIGURED:
        return f"{_configured(event, before)} (R20)"
    job = before.jobs[event.job]
    text = WORDS[event.kind](event, before, job)
    rule = _rule(event)
    return f"{text} ({rule})" if rule else text


def _rule(event: Event) -> str:
    """The rule that an event follows from: mostly that of its reason."""
    match event.kind:
        case Kind.STOPPED:
            return "R3"
        case Kind.REPRIORITIZED:
            return "R10"
        case Kind.REQUEUED if event.reason in PREEMPTIONS:
            return "R5"
        case _:
            return RULES[event.reason]


def subject(event: Event, before: Replay) -> tuple[str, str]:
    """Whom an event is about: the job and its share, or what was configured and nothing."""
    if event.kind is Kind.CONFIGURED:
        update = before.updates[event.value]
        return (update.share, "") if isinstance(update, ShareUpdate) else ("environment", "")
    job = before.jobs[event.job]
    return job.job.id, job.job.share


def _submitted(event: Event, before: Replay, job: JobNow) -> str:
    return f"submitted: asks for {_demand(job)}, priority {job.priority}"


def _rejected(event: Event, before: Replay, job: JobNow) -> str:
    return f"rejected: {DISABLED[event.reason]}"


def _dispatched(event: Event, before: Replay, job: JobNow) -> str:
    share = before.share_of(job)
    if event.reason is Reason.OWN_CAPACITY:
        parts = [f"{_used(before, job, unit) + n} of its {share.limit(unit)} {unit}" for unit, n in job.demand]
        return f"starts within its share's limit: {share.name} now holds {', '.join(parts)}"
    parts: list[str] = []
    for unit, instances in job.demand:
        after, limit = _used(before, job, unit) + instances, share.limit(unit)
        cap = share.hard_cap(unit, before.assumptions.borrow_rounding)
        most = "without a borrow limit" if cap is None else f"at most {cap}"
        above = f"{after - limit} above its limit of {limit} ({most})" if after > limit else f"limit {limit}"
        parts.append(f"{after} {unit}, {above}")
    return f"starts on borrowed capacity: {share.name} now holds {'; '.join(parts)}"


def _preempted(event: Event, before: Replay, job: JobNow) -> str:
    head = before.jobs[event.by]
    if event.reason is Reason.IN_SHARE:
        return (
            f"preempted to make room for {head.job.id} of the same share: "
            f"priority {job.priority} is below {head.priority}"
        )
    share = before.share_of(job)
    over = [
        f"{_used(before, job, unit)} of its limit {share.limit(unit)} on {unit}"
        for unit, _ in job.demand
        if head.needs(unit)
    ]
    return f"preempted to make room for {head.job.id} ({head.job.share}): {share.name} holds {', '.join(over)}"


def _terminated(event: Event, before: Replay, job: JobNow) -> str:
    how = "by a time-limit action" if event.reason is Reason.TIME_LIMIT else "by request"
    return f"terminated {how} while {'waiting' if job.phase is Phase.WAITING else 'it held capacity'}"


def _stopped(event: Event, before: Replay, job: JobNow) -> str:
    return f"stopped: {_demand(job)} released{_kept(event)}"


def _attempt_failed(event: Event, before: Replay, job: JobNow) -> str:
    match event.reason:
        case Reason.CAPACITY_ERROR:
            return f"got no machines: {_demand(job)} released"
        case Reason.TIMEOUT:
            timeout = format_duration(job.job.timeout_ms or 0)
            return f"timed out after {timeout} of RUNNING: {_demand(job)} released{_kept(event)}"
        case _:
            return f"run failed: {_demand(job)} released{_kept(event)}"


def _requeued(event: Event, before: Replay, job: JobNow) -> str:
    return REQUEUES[event.reason]


def _succeeded(event: Event, before: Replay, job: JobNow) -> str:
    return f"finished: {_demand(job)} released"


def _failed(event: Event, before: Replay, job: JobNow) -> str:
    return FAILURES[event.reason]


def _reprioritized(event: Event, before: Replay, job: JobNow) -> str:
    return f"priority changed from {job.priority} to {event.value}"


WORDS: dict[Kind, Words] = {
    Kind.SUBMITTED: _submitted,
    Kind.REJECTED: _rejected,
    Kind.DISPATCHED: _dispatched,
    Kind.PREEMPTED: _preempted,
    Kind.TERMINATED: _terminated,
    Kind.STOPPED: _stopped,
    Kind.ATTEMPT_FAILED: _attempt_failed,
    Kind.REQUEUED: _requeued,
    Kind.SUCCEEDED: _succeeded,
    Kind.FAILED: _failed,
    Kind.REPRIORITIZED: _reprioritized,
}


def _configured(event: Event, before: Replay) -> str:
    update = before.updates[event.value]
    match update:
        case ShareUpdate():
            share = before.queue.share(update.share)
            changes = [
                _limits(share.limits, update.limits),
                f"strategy {share.strategy} to {update.strategy}" if update.strategy else "",
                f"borrow limit to {_percent(update.borrow_limit)}" if _changes_borrow_limit(update) else "",
                _switch("in-share preemption", update.in_share_preemption, "ENABLED", "DISABLED"),
                _switch("state", update.enabled, "ENABLED", "DISABLED"),
            ]
        case EnvironmentUpdate():
            changes = [
                _limits(before.environment.limits, update.limits),
                _switch("state", update.enabled, "ENABLED", "DISABLED"),
            ]
        case JobUpdate():
            changes = []
    return f"configured: {', '.join(change for change in changes if change) or 'nothing changed'}"


def _changes_borrow_limit(update: ShareUpdate) -> bool:
    """A new strategy that borrows replaces the borrow limit, too."""
    return update.borrow_limit is not None or (update.strategy is not None and update.strategy.borrows)


def _limits(old: Mapping[str, int], new: Mapping[str, int] | None) -> str:
    if new is None:
        return ""
    units = [unit for unit in sorted({*old, *new}) if old.get(unit, 0) != new.get(unit, 0)]
    return ", ".join(f"limit on {unit} {old.get(unit, 0)} to {new.get(unit, 0)}" for unit in units)


def _switch(what: str, on: bool | None, yes: str, no: str) -> str:
    return "" if on is None else f"{what} to {yes if on else no}"


def _percent(limit: int | None) -> str:
    return "unlimited" if limit is None or limit < 0 else f"{limit} %"


def _demand(job: JobNow) -> str:
    return ", ".join(f"{instances} {unit}" for unit, instances in job.demand)


def _used(before: Replay, job: JobNow, unit: str) -> int:
    return before.usage[job.share].get(unit, 0)


def _kept(event: Event) -> str:
    return f", {format_duration(event.value)} of work kept" if event.value else ""
