"""The placed jobs of a share, and those that are stopping.

Placed jobs stand in lists by dispatch, one for each level where victims are ranked by priority (A7), so
that the next victim is at the end of a list.
"""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.layout import NOWHERE, Row


@inlined
def list_of(w: Row, share: int, job: int) -> int:
    """The list that a job of the share belongs to."""
    if w.list_levels == 1:
        return share
    return share * w.list_levels + at.jobs(w, job).level


@inlined
def place(w: Row, share: int, job: int) -> None:
    """Add a job that is dispatched now."""
    row = list_of(w, share, job)
    ends, record = at.lists(w, row), at.jobs(w, job)
    record.prev = ends.last
    record.next = NOWHERE
    if ends.last < 0:
        ends.first = job
        if w.list_levels > 1:
            _mark(w, share, record.level, True)
    else:
        at.jobs(w, ends.last).next = job
    ends.last = job
    w.placed += 1


@inlined
def unplace(w: Row, share: int, job: int) -> None:
    """Remove a placed job. Its level must be that of its list."""
    row = list_of(w, share, job)
    ends, record = at.lists(w, row), at.jobs(w, job)
    if record.prev < 0:
        ends.first = record.next
    else:
        at.jobs(w, record.prev).next = record.next
    if record.next < 0:
        ends.last = record.prev
    else:
        at.jobs(w, record.next).prev = record.prev
    if ends.last < 0 and w.list_levels > 1:
        _mark(w, share, record.level, False)
    w.placed -= 1


@called
def place_in_order(w: Row, share: int, job: int) -> None:
    """Add a placed job to the list of a level that it has just got, where its dispatch says."""
    ends, record = at.lists(w, list_of(w, share, job)), at.jobs(w, job)
    after = ends.last
    while after >= 0 and at.jobs(w, after).row > record.row:
        after = at.jobs(w, after).prev
    following = at.jobs(w, after).next if after >= 0 else ends.first
    record.prev = after
    record.next = following
    if after < 0:
        ends.first = job
    else:
        at.jobs(w, after).next = job
    if following < 0:
        ends.last = job
    else:
        at.jobs(w, following).prev = job
    _mark(w, share, record.level, True)
    w.placed += 1


@inlined
def _mark(w: Row, share: int, level: int, used: bool) -> None:
    word = share * w.mask_words + (level >> 6)
    bit = 1 << (level & 63)
    if used:
        at.masks(w, word).value |= bit
    else:
        at.masks(w, word).value &= ~bit


@called
def next_level(w: Row, share: int, level: int) -> int:
    """The lowest level from `level` on at which the share has placed jobs, or the number of levels."""
    while level < w.list_levels:
        word = at.masks(w, share * w.mask_words + (level >> 6)).value
        if word == 0:
            level = (level | 63) + 1
        elif (word >> (level & 63)) & 1:
            return level
        else:
            level += 1
    return w.list_levels


@inlined
def add_stopping(w: Row, job: int) -> None:
    """Note a job that is being stopped."""
    at.jobs(w, job).next = w.stopping
    at.stopping(w, w.stopping).value = job
    w.stopping += 1


@inlined
def remove_stopping(w: Row, job: int) -> None:
    """Note that a job has stopped."""
    w.stopping -= 1
    last = at.stopping(w, w.stopping).value
    at.stopping(w, at.jobs(w, job).next).value = last
    at.jobs(w, last).next = at.jobs(w, job).next
