"""R11: the clock. At one instant: releases, then updates, then submissions, then one scheduling pass."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.attempts import break_off, end_stop, finish_run, is_due, record
from quota_verifier.scheduler.kernel.changes import update_job
from quota_verifier.scheduler.kernel.compiled import merged
from quota_verifier.scheduler.kernel.deadlines import end_overdue_heads, watch_blocked_heads
from quota_verifier.scheduler.kernel.finish import put_spans_in_order
from quota_verifier.scheduler.kernel.heaps import drop_first
from quota_verifier.scheduler.kernel.lanes import enqueue_new
from quota_verifier.scheduler.kernel.layout import FOREVER, NOWHERE, OVER, UNSUBMITTED, Row
from quota_verifier.scheduler.kernel.passes import NEEDS_ROOM, RESTLESS, has_record_room, scheduling_pass
from quota_verifier.scheduler.kernel.victims import LEAST_WORK_LOST

GO_ON, DONE, GROW, CONFIGURE, PAUSE, FAULT = range(6)
"""Why `advance` came back: to be called again, but for DONE and FAULT (R19). It never comes back with GO_ON."""

NEXT, ENDINGS, UPDATES, SUBMISSIONS, LATE, PASS, WATCH = range(7)
"""What comes next at the present instant."""


@merged
def run_until_asked(w: Row) -> int:
    """Let time go on until the run is over or something is needed that only the caller can do."""
    asked = GO_ON
    while asked == GO_ON:
        if w.stage == NEXT:
            asked = _begin(w)
        if w.stage == ENDINGS:
            asked = _apply_endings(w)
        if w.stage == UPDATES:
            asked = _apply_updates(w)
        if w.stage == SUBMISSIONS:
            asked = _submit_jobs(w)
        if w.stage == LATE:
            asked = _apply_late_updates(w)
        if w.stage == PASS:
            asked = _decide(w)
        if w.stage == WATCH:
            asked = _watch(w)
    return asked


@merged
def _begin(w: Row) -> int:
    now = _next_instant(w, w.job_count)
    if now > w.until or now == FOREVER:
        put_spans_in_order(w)
        return DONE
    w.now = now
    w.dirty = int(w.victim_order == LEAST_WORK_LOST)  # time alone may change what a search finds
    w.stage = ENDINGS
    return GO_ON


@merged
def _apply_endings(w: Row) -> int:
    while w.endings and at.endings(w, 0).at == w.now:
        if not has_record_room(w, 4, 0):
            return GROW
        _end(w)
    if w.deadlines and at.deadlines(w, 0).at <= w.now:
        if not has_record_room(w, 2 * w.deadlines, 0):
            return GROW
        end_overdue_heads(w)
        w.dirty = 1
    w.update_from = w.updated
    w.stage = UPDATES
    return GO_ON


@merged
def _apply_updates(w: Row) -> int:
    while w.updated < w.update_count and at.updates(w, w.updated).at == w.now:
        if not has_record_room(w, 8, 0):
            return GROW
        w.dirty = 1
        w.in_vain = 0
        w.updated += 1
        if at.updates(w, w.updated - 1).job < 0:
            return CONFIGURE
        _update_or_wait(w, w.updated - 1)
    w.stage = SUBMISSIONS
    return GO_ON


@merged
def _submit_jobs(w: Row) -> int:
    while w.submitted < w.job_count and at.submit(w, w.submitted).value == w.now:
        if not has_record_room(w, 2, 0):
            return GROW
        _submit(w, w.submitted)
        w.submitted += 1
    w.stage = LATE
    return GO_ON


@merged
def _apply_late_updates(w: Row) -> int:
    while w.update_from < w.updated:
        if not has_record_room(w, 8, 0):
            return GROW
        if at.updates(w, w.update_from).late:
            update_job(w, w.update_from)
        w.update_from += 1
    w.stage = PASS
    return GO_ON


@merged
def _decide(w: Row) -> int:
    if w.dirty or w.claims:
        left = scheduling_pass(w)
        if left == NEEDS_ROOM:
            return GROW
        if left == RESTLESS:
            return FAULT
    w.stage = WATCH
    return GO_ON


@merged
def _watch(w: Row) -> int:
    if w.watch_heads:
        if w.deadlines + w.lane_count > w.deadline_room:
            return GROW
        watch_blocked_heads(w)
    w.stage = NEXT
    return PAUSE if w.submitted >= w.pause_at else GO_ON


@merged
def _next_instant(w: Row, count: int) -> int:
    """The earliest instant at which something happens. Endings that were overtaken by a stop do not count."""
    first = FOREVER
    while w.endings:
        if is_due(w, at.endings(w, 0).key):
            first = at.endings(w, 0).at
            break
        drop_first(w.endings_at, w.endings)
        w.endings -= 1
    if w.submitted < count:
        first = min(first, at.submit(w, w.submitted).value)
    if w.updated < w.update_count:
        first = min(first, at.updates(w, w.updated).at)
    if w.deadlines:
        first = min(first, at.deadlines(w, 0).at)
    return first


@merged
def _end(w: Row) -> None:
    key = at.endings(w, 0).key
    drop_first(w.endings_at, w.endings)
    w.endings -= 1
    if is_due(w, key):
        w.dirty = 1
        job = key >> 32
        if key & 1:
            end_stop(w, job)
        elif not finish_run(w, job):
            break_off(w, job)


@merged
def _update_or_wait(w: Row, index: int) -> None:
    """Updates of jobs that are submitted only now wait for that."""
    update = at.updates(w, index)
    if at.jobs(w, update.job).phase == UNSUBMITTED:
        update.late = 1
    else:
        update_job(w, index)


@merged
def _submit(w: Row, job: int) -> None:
    """SUBMITTED -> RUNNABLE; a DISABLED queue or share refuses new jobs (R20)."""
    w.in_vain = 0
    record(w, codes.SUBMITTED, job, codes.NO_REASON)
    lane = at.lane_of(w, at.shape(w, job).value).value
    job_record = at.jobs(w, job)
    job_record.lane = lane
    job_record.level = at.first_level(w, job * w.level_step).value
    job_record.first_start = NOWHERE
    job_record.end = NOWHERE
    share = at.lanes(w, lane).share
    if w.queue_enabled and at.shares(w, share).enabled:
        enqueue_new(w, job)
        return
    reason = codes.SHARE_DISABLED if w.queue_enabled else codes.QUEUE_DISABLED
    job_record.verdict = codes.SHARE_REFUSED + share if w.queue_enabled else codes.QUEUE_REFUSED
    job_record.phase = OVER
    job_record.state = codes.STATE_REJECTED
    job_record.reason = reason
    job_record.end = w.now
    record(w, codes.REFUSED, job, reason)
