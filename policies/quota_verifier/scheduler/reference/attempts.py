"""The life of a job, R2-R8: dispatch, stop, progress kept, retries, timeouts, time limits."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappush

from quota_verifier.model import TimeLimitReason
from quota_verifier.scheduler.events import NOBODY, Event, Kind, Reason
from quota_verifier.scheduler.reference.capacity import charge
from quota_verifier.scheduler.reference.claims import drop_claim
from quota_verifier.scheduler.reference.order import enqueue, leave_queue
from quota_verifier.scheduler.reference.retries import retries_failure
from quota_verifier.scheduler.reference.state import ActiveJob, Core, Phase
from quota_verifier.scheduler.run import UNKNOWN, How, Span, State

PREEMPTION_TEXT = {
    Reason.RECLAIM: "Cross-share preemption triggered to reclaim borrowed capacity",
    Reason.IN_SHARE: "In-share preemption triggered by a higher priority job",
}
"""AWS documents the first text (preemption events); the second is ours."""

TIMEOUT_TEXT = "Job attempt duration exceeded timeout"
REQUESTED_TEXT = "Terminated by request"


def dispatch(core: Core, job: ActiveJob, reason: Reason) -> None:
    """R2: RUNNABLE -> SCHEDULED. Usage rises at once; the end of the run is known now unless somebody stops it."""
    leave_queue(core, job)
    if core.claims:
        drop_claim(core, job)
    charge(core, job, +1)
    job.phase = Phase.PLACED
    job.share.placed[job.index] = job
    core.dispatches += 1
    core.last_share = job.share.index
    job.sequence = core.dispatches
    job.runs += 1
    job.ticket += 1
    job.started = core.now
    if job.first_start == UNKNOWN:
        job.first_start = core.now
    core.record(Event(core.now, Kind.DISPATCHED, job.index, NOBODY, reason, 0))
    _plan_end(core, job)


def _plan_end(core: Core, job: ActiveJob) -> None:
    """When and how this run ends by itself: finished, failed as the workload says (R6), or timed out (R7)."""
    failures, seen = job.job.failures, job.failures_seen
    failure = failures[seen] if seen < len(failures) else None
    if failure is not None and failure.is_capacity_error:
        left = _capacity_patience(core, job)
        job.run_at = job.work_at = UNKNOWN
        if left is not None and failure.after_ms >= left:
            end, how = core.now + left, How.TERMINATED
        else:
            end, how = core.now + failure.after_ms, How.CAPACITY_ERROR
    else:
        job.run_at = core.now + job.startup_ms
        job.work_at = job.run_at + (job.restore_ms if job.kept_ms else 0)
        end, how = job.work_at + job.job.work_ms - job.kept_ms, How.FINISHED
        if failure is not None and job.work_at + failure.after_ms <= end:
            end, how = job.work_at + failure.after_ms, How.FAILED
        timeout = job.job.timeout_ms
        if timeout is not None and job.run_at + timeout < end:
            end, how = job.run_at + timeout, How.TIMEOUT
    job.ends_how = how
    heappush(core.endings, (end, job.index, job.ticket))


def _capacity_patience(core: Core, job: ActiveJob) -> int | None:
    """How much longer the job may be SCHEDULED without machines (R8), or None for as long as it takes."""
    for action in core.queue.time_limits:
        if action.reason is TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY:
            return max(0, action.max_time_ms - job.capacity_wait_ms)
    return None


def progress(job: ActiveJob, now: int) -> int:
    """Work done by `now`, in ms: what earlier runs kept plus this run's part (R2: only RUNNING counts)."""
    if job.work_at == UNKNOWN:
        return job.kept_ms
    return job.kept_ms + min(max(0, now - job.work_at), job.job.work_ms - job.kept_ms)


def kept_if_stopped(job: ActiveJob, now: int) -> int:
    """R4: progress rounded down to a multiple of the checkpoint interval; nothing without one."""
    interval = job.job.checkpoint_ms
    return progress(job, now) // interval * interval if interval else 0


def preempt(core: Core, victims: Sequence[ActiveJob], head: ActiveJob, reason: Reason) -> None:
    """Stop the victims so that `head` can start; each is re-queued once it has stopped (R18)."""
    how = How.PREEMPTED_CROSS_SHARE if reason is Reason.RECLAIM else How.PREEMPTED_IN_SHARE
    core.in_vain += len(victims)
    for job in victims:
        core.record(Event(core.now, Kind.PREEMPTED, job.index, head.index, reason, 0))
    for job in victims:
        stop(core, job, how, head.index)


def stop(core: Core, job: ActiveJob, how: How, by: int = NOBODY) -> None:
    """R3: no more progress from now on; usage stays for the stop time, but not for a job still SCHEDULED."""
    job.stop_how = how
    job.stopped_by = by
    job.stopped_at = core.now
    job.ticket += 1
    del job.share.placed[job.index]
    running = job.run_at != UNKNOWN and core.now >= job.run_at
    if running and job.stop_ms:
        job.phase = Phase.STOPPING
        core.stopping[job.index] = job
        core.stops += 1
        job.stop_order = core.stops
        for unit, instances in job.demand:
            job.share.stopping[unit] += instances
        heappush(core.endings, (core.now + job.stop_ms, job.index, job.ticket))
    else:
        _stopped(core, job)


def end_run(core: Core, job: ActiveJob) -> None:
    """The end of a run or of a stop has come (R11: a release)."""
    if job.phase is Phase.STOPPING:
        del core.stopping[job.index]
        for unit, instances in job.demand:
            job.share.stopping[unit] -= instances
        _stopped(core, job)
        return
    del job.share.placed[job.index]
    job.stopped_at = core.now
    match job.ends_how:
        case How.FINISHED:
            _release(core, job, How.FINISHED, Kind.SUCCEEDED, Reason.NONE)
            _finish(core, job, State.SUCCEEDED, Reason.NONE, "")
        case How.FAILED:
            failure = job.job.failures[job.failures_seen]
            job.failures_seen += 1
            _fail_attempt(core, job, How.FAILED, Reason.JOB_FAULT, failure.reason)
        case How.TIMEOUT:
            _fail_attempt(core, job, How.TIMEOUT, Reason.TIMEOUT, TIMEOUT_TEXT)
        case How.CAPACITY_ERROR:
            job.failures_seen += 1
            core.in_vain = 0
            job.capacity_wait_ms += core.now - job.started
            _release(core, job, How.CAPACITY_ERROR, Kind.ATTEMPT_FAILED, Reason.CAPACITY_ERROR)
            _requeue(core, job, Reason.CAPACITY_ERROR)
        case _:
            job.capacity_wait_ms += core.now - job.started
            core.record(Event(core.now, Kind.TERMINATED, job.index, NOBODY, Reason.TIME_LIMIT, 0))
            _release(core, job, How.TERMINATED, Kind.STOPPED, Reason.TIME_LIMIT)
            text = time_limit_text(TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY)
            _fail(core, job, Reason.TIME_LIMIT, text)


def _stopped(core: Core, job: ActiveJob) -> None:
    """A stopped job releases its usage: back to RUNNABLE, or FAILED (R3-R5)."""
    terminated = job.stop_how is How.TERMINATED
    before = progress(job, job.stopped_at)
    kept = kept_if_stopped(job, job.stopped_at)
    lost = 0 if terminated else before - kept
    if kept > job.kept_ms:
        core.in_vain = 0
    if job.run_at == UNKNOWN:
        job.capacity_wait_ms += job.stopped_at - job.started
    job.kept_ms = kept
    job.lost_ms += lost
    if terminated:
        _release(core, job, job.stop_how, Kind.STOPPED, Reason.REQUESTED)
        _fail(core, job, Reason.REQUESTED, REQUESTED_TEXT)
        return
    reason = Reason.RECLAIM if job.stop_how is How.PREEMPTED_CROSS_SHARE else Reason.IN_SHARE
    _release(core, job, job.stop_how, Kind.STOPPED, reason, lost)
    job.preemptions += 1
    retries = job.job.preemption_retries
    if retries is not None and job.preemptions > retries:
        _fail(core, job, Reason.PREEMPTION_RETRIES_EXHAUSTED, PREEMPTION_TEXT[reason])
        return
    if core.assumptions.requeue_place == "back":
        job.queued_at = job.stopped_at
    _requeue(core, job, reason)


def _fail_attempt(core: Core, job: ActiveJob, how: How, reason: Reason, status_reason: str) -> None:
    """R6: a failed run counts; the job is re-queued while runs are left and no rule says EXIT."""
    job.kept_ms = kept_if_stopped(job, core.now)
    _release(core, job, how, Kind.ATTEMPT_FAILED, reason)
    job.failed_runs += 1
    core.in_vain = 0
    if job.failed_runs < job.job.attempts and retries_failure(job.job.retry_rules, status_reason):
        _requeue(core, job, reason)
    else:
        _fail(core, job, reason, status_reason)


def terminate_waiting(core: Core, job: ActiveJob, reason: Reason, text: str) -> None:
    """A RUNNABLE job is terminated: it fails at once (R8, TerminateServiceJob)."""
    leave_queue(core, job)
    drop_claim(core, job)
    core.record(Event(core.now, Kind.TERMINATED, job.index, NOBODY, reason, 0))
    _fail(core, job, reason, text)


def time_limit_text(reason: TimeLimitReason) -> str:
    """The final status reason of a job that a time-limit action ended (AWS user guide)."""
    return f"Terminated by JobStateTimeLimit action due to reason: {reason}"


def _release(core: Core, job: ActiveJob, how: How, kind: Kind, reason: Reason, lost: int = 0) -> None:
    charge(core, job, -1)
    core.record(Event(core.now, kind, job.index, NOBODY, reason, job.kept_ms))
    core.spans.append(
        Span(
            job.index,
            job.runs,
            job.started,
            job.run_at if job.run_at <= job.stopped_at else UNKNOWN,
            job.stopped_at,
            core.now,
            how,
            job.stopped_by if how in (How.PREEMPTED_CROSS_SHARE, How.PREEMPTED_IN_SHARE) else NOBODY,
            lost,
        )
    )


def _requeue(core: Core, job: ActiveJob, reason: Reason) -> None:
    core.record(Event(core.now, Kind.REQUEUED, job.index, NOBODY, reason, 0))
    enqueue(core, job)


def _fail(core: Core, job: ActiveJob, reason: Reason, text: str) -> None:
    core.record(Event(core.now, Kind.FAILED, job.index, NOBODY, reason, 0))
    _finish(core, job, State.FAILED, reason, text)


def _finish(core: Core, job: ActiveJob, state: State, reason: Reason, text: str) -> None:
    core.in_vain = 0
    job.phase = Phase.DONE
    job.outcome = state
    job.reason = reason
    job.detail = text
    job.finished_at = core.now
