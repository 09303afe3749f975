"""R10: updates of jobs. Changes of the configuration (R20) are worked out in Python, see `configuration`."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.attempts import note, record, stop, terminate_waiting
from quota_verifier.scheduler.kernel.compiled import called
from quota_verifier.scheduler.kernel.lanes import enqueue_again, leave_queue
from quota_verifier.scheduler.kernel.layout import NOWHERE, OVER, PLACED, WAITING, Row
from quota_verifier.scheduler.kernel.placed import place_in_order, unplace


@called
def update_job(w: Row, index: int) -> None:
    """UpdateServiceJob or TerminateServiceJob; a job that is already over is left alone."""
    update = at.updates(w, index)
    job = update.job
    phase = at.jobs(w, job).phase
    if phase == OVER:
        return
    if update.level >= 0 and update.level != at.jobs(w, job).level:
        _reprioritize(w, job, phase, update.level, update.value)
    if update.terminate:
        if phase == WAITING:
            terminate_waiting(w, job, codes.REQUESTED, codes.TERMINATED_BY_REQUEST)
            return
        record(w, codes.TERMINATED, job, codes.REQUESTED)
        if phase == PLACED:
            stop(w, job, codes.HOW_TERMINATED, NOWHERE)
        else:
            at.spans(w, at.jobs(w, job).row - 1).how = codes.HOW_TERMINATED


@called
def _reprioritize(w: Row, job: int, phase: int, level: int, priority: int) -> None:
    record(w, codes.REPRIORITIZED, job, codes.REQUESTED)
    note(w, NOWHERE, priority)
    if phase == WAITING:
        had, since = at.rare(w, job).has_head_since, at.rare(w, job).head_since
        leave_queue(w, job)
        at.jobs(w, job).level = level
        enqueue_again(w, job)
        at.rare(w, job).has_head_since = had
        at.rare(w, job).head_since = since
    elif phase == PLACED and w.list_levels > 1:
        share = at.lanes(w, at.jobs(w, job).lane).share
        unplace(w, share, job)
        at.jobs(w, job).level = level
        place_in_order(w, share, job)
    else:
        at.jobs(w, job).level = level
