"""I7 and I8, when a run is over: everything released, every job accounted for once."""

from __future__ import annotations

from quota_verifier.durations import format_duration
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.invariants.violation import Findings
from quota_verifier.scheduler.replay import JobNow, Phase, Replay
from quota_verifier.scheduler.run import UNKNOWN, Run, State

RELEASES = (Kind.SUCCEEDED, Kind.ATTEMPT_FAILED, Kind.STOPPED)

ENDED = {Kind.SUCCEEDED: State.SUCCEEDED, Kind.FAILED: State.FAILED, Kind.REJECTED: State.REJECTED}

STATES: dict[Phase, tuple[State, ...]] = {
    Phase.UNSUBMITTED: (State.SUBMITTED,),
    Phase.WAITING: (State.RUNNABLE,),
    Phase.PLACED: (State.SCHEDULED, State.RUNNING),
    Phase.STOPPING: (State.SCHEDULED, State.RUNNING),
}


def everything_released(state: Replay) -> Findings:
    """I7: after the last event of a complete run nobody holds capacity."""
    for job in state.holding.values():
        yield f"{job.job.id} still holds its capacity after the last event"


def nothing_overdue(run: Run, state: Replay) -> Findings:
    """I7 where a horizon may have ended the run: nobody holds capacity longer than its run can last."""
    for job in state.holding.values():
        latest = _latest_release(run, job)
        if run.end_ms > latest:
            yield f"{job.job.id} still holds the capacity that it had to release by {format_duration(latest)}"


def _latest_release(run: Run, job: JobNow) -> int:
    timing, demand = run.timing, job.job.demand
    if job.phase is Phase.STOPPING:
        return job.stopping_since + timing.stop.of(demand)
    work = timing.startup.of(demand) + timing.restore.of(demand) + job.job.work_ms
    return job.dispatched_at + max([work, *(failure.after_ms for failure in job.job.failures)])


def records_agree(run: Run, state: Replay) -> Findings:
    """I8: every job is accounted for once, and outcomes and spans say what the events say."""
    if len(run.outcomes) != len(run.jobs):
        yield f"{len(run.jobs)} jobs went in, {len(run.outcomes)} came out"
        return
    for job, outcome in zip(state.jobs, run.outcomes, strict=True):
        expected = STATES.get(job.phase, ()) if job.ended is None else (ENDED[job.ended],)
        if outcome.state not in expected:
            yield f"{job.job.id} is {job.phase.value} by its events, but its outcome says {outcome.state}"
    told = sorted((span.job, span.start, span.end) for span in run.spans)
    if told != _spans(run):
        yield "the spans are not those that the events tell of"
    lost = [0] * len(run.jobs)
    for span in run.spans:
        lost[span.job] += span.lost_ms
    for job, outcome in zip(state.jobs, run.outcomes, strict=True):
        if outcome.lost_ms != lost[job.index]:
            yield f"{job.job.id} lost {outcome.lost_ms} ms of work by its outcome, {lost[job.index]} ms by its spans"


def _spans(run: Run) -> list[tuple[int, int, int]]:
    """(job, start, end) of every run of a job, from the events."""
    spans: list[tuple[int, int, int]] = []
    started: dict[int, int] = {}
    for event in run.events:
        if event.kind is Kind.DISPATCHED:
            started[event.job] = event.at
        elif event.kind in RELEASES:
            spans.append((event.job, started.pop(event.job, UNKNOWN), event.at))
    return sorted([*spans, *((job, start, UNKNOWN) for job, start in started.items())])
