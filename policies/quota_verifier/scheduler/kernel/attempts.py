"""The life of a job, R2-R8: dispatch, stop, progress kept, retries, timeouts, time limits."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.capacity import charge, set_stopping
from quota_verifier.scheduler.kernel.claims import drop_claim
from quota_verifier.scheduler.kernel.compiled import called, inlined, merged
from quota_verifier.scheduler.kernel.heaps import push, restore_order
from quota_verifier.scheduler.kernel.lanes import enqueue_again, leave_queue
from quota_verifier.scheduler.kernel.layout import (
    NOWHERE,
    OVER,
    PLACED,
    STOPPING,
    Row,
)
from quota_verifier.scheduler.kernel.placed import add_stopping, place, remove_stopping, unplace


@inlined
def record(w: Row, kind: int, job: int, reason: int) -> None:
    """Write an event. The clock and the passes see to it that there is room."""
    event = at.events(w, w.events)
    event.at = w.now
    event.job = job
    event.kind = kind
    event.reason = reason
    w.events += 1


@inlined
def note(w: Row, by: int, value: int) -> None:
    """Add `by` and `value` to the event that was written last."""
    remark = at.notes(w, w.notes)
    remark.event = w.events - 1
    remark.by = by
    remark.value = value
    w.notes += 1


@called
def dispatch(w: Row, job: int, reason: int) -> None:
    """R2: RUNNABLE -> SCHEDULED. Usage rises at once; the end of the run is known now unless somebody stops it."""
    leave_queue(w, job)
    if w.claims:
        drop_claim(w, job)
    job_record = at.jobs(w, job)
    lane_row = job_record.lane
    share = at.lanes(w, lane_row).share
    charge(w, lane_row, 1)
    job_record.phase = PLACED
    place(w, share, job)
    w.last_share = share
    row = w.rows
    w.rows += 1
    span = at.spans(w, row)
    if job_record.row == 0:
        job_record.first_start = w.now
        span.attempt = 1
    else:
        span.attempt = at.spans(w, job_record.row - 1).attempt + 1
    job_record.row = row + 1
    if row and at.spans(w, row - 1).start == w.now and at.spans(w, row - 1).job > job:
        if w.disorders < w.disorder_room:
            at.disorder(w, w.disorders).value = row
        w.disorders += 1
    span.start = w.now
    span.stop = NOWHERE
    span.end = NOWHERE
    span.lost = 0
    span.job = job
    span.by = NOWHERE
    record(w, codes.DISPATCHED, job, reason)
    lane = at.lanes(w, lane_row)
    run_at = w.now + lane.startup
    end = run_at + at.work(w, job).value
    how = codes.HOW_FINISHED
    kept = job_record.kept
    if kept:
        end += lane.restore - kept
    if not w.plain_ends:
        run_at, end, how = _how_it_ends(w, job, run_at, end)
    span.run = run_at
    span.how = how
    add_ending(w, end, (job << 32) | (row << 1))


@merged
def _how_it_ends(w: Row, job: int, run_at: int, end: int) -> tuple[int, int, int]:
    """When the run begins and ends, and how: as the workload says (R6), or by timeout (R7)."""
    how = codes.HOW_FINISHED
    if w.has_failures:
        seen = at.fail_first(w, job).value + at.rare(w, job).failures_seen
        if seen < at.fail_first(w, job + 1).value:
            failure = at.fails(w, seen)
            if failure.capacity:
                left = max(0, w.capacity_limit - at.rare(w, job).capacity_wait)
                if w.capacity_limit >= 0 and failure.after >= left:
                    return NOWHERE, w.now + left, codes.HOW_TERMINATED
                return NOWHERE, w.now + failure.after, codes.HOW_CAPACITY_ERROR
            begins = work_begins(w, job, run_at)
            if begins + failure.after <= end:
                end, how = begins + failure.after, codes.HOW_FAILED
    timeout = at.timeout(w, job * w.timeout_step).value
    if timeout >= 0 and run_at + timeout < end:
        end, how = run_at + timeout, codes.HOW_TIMEOUT
    return run_at, end, how


@inlined
def work_begins(w: Row, job: int, run_at: int) -> int:
    """When a run that is RUNNING from `run_at` makes progress (R4: restoring comes first)."""
    return run_at + (at.lanes(w, at.jobs(w, job).lane).restore if at.jobs(w, job).kept else 0)


@inlined
def add_ending(w: Row, at: int, key: int) -> None:
    """Plan the end of a run or of a stop."""
    if w.endings > 2 * (w.placed + w.stopping) + 64:
        forget_overtaken(w)
    push(w.endings_at, w.endings, at, key)
    w.endings += 1


@inlined
def is_due(w: Row, key: int) -> bool:
    """Whether an ending was not overtaken by a stop."""
    job = at.jobs(w, key >> 32)
    return job.row == ((key >> 1) & 0x7FFFFFFF) + 1 and job.phase == PLACED + (key & 1)


@called
def forget_overtaken(w: Row) -> None:
    """Drop the endings that were overtaken, so that the heap stays as small as the jobs that run."""
    kept = 0
    for i in range(w.endings):
        if is_due(w, at.endings(w, i).key):
            at.endings(w, kept).at = at.endings(w, i).at
            at.endings(w, kept).key = at.endings(w, i).key
            kept += 1
    w.endings = kept
    restore_order(w.endings_at, kept)


@called
def progress(w: Row, job: int, now: int) -> int:
    """Work done by `now`: what earlier runs kept plus this run's part (R2: only RUNNING counts)."""
    kept = at.jobs(w, job).kept
    run_at = at.spans(w, at.jobs(w, job).row - 1).run
    if run_at < 0:
        return kept
    done = now - work_begins(w, job, run_at)
    return kept + min(max(0, done), at.work(w, job).value - kept)


@called
def kept_if_stopped(w: Row, job: int, now: int) -> int:
    """R4: progress rounded down to a multiple of the checkpoint interval; nothing without one."""
    interval = at.checkpoint(w, job * w.checkpoint_step).value
    if interval <= 0:
        return 0
    return progress(w, job, now) // interval * interval


@called
def stop(w: Row, job: int, how: int, by: int) -> None:
    """R3: no more progress from now on; usage stays for the stop time, but not for a job still SCHEDULED."""
    span = at.spans(w, at.jobs(w, job).row - 1)
    lane_row = at.jobs(w, job).lane
    lane = at.lanes(w, lane_row)
    unplace(w, lane.share, job)
    at.jobs(w, job).phase = STOPPING
    span.how = how
    span.by = by
    span.stop = w.now
    if lane.stop and 0 <= span.run <= w.now:
        add_stopping(w, job)
        w.stops += 1
        at.rare(w, job).stop_order = w.stops
        set_stopping(w, lane_row, 1)
        add_ending(w, w.now + lane.stop, (job << 32) | ((at.jobs(w, job).row - 1) << 1) | 1)
    else:
        _stopped(w, job)


@called
def end_stop(w: Row, job: int) -> None:
    """The end of a stop has come."""
    remove_stopping(w, job)
    set_stopping(w, at.jobs(w, job).lane, -1)
    _stopped(w, job)


@merged
def finish_run(w: Row, job: int) -> bool:
    """Whether the run ended because its work was done; if so, it is released (the common case)."""
    job_record = at.jobs(w, job)
    span = at.spans(w, job_record.row - 1)
    if span.how != codes.HOW_FINISHED:
        return False
    w.in_vain = 0
    unplace(w, at.lanes(w, job_record.lane).share, job)
    charge(w, job_record.lane, -1)
    record(w, codes.SUCCESS, job, codes.NO_REASON)
    if job_record.kept:
        note(w, NOWHERE, job_record.kept)
    span.stop = w.now
    span.end = w.now
    job_record.phase = OVER
    job_record.state = codes.STATE_SUCCEEDED
    job_record.end = w.now
    return True


@called
def break_off(w: Row, job: int) -> None:
    """The end of a run that does not finish has come."""
    job_record = at.jobs(w, job)
    span = at.spans(w, job_record.row - 1)
    rare = at.rare(w, job)
    w.in_vain = 0
    unplace(w, at.lanes(w, job_record.lane).share, job)
    span.stop = w.now
    if span.how == codes.HOW_FAILED:
        failure = at.fails(w, at.fail_first(w, job).value + rare.failures_seen)
        rare.failures_seen += 1
        _fail_attempt(w, job, codes.JOB_FAULT, failure.retry, failure.verdict)
    elif span.how == codes.HOW_TIMEOUT:
        retry = at.timeout_retry(w, job * w.timeout_retry_step).value
        _fail_attempt(w, job, codes.TIMEOUT, retry, codes.TIMED_OUT)
    elif span.how == codes.HOW_CAPACITY_ERROR:
        rare.failures_seen += 1
        rare.capacity_wait += w.now - span.start
        _release(w, job, codes.ATTEMPT_FAILED, codes.CAPACITY_ERROR)
        _requeue(w, job, codes.CAPACITY_ERROR)
    else:
        rare.capacity_wait += w.now - span.start
        record(w, codes.TERMINATED, job, codes.TIME_LIMIT)
        _release(w, job, codes.STOPPED, codes.TIME_LIMIT)
        fail(w, job, codes.TIME_LIMIT, codes.CAPACITY_LIMIT)


@called
def _stopped(w: Row, job: int) -> None:
    """A stopped job releases its usage: back to RUNNABLE, or FAILED (R3-R5)."""
    job_record = at.jobs(w, job)
    span = at.spans(w, job_record.row - 1)
    before = progress(w, job, span.stop)
    kept = kept_if_stopped(w, job, span.stop)
    if span.run < 0:
        at.rare(w, job).capacity_wait += span.stop - span.start
    if kept > job_record.kept:
        w.in_vain = 0
    job_record.kept = kept
    if span.how == codes.HOW_TERMINATED:
        span.by = NOWHERE
        _release(w, job, codes.STOPPED, codes.REQUESTED)
        fail(w, job, codes.REQUESTED, codes.TERMINATED_BY_REQUEST)
        return
    span.lost = before - kept
    job_record.lost += before - kept
    reclaimed = span.how == codes.HOW_CROSS_SHARE
    reason = codes.RECLAIM if reclaimed else codes.IN_SHARE
    _release(w, job, codes.STOPPED, reason)
    job_record.preemptions += 1
    retries = at.retries(w, job * w.retries_step).value
    if 0 <= retries < job_record.preemptions:
        verdict = codes.RECLAIMED_TOO_OFTEN if reclaimed else codes.PREEMPTED_TOO_OFTEN
        fail(w, job, codes.RETRIES_EXHAUSTED, verdict)
        return
    if w.back:
        at.queued(w, job).value = span.stop
    _requeue(w, job, reason)


@called
def _fail_attempt(w: Row, job: int, reason: int, retry: int, verdict: int) -> None:
    """R6: a failed run counts; the job is re-queued while runs are left and no rule says EXIT."""
    at.jobs(w, job).kept = kept_if_stopped(w, job, w.now)
    _release(w, job, codes.ATTEMPT_FAILED, reason)
    at.rare(w, job).failed_runs += 1
    if retry and at.rare(w, job).failed_runs < at.attempts(w, job * w.attempts_step).value:
        _requeue(w, job, reason)
    else:
        fail(w, job, reason, verdict)


@called
def _release(w: Row, job: int, kind: int, reason: int) -> None:
    """Give the job's capacity back, and close its span."""
    charge(w, at.jobs(w, job).lane, -1)
    record(w, kind, job, reason)
    if at.jobs(w, job).kept:
        note(w, NOWHERE, at.jobs(w, job).kept)
    span = at.spans(w, at.jobs(w, job).row - 1)
    if span.run > span.stop:
        span.run = NOWHERE
    span.end = w.now


@called
def _requeue(w: Row, job: int, reason: int) -> None:
    record(w, codes.REQUEUED, job, reason)
    enqueue_again(w, job)


@called
def fail(w: Row, job: int, reason: int, verdict: int) -> None:
    """The job is over, and failed."""
    w.in_vain = 0
    record(w, codes.FAILURE, job, reason)
    job_record = at.jobs(w, job)
    job_record.phase = OVER
    job_record.state = codes.STATE_FAILED
    job_record.reason = reason
    job_record.verdict = verdict
    job_record.end = w.now


@called
def terminate_waiting(w: Row, job: int, reason: int, verdict: int) -> None:
    """A RUNNABLE job is terminated: it fails at once (R8, TerminateServiceJob)."""
    leave_queue(w, job)
    drop_claim(w, job)
    record(w, codes.TERMINATED, job, reason)
    fail(w, job, reason, verdict)
