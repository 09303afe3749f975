"""What would let a waiting job start: each change is tried in the simulation, and told only where it helps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from quota_verifier.explain.changes import Change, ChangeKind, changes
from quota_verifier.explain.moment import Moment
from quota_verifier.model import JobUpdate, Queue, Update
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.reference.changes import configured
from quota_verifier.scheduler.replay import JobNow
from quota_verifier.scheduler.run import Run
from quota_verifier.workload import Workload

Simulated = Callable[[Workload, int], Run]
"""Simulates a workload up to an instant, in milliseconds."""


class Effect(StrEnum):
    """What a change was seen to do."""

    STARTS = "starts"
    PREEMPTS = "preempts"
    SCHEDULABLE = "schedulable"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that helps, as it was seen in the simulation one millisecond after the instant.

    STARTS: the job is dispatched in that pass. PREEMPTS: it preempts `preempts` and starts when they have stopped.
    SCHEDULABLE: it does not start at once, but is no longer blocked for ever (R21). `over_promised` holds the
    units of which the shares then promise more than the environment has.
    """

    kind: ChangeKind
    text: str
    effect: Effect
    preempts: tuple[str, ...]
    over_promised: tuple[str, ...]


def remedies(moment: Moment, job: JobNow, workload: Workload, simulated: Simulated) -> list[Remedy]:
    """The changes that would let `job` start just after the moment, the smallest that helps of each kind."""
    at_ms = moment.at_ms + 1
    if _effect_of(simulated(workload, at_ms), job.index, at_ms) is not None:
        return []  # it starts by itself just then, so no change could be shown to matter
    found: list[Remedy] = []
    for group in changes(moment, job, at_ms):
        helping = (remedy for change in group if (remedy := _tried(moment, job, workload, simulated, change)))
        first = next(helping, None)
        if first is not None:
            found.append(first)
    return sorted(found, key=lambda remedy: list(ChangeKind).index(remedy.kind))


def _tried(moment: Moment, job: JobNow, workload: Workload, simulated: Simulated, change: Change) -> Remedy | None:
    at_ms = change.update.at_ms
    run = simulated(with_update(workload, change.update), at_ms)
    effect = _effect_of(run, job.index, at_ms)
    if effect is None and _no_longer_blocked(moment, job, change.update):
        effect = Effect.SCHEDULABLE
    if effect is None:
        return None
    victims = [
        run.jobs[event.job].id
        for event in run.events
        if event.at == at_ms and event.kind is Kind.PREEMPTED and event.by == job.index
    ]
    return Remedy(change.kind, change.text, effect, tuple(victims), _over_promised(moment, change.update))


def with_update(workload: Workload, update: Update) -> Workload:
    """The workload with one more update."""
    return replace(workload, updates=(*workload.updates, update))


def _effect_of(run: Run, job: int, at_ms: int) -> Effect | None:
    mine = [event for event in run.events if event.at == at_ms]
    if any(event.kind is Kind.DISPATCHED and event.job == job for event in mine):
        return Effect.STARTS
    if any(event.kind is Kind.PREEMPTED and event.by == job for event in mine):
        return Effect.PREEMPTS
    return None


def _no_longer_blocked(moment: Moment, job: JobNow, update: Update) -> bool:
    if isinstance(update, JobUpdate):
        return False
    state = moment.state
    rounding = state.assumptions.borrow_rounding
    after = configured(state.queue, update)
    return (
        never_schedulable(state.queue, state.share_of(job), job.job.demand, rounding) is not None
        and never_schedulable(after, after.shares[job.share], job.job.demand, rounding) is None
    )


def _over_promised(moment: Moment, update: Update) -> tuple[str, ...]:
    """The units that a change makes over-promised; not those that were before."""
    if isinstance(update, JobUpdate):
        return ()
    before, after = moment.state.queue, configured(moment.state.queue, update)
    return tuple(
        unit for unit in sorted(after.units) if _promises_too_much(after, unit) > _promises_too_much(before, unit)
    )


def _promises_too_much(queue: Queue, unit: str) -> bool:
    return queue.promised(unit) > queue.environment.limit(unit)
