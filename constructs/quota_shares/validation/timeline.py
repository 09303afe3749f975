"""What happened to the job that a claim fails by, in a few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from quota_verifier.durations import format_duration
from quota_verifier.model import Job
from quota_verifier.policy.verdicts import Evidence, changes
from quota_verifier.policy.view import RunView
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.run import State

MOST_EVENTS = 6
"""Events shown: those around the instant that matters."""

_ENDED = (State.SUCCEEDED, State.FAILED, State.REJECTED)
_WHY: Mapping[Reason, str] = {
    Reason.OWN_CAPACITY: "starts on its share's own capacity",
    Reason.BORROWED_CAPACITY: "starts on borrowed capacity",
    Reason.RECLAIM: "which takes its share's own capacity back",
    Reason.IN_SHARE: "which has a higher priority in the same share",
    Reason.CAPACITY_ERROR: "SageMaker had no machines",
    Reason.TIMEOUT: "its run reached the timeout",
    Reason.JOB_FAULT: "its run failed",
    Reason.TIME_LIMIT: "a time limit action",
    Reason.REQUESTED: "on request",
    Reason.SHARE_DISABLED: "its share is disabled",
    Reason.QUEUE_DISABLED: "the queue is disabled",
    Reason.PREEMPTION_RETRIES_EXHAUSTED: "no preemption retries are left",
}


def timeline(view: RunView, evidence: Evidence, base: Assumptions) -> list[str]:
    """The worst job's events around the instant to look at, and who held what then; empty where no job is to blame.

    The answers of the run are named where they differ from `base`, those that the policy starts from, or else
    from the defaults.
    """
    ids = [job.id for job in view.run.jobs]
    if evidence.job is None or evidence.job not in ids:
        return []
    index = ids.index(evidence.job)
    job = view.run.jobs[index]
    told = [(event.at, text) for event in _events_of(view, index) if (text := _told(view, event))]
    outcome = view.run.outcomes[index]
    if outcome.state not in _ENDED:
        because = f": {outcome.detail}" if outcome.detail else ""
        told.append((view.run.end_ms, f"{outcome.state.value} when the simulation ends{because}"))
    at = evidence.at_ms
    lines = list(_around(told, at))
    if at is not None:
        lines.append(f"At {format_duration(at)} {_holdings(view, job, at)}.")
    answers = ", ".join(changes(evidence.assumptions, base) or evidence.assumptions.deviations)
    return [f"{job.id} ({_asks(job)}){f', under {answers}' if answers else ''}:", *lines]


def _asks(job: Job) -> str:
    demand = ", ".join(f"{count} {unit}" for unit, count in job.demand.items())
    return f"share {job.share}, {demand}, priority {job.priority}"


def _events_of(view: RunView, job: int) -> list[Event]:
    events = view.table.events
    rows: list[int] = np.flatnonzero(events.job == job).tolist()
    return [view.run.events[row] for row in rows]


def _told(view: RunView, event: Event) -> str:
    """An event in words; empty for what follows from the one before it."""
    teller = _TELLERS.get(event.kind)
    return "" if teller is None else teller(view, event)


def _preempted(view: RunView, event: Event) -> str:
    by = view.run.jobs[event.by]
    return f"preempted by {by.id} of {by.share}, {_WHY[event.reason]}"


_TELLERS: Mapping[Kind, Callable[[RunView, Event], str]] = {
    Kind.SUBMITTED: lambda _, __: "submitted",
    Kind.REJECTED: lambda _, event: f"rejected, {_WHY[event.reason]}",
    Kind.DISPATCHED: lambda _, event: _WHY[event.reason],
    Kind.PREEMPTED: _preempted,
    Kind.TERMINATED: lambda _, event: f"terminated, {_WHY[event.reason]}",
    Kind.ATTEMPT_FAILED: lambda _, event: f"run ended, {_WHY[event.reason]}",
    Kind.SUCCEEDED: lambda _, __: "SUCCEEDED",
    Kind.FAILED: lambda _, event: f"FAILED, {_WHY[event.reason]}",
    Kind.REPRIORITIZED: lambda _, event: f"priority becomes {event.value}",
}


def _around(told: list[tuple[int, str]], at: int | None) -> Iterator[str]:
    """At most MOST_EVENTS of them, from the one before the instant on."""
    from_here = next((place for place, (when, _) in enumerate(told) if at is not None and when >= at), 0)
    first = max(0, min(from_here - 1, len(told) - MOST_EVENTS))
    shown = told[first : first + MOST_EVENTS]
    if first:
        yield f"  ({first} earlier)"
    width = max((len(format_duration(when)) for when, _ in shown), default=0)
    for when, text in shown:
        yield f"  {format_duration(when):>{width}}  {text}"
    if len(told) > first + len(shown):
        yield f"  ({len(told) - first - len(shown)} later)"


def _holdings(view: RunView, job: Job, at: int) -> str:
    """Who held how much of the job's units after the scheduling pass of an instant."""
    held: dict[tuple[str, str], int] = {}
    for span in view.spans_at(at):
        holder = view.run.jobs[span.job]
        for unit, count in holder.demand.items():
            held[holder.share, unit] = held.get((holder.share, unit), 0) + count
    parts: list[str] = []
    for unit in job.demand:
        shares = (
            f"{share.name} {held.get((share.name, unit), 0)} of its {share.limit(unit)}"
            for share in view.run.queue.shares
            if share.limit(unit) or held.get((share.name, unit))
        )
        parts.append(f"{', '.join(shares)} {unit}")
    return f"the shares hold: {'; '.join(parts)}"
