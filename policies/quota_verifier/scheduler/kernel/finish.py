"""What is left to do when a run is over: spans stand by dispatch, and are wanted by start, job and attempt."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.layout import Row

_FEW = 32
"""So many spans of one start are put in order here; for more, the caller has a faster way."""


@called
def put_spans_in_order(w: Row) -> None:
    """Sort the spans of each start that has any out of order; set `unsorted` where they are too many for that."""
    if w.disorders > w.disorder_room:
        w.unsorted = 1
        return
    done = 0
    for i in range(w.disorders):
        row = at.disorder(w, i).value
        if row >= done:
            first, done = row, row
            start = at.spans(w, row).start
            while first > 0 and at.spans(w, first - 1).start == start:
                first -= 1
            while done < w.rows and at.spans(w, done).start == start:
                done += 1
            if done - first > _FEW:
                w.unsorted = 1
            else:
                _sort(w, first, done)


@inlined
def _sort(w: Row, first: int, last: int) -> None:
    for row in range(first + 1, last):
        place = row
        while place > first and _comes_after(w, place - 1, place):
            _swap(w, place - 1, place)
            place -= 1


@inlined
def _comes_after(w: Row, one: int, other: int) -> bool:
    a, b = at.spans(w, one), at.spans(w, other)
    return a.job > b.job or (a.job == b.job and a.attempt > b.attempt)


@called
def _swap(w: Row, one: int, other: int) -> None:
    """Let two spans of one start change places, and tell the jobs whose last spans they are."""
    a, b = at.spans(w, one), at.spans(w, other)
    job, other_job = at.jobs(w, a.job), at.jobs(w, b.job)
    is_last, other_is_last = job.row == one + 1, other_job.row == other + 1
    if is_last:
        job.row = other + 1
    if other_is_last:
        other_job.row = one + 1
    a.run, b.run = b.run, a.run
    a.stop, b.stop = b.stop, a.stop
    a.end, b.end = b.end, a.end
    a.lost, b.lost = b.lost, a.lost
    a.job, b.job = b.job, a.job
    a.attempt, b.attempt = b.attempt, a.attempt
    a.by, b.by = b.by, a.by
    a.how, b.how = b.how, a.how
