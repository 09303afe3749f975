"""R11: the clock. At one instant: releases, then updates, then submissions, then one scheduling pass."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from heapq import heappop

from quota_verifier.model import Job, JobUpdate, Queue, Share, Update
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import NOBODY, Event, Kind, Reason
from quota_verifier.scheduler.reference.attempts import end_run
from quota_verifier.scheduler.reference.capacity import refresh_limits
from quota_verifier.scheduler.reference.changes import configure, update_job
from quota_verifier.scheduler.reference.deadlines import end_overdue_heads, watch_blocked_heads
from quota_verifier.scheduler.reference.order import enqueue
from quota_verifier.scheduler.reference.passes import scheduling_pass
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Core, Demand, Phase
from quota_verifier.scheduler.run import UNKNOWN, How, Outcome, Run, Span, State
from quota_verifier.scheduler.timing import Timing

Watch = Callable[[Event], None]

Asked = tuple[tuple[str, int], ...]
"""(unit, instances), as a job names them."""

Needs = tuple[Demand, int, int, int]
"""Demand by unit index, startup, stop and restore in milliseconds."""


def run_reference(
    queue: Queue,
    jobs: Sequence[Job],
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None = None,
    watch: Watch | None = None,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Simulate jobs and updates that are in canonical order and name only known shares and jobs.

    `watch` sees every event as it happens; `progress` is told now and then how many jobs were submitted.
    Without `until_ms` (inclusive) the run goes on until nothing is left to happen.
    """
    with _collector_paused():
        return _run(queue, jobs, updates, assumptions, timing, until_ms, watch, progress)


@contextmanager
def _collector_paused() -> Generator[None]:
    """Pause cyclic garbage collection: the loop makes no garbage, and scanning its records costs a third."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _run(
    queue: Queue,
    jobs: Sequence[Job],
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None,
    watch: Watch | None,
    progress: Callable[[int], None] | None,
) -> Run:
    events: list[Event] = []
    core = initial_core(queue, jobs, updates, assumptions, timing, _recorder(events, watch))
    by_id = {job.job.id: job for job in core.jobs}
    submitted = updated = 0
    while True:
        now = _next_instant(core, updates, submitted, updated)
        if now is None or (until_ms is not None and now > until_ms):
            break
        begin_instant(core, now)
        late: list[JobUpdate] = []
        while updated < len(updates) and updates[updated].at_ms == now:
            update = updates[updated]
            if not isinstance(update, JobUpdate):
                configure(core, update, updated)
            elif by_id[update.job].phase is Phase.UNSUBMITTED:
                late.append(update)
            else:
                update_job(core, by_id[update.job], update)
            updated += 1
        while submitted < len(core.jobs) and core.jobs[submitted].job.submit_ms == now:
            submit(core, core.jobs[submitted])
            submitted += 1
            if progress is not None and submitted % 1024 == 0:
                progress(submitted)
        for update in late:
            update_job(core, by_id[update.job], update)
        end_instant(core)
    last = events[-1].at if events else 0
    return _result(core, queue, jobs, updates, events, last if until_ms is None else until_ms)


def begin_instant(core: Core, now: int) -> None:
    """The clock reaches `now`: capacity whose time has come is released, and overdue heads end (R11).

    Updates and submissions follow, each put into force as it comes, and then `end_instant`. It may be called
    again at the same instant.
    """
    core.now = now
    while core.endings and core.endings[0][0] == now:
        _, index, ticket = heappop(core.endings)
        if core.jobs[index].ticket == ticket:
            end_run(core, core.jobs[index])
    end_overdue_heads(core)


def end_instant(core: Core) -> None:
    """All that happens at this instant has happened: decide who starts (R11)."""
    scheduling_pass(core)
    watch_blocked_heads(core)


def next_release(core: Core) -> int | None:
    """The earliest instant at which something happens by itself. Endings that a stop overtook do not count."""
    endings, jobs = core.endings, core.jobs
    while endings and jobs[endings[0][1]].ticket != endings[0][2]:
        heappop(endings)
    first = endings[0][0] if endings else None
    if core.deadlines and (first is None or core.deadlines[0][0] < first):
        first = core.deadlines[0][0]
    return first


def _recorder(events: list[Event], watch: Watch | None) -> Watch:
    if watch is None:
        return events.append

    def record(event: Event) -> None:
        events.append(event)
        watch(event)

    return record


def _next_instant(core: Core, updates: Sequence[Update], submitted: int, updated: int) -> int | None:
    """The earliest instant at which something happens."""
    first, jobs = next_release(core), core.jobs
    if submitted < len(jobs) and (first is None or jobs[submitted].job.submit_ms < first):
        first = jobs[submitted].job.submit_ms
    if updated < len(updates) and (first is None or updates[updated].at_ms < first):
        first = updates[updated].at_ms
    return first


def submit(core: Core, job: ActiveJob) -> None:
    """SUBMITTED -> RUNNABLE at this instant; a DISABLED queue or share refuses new jobs (R20)."""
    core.record(Event(core.now, Kind.SUBMITTED, job.index, NOBODY, Reason.NONE, job.priority))
    if core.queue.enabled and job.share.share.enabled:
        job.queued_at = core.now
        enqueue(core, job)
        return
    job.reason = Reason.SHARE_DISABLED if core.queue.enabled else Reason.QUEUE_DISABLED
    job.detail = disabled_text(core.queue, job.share.share if core.queue.enabled else None)
    job.phase = Phase.DONE
    job.outcome = State.REJECTED
    job.finished_at = core.now
    core.record(Event(core.now, Kind.REJECTED, job.index, NOBODY, job.reason, 0))


def disabled_text(queue: Queue, share: Share | None = None) -> str:
    """Why a submission was refused: its share, or without one the queue, is DISABLED."""
    return f"quota share {share.name} is DISABLED" if share else f"job queue {queue.name} is DISABLED"


def initial_core(
    queue: Queue,
    jobs: Sequence[Job],
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    record: Watch,
) -> Core:
    """A scheduler to which nothing has happened yet, with the jobs that are known beforehand."""
    units = _units(queue, jobs, updates)
    index_of = {unit: index for index, unit in enumerate(units)}
    shares = [active_share(i, share, len(units)) for i, share in enumerate(queue.shares)]
    by_name = {share.share.name: share for share in shares}
    active: list[ActiveJob] = []
    known: dict[Asked, Needs] = {}
    for index, job in enumerate(jobs):
        asked = tuple(job.demand.items())
        if asked not in known:
            known[asked] = needs_of(asked, index_of, timing)
        active.append(ActiveJob(index, job, by_name[job.share], *known[asked], priority=job.priority))
    core = Core(
        queue, queue.environment, units, shares, active, assumptions, timing,
        free=[0] * len(units), unassigned=[0] * len(units), spare=[0] * len(units), record=record,
    )  # fmt: skip
    refresh_limits(core)
    return core


def needs_of(asked: Asked, index_of: Mapping[str, int], timing: Timing) -> Needs:
    """The demand by unit index of a job that asks for instances of units, and its startup, stop and restore (ms)."""
    units = [unit for unit, _ in asked]
    demand = tuple(sorted((index_of[unit], instances) for unit, instances in asked))
    return demand, timing.startup.of(units), timing.stop.of(units), timing.restore.of(units)


def active_share(index: int, share: Share, units: int) -> ActiveShare:
    """A share that nobody uses, with places for so many units; `refresh_limits` fills them."""

    def zeros() -> list[int]:
        return [0] * units

    return ActiveShare(index, share, zeros(), zeros(), zeros(), zeros(), zeros(), zeros())


def _units(queue: Queue, jobs: Sequence[Job], updates: Sequence[Update]) -> tuple[str, ...]:
    """Every unit that is listed now, listed later, or asked for, in order of first mention."""
    units = dict.fromkeys(queue.units)
    for update in updates:
        if not isinstance(update, JobUpdate) and update.limits is not None:
            units.update(dict.fromkeys(update.limits))
    for job in jobs:
        units.update(dict.fromkeys(job.demand))
    return tuple(units)


def _result(
    core: Core, queue: Queue, jobs: Sequence[Job], updates: Sequence[Update], events: list[Event], end_ms: int
) -> Run:
    spans = [
        *core.spans,
        *(_open_span(job, end_ms) for job in core.jobs if job.phase in (Phase.PLACED, Phase.STOPPING)),
    ]
    spans.sort(key=lambda span: (span.start, span.job, span.attempt))
    return Run(
        queue=queue,
        jobs=jobs,
        updates=updates,
        assumptions=core.assumptions,
        timing=core.timing,
        outcomes=[_outcome(core, job, end_ms) for job in core.jobs],
        spans=spans,
        events=events,
        end_ms=end_ms,
        engine="reference",
    )


def _open_span(job: ActiveJob, end_ms: int) -> Span:
    stopping = job.phase is Phase.STOPPING
    run = job.run_at if job.run_at <= end_ms else UNKNOWN
    stop = job.stopped_at if stopping else UNKNOWN
    by = job.stopped_by if stopping and job.stop_how is not How.TERMINATED else NOBODY
    return Span(job.index, job.runs, job.started, run, stop, UNKNOWN, How.OPEN, by, 0)


def _outcome(core: Core, job: ActiveJob, end_ms: int) -> Outcome:
    state, detail = job.outcome, job.detail
    if job.phase is Phase.WAITING:
        state = State.RUNNABLE
        share = core.queue.share(job.job.share)
        never = never_schedulable(core.queue, share, job.job.demand, core.assumptions.borrow_rounding)
        detail = never.status_reason if never else ""
    elif job.phase in (Phase.PLACED, Phase.STOPPING):
        running = job.run_at != UNKNOWN and job.run_at <= end_ms
        state = State.RUNNING if running else State.SCHEDULED
    return Outcome(state, job.reason, detail, job.first_start, job.finished_at, job.preemptions, job.lost_ms)
