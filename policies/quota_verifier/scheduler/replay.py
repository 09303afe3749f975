"""The state of a queue, rebuilt from the events of a run alone: what holds for one engine's log holds for any."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.reference.changes import configured
from quota_verifier.scheduler.run import Run

Place = tuple[int, int, int]
"""A place in a share's order (R9): minus priority, queued since, submission sequence."""

PREEMPTIONS = (Reason.RECLAIM, Reason.IN_SHARE)


class Phase(Enum):
    """Where a job is, as far as its events tell."""

    UNSUBMITTED = "not submitted"
    WAITING = "waiting"
    PLACED = "dispatched"
    STOPPING = "stopping"
    RELEASED = "released"
    DONE = "over"

    @property
    def holds_capacity(self) -> bool:
        """Whether the job's demand is part of its share's usage."""
        return self in (Phase.PLACED, Phase.STOPPING)


LEGAL: dict[Kind, tuple[Phase, ...]] = {
    Kind.SUBMITTED: (Phase.UNSUBMITTED,),
    Kind.REJECTED: (Phase.WAITING,),
    Kind.DISPATCHED: (Phase.WAITING,),
    Kind.PREEMPTED: (Phase.PLACED,),
    Kind.TERMINATED: (Phase.WAITING, Phase.PLACED, Phase.STOPPING),
    Kind.STOPPED: (Phase.STOPPING,),
    Kind.ATTEMPT_FAILED: (Phase.PLACED,),
    Kind.REQUEUED: (Phase.RELEASED,),
    Kind.SUCCEEDED: (Phase.PLACED,),
    Kind.FAILED: (Phase.RELEASED,),
    Kind.REPRIORITIZED: (Phase.WAITING, Phase.PLACED, Phase.STOPPING),
}
"""In which phases a job can be when an event of a kind happens to it (section 2 of the specification)."""


@dataclass(slots=True, eq=False)
class JobNow:
    """A job and what its events have made of it. `queued_at` is its place in time in its share's order (A8)."""

    index: int
    job: Job
    share: int
    demand: tuple[tuple[str, int], ...]
    priority: int
    phase: Phase = Phase.UNSUBMITTED
    queued_at: int = 0
    dispatched_at: int = 0
    sequence: int = 0
    preempted_at: int = 0
    stopping_since: int = 0
    preemptions: int = 0
    terminated: bool = False
    ended: Kind | None = None

    @property
    def place(self) -> Place:
        """The job's place in its share's order (R9)."""
        return -self.priority, self.queued_at, self.index

    def needs(self, unit: str) -> int:
        """Instances of `unit` that the job asks for."""
        return self.job.demand.get(unit, 0)


@dataclass(slots=True)
class Replay:
    """A queue, its shares' usage and its jobs after the events told so far.

    `usage[s][u]` counts jobs from dispatch to release; of it `stopping[s][u]` is being released.
    """

    queue: Queue
    jobs: list[JobNow]
    updates: Sequence[Update]
    assumptions: Assumptions
    now: int = 0
    dispatches: int = 0
    usage: list[dict[str, int]] = field(default_factory=list[dict[str, int]])
    stopping: list[dict[str, int]] = field(default_factory=list[dict[str, int]])
    being_stopped: dict[int, JobNow] = field(default_factory=dict[int, JobNow])
    holding: dict[int, JobNow] = field(default_factory=dict[int, JobNow])
    waiting: list[dict[tuple[tuple[str, int], ...], list[Place]]] = field(
        default_factory=list[dict[tuple[tuple[str, int], ...], list[Place]]]
    )

    @property
    def environment(self) -> Environment:
        """The environment as configured now."""
        return self.queue.environment

    def share_of(self, job: JobNow) -> Share:
        """The job's share as configured now."""
        return self.queue.shares[job.share]

    def waits(self, share: int) -> bool:
        """Whether any job of the share waits."""
        return any(self.waiting[share].values())

    def fault(self, event: Event) -> str:
        """Why this event cannot happen now, or nothing where it can."""
        if event.at < self.now:
            return f"goes back in time from {self.now} ms"
        if event.kind is Kind.CONFIGURED:
            known = 0 <= event.value < len(self.updates)
            return "" if known and not isinstance(self.updates[event.value], JobUpdate) else "names no update"
        phase = self.jobs[event.job].phase
        if event.kind is Kind.PREEMPTED and self.jobs[event.by].phase is not Phase.WAITING:
            return f"is for a job that is {self.jobs[event.by].phase.value}"
        return "" if phase in LEGAL[event.kind] else f"happens to a job that is {phase.value}"

    def apply(self, event: Event) -> None:
        """Let an event happen."""
        self.now = event.at
        if event.kind is Kind.CONFIGURED:
            update = self.updates[event.value]
            if not isinstance(update, JobUpdate):
                self.queue = configured(self.queue, update)
            return
        job = self.jobs[event.job]
        match event.kind:
            case Kind.SUBMITTED:
                job.queued_at = event.at
                self._enqueue(job)
            case Kind.DISPATCHED:
                self._dispatch(job)
            case Kind.PREEMPTED | Kind.TERMINATED:
                self._stop(job, terminated=event.kind is Kind.TERMINATED)
            case Kind.STOPPED | Kind.ATTEMPT_FAILED | Kind.SUCCEEDED:
                self._release(job)
                if event.kind is Kind.SUCCEEDED:
                    self._end(job, event.kind)
            case Kind.REQUEUED:
                if event.reason in PREEMPTIONS and self.assumptions.requeue_place == "back":
                    job.queued_at = job.preempted_at
                self._enqueue(job)
            case Kind.REPRIORITIZED:
                self._reprioritize(job, event.value)
            case _:
                self._leave_queue(job)
                self._end(job, event.kind)

    def _enqueue(self, job: JobNow) -> None:
        job.phase = Phase.WAITING
        insort(self.waiting[job.share].setdefault(job.demand, []), job.place)

    def _leave_queue(self, job: JobNow) -> None:
        if job.phase is Phase.WAITING:
            places = self.waiting[job.share][job.demand]
            del places[bisect_left(places, job.place)]
            if not places:
                del self.waiting[job.share][job.demand]

    def _dispatch(self, job: JobNow) -> None:
        self._leave_queue(job)
        job.phase = Phase.PLACED
        job.dispatched_at = self.now
        self.dispatches += 1
        job.sequence = self.dispatches
        self.holding[job.index] = job
        _add(self.usage[job.share], job, 1)

    def _stop(self, job: JobNow, *, terminated: bool) -> None:
        if terminated:
            job.terminated = True
        else:
            job.preemptions += 1
            job.preempted_at = self.now
        if job.phase is Phase.PLACED:
            job.phase = Phase.STOPPING
            job.stopping_since = self.now
            self.being_stopped[job.index] = job
            _add(self.stopping[job.share], job, 1)
        elif job.phase is Phase.WAITING:
            self._leave_queue(job)
            job.phase = Phase.RELEASED

    def _end(self, job: JobNow, kind: Kind) -> None:
        job.phase = Phase.DONE
        job.ended = kind

    def _release(self, job: JobNow) -> None:
        if job.phase is Phase.STOPPING:
            del self.being_stopped[job.index]
            _add(self.stopping[job.share], job, -1)
        del self.holding[job.index]
        _add(self.usage[job.share], job, -1)
        job.phase = Phase.RELEASED

    def _reprioritize(self, job: JobNow, priority: int) -> None:
        waiting = job.phase is Phase.WAITING
        self._leave_queue(job)
        job.priority = priority
        if waiting:
            self._enqueue(job)


def _add(counts: dict[str, int], job: JobNow, sign: int) -> None:
    for unit, instances in job.demand:
        counts[unit] = counts.get(unit, 0) + sign * instances


def start(queue: Queue, jobs: Sequence[Job], updates: Sequence[Update], assumptions: Assumptions) -> Replay:
    """The state before the first event; `jobs` and `updates` in the canonical order that events refer to."""
    index_of = {share.name: index for index, share in enumerate(queue.shares)}
    states = [
        JobNow(index, job, index_of[job.share], tuple(sorted(job.demand.items())), job.priority)
        for index, job in enumerate(jobs)
    ]
    count = len(queue.shares)
    return Replay(
        queue,
        states,
        updates,
        assumptions,
        usage=[{} for _ in range(count)],
        stopping=[{} for _ in range(count)],
        waiting=[{} for _ in range(count)],
    )


def start_of(run: Run) -> Replay:
    """The state of a run before its first event."""
    return start(run.queue, run.jobs, run.updates, run.assumptions)


def replayed(run: Run, events: Iterable[Event] | None = None) -> Iterator[tuple[Replay, Event]]:
    """Each event with the state just before it; the same object every time, moved on in between."""
    state = start_of(run)
    for event in run.events if events is None else events:
        yield state, event
        state.apply(event)
