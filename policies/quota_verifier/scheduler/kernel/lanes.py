"""Who is looked at next: R9 inside a share, A1 which jobs are heads (the reference's `order`).

A lane holds the waiting jobs of one share and demand. Jobs that come in order stand in line, so that
submitting and starting them costs the same however many wait; the others (re-queued, of higher
priority) are on a pile, a binary heap.
"""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.capacity import refresh_held
from quota_verifier.scheduler.kernel.compiled import called, inlined, merged
from quota_verifier.scheduler.kernel.layout import IN_LINE, NO_LEVEL, NOWHERE, WAITING, Row

STRICT, PER_UNIT, SKIP = range(3)


@inlined
def before(w: Row, one: int, other: int) -> bool:
    """R9: higher priority, then queued earlier, then submitted earlier."""
    level, other_level = at.jobs(w, one).level, at.jobs(w, other).level
    if level != other_level:
        return level > other_level
    if w.back:
        queued, other_queued = at.queued(w, one).value, at.queued(w, other).value
        if queued != other_queued:
            return queued < other_queued
    return one < other  # canonical order goes by submit time


@merged
def enqueue_new(w: Row, job: int) -> None:
    """Put a job that is submitted now into its share's order."""
    record = at.jobs(w, job)
    lane = at.lanes(w, record.lane)
    if lane.line_head == lane.line_tail or record.level <= lane.line_level:
        record.prev = IN_LINE
        at.line(w, lane.first + lane.line_tail).value = job
        lane.line_tail += 1
        lane.line_level = record.level
    else:
        put_on_pile(w, record.lane, job)
    _count_in(w, record.lane, job)


@called
def enqueue_again(w: Row, job: int) -> None:
    """Put a job that waited before into its share's order."""
    lane = at.jobs(w, job).lane
    put_on_pile(w, lane, job)
    _count_in(w, lane, job)


@inlined
def _count_in(w: Row, lane_row: int, job: int) -> None:
    lane = at.lanes(w, lane_row)
    share = at.shares(w, lane.share)
    at.jobs(w, job).phase = WAITING
    if lane.head < 0 or before(w, job, lane.head):
        lane.head = job
        share.known = 0
        w.dirty = 1
    w.waiting += 1
    share.waiting += 1
    if share.waiting == 1:
        share.active_at = w.active
        at.active(w, w.active).value = lane.share
        w.active += 1
        w.dirty = 1
        if w.hold:
            refresh_held(w, lane.share)


@inlined
def leave_queue(w: Row, job: int) -> None:
    """Take a waiting job out of its share's order; the caller gives it another phase, or queues it again."""
    record = at.jobs(w, job)
    lane = at.lanes(w, record.lane)
    share = at.shares(w, lane.share)
    if record.prev == IN_LINE:
        if at.line(w, lane.first + lane.line_head).value == job:
            lane.line_head += 1
    else:
        take_off_pile(w, record.lane, record.prev)
    if lane.head == job:
        lane.head = _first_of(w, record.lane)
        share.known = 0
    if w.by_head_since:
        at.rare(w, job).has_head_since = 0
    w.waiting -= 1
    share.waiting -= 1
    if share.waiting == 0:
        w.active -= 1
        last = at.active(w, w.active).value
        at.active(w, share.active_at).value = last
        at.shares(w, last).active_at = share.active_at
        if w.hold:
            refresh_held(w, lane.share)


@inlined
def _first_of(w: Row, lane_row: int) -> int:
    lane = at.lanes(w, lane_row)
    front = NOWHERE
    while lane.line_head < lane.line_tail:
        job = at.line(w, lane.first + lane.line_head).value
        if at.jobs(w, job).phase == WAITING and at.jobs(w, job).prev == IN_LINE:
            front = job
            break
        lane.line_head += 1  # it left from the middle of the line
    if front < 0:
        lane.line_level = NO_LEVEL
    if lane.piled:
        top = at.pile(w, lane.first).value
        if front < 0 or before(w, top, front):
            front = top
    return front


@called
def put_on_pile(w: Row, lane_row: int, job: int) -> None:
    """Add a job to a lane's heap."""
    lane = at.lanes(w, lane_row)
    place = lane.piled
    lane.piled += 1
    _rise(w, lane.first, place, job)


@called
def take_off_pile(w: Row, lane_row: int, place: int) -> None:
    """Take the job at `place` out of a lane's heap."""
    lane = at.lanes(w, lane_row)
    lane.piled -= 1
    last = at.pile(w, lane.first + lane.piled).value
    if place < lane.piled:
        place = _rise(w, lane.first, place, last)
        _sink(w, lane.first, place, lane.piled, last)


@inlined
def _rise(w: Row, first: int, place: int, job: int) -> int:
    while place > 0:
        parent = (place - 1) >> 1
        above = at.pile(w, first + parent).value
        if before(w, above, job):
            break
        at.pile(w, first + place).value = above
        at.jobs(w, above).prev = place
        place = parent
    at.pile(w, first + place).value = job
    at.jobs(w, job).prev = place
    return place


@inlined
def _sink(w: Row, first: int, place: int, count: int, job: int) -> None:
    while True:
        child = 2 * place + 1
        if child >= count:
            break
        if child + 1 < count and before(w, at.pile(w, first + child + 1).value, at.pile(w, first + child).value):
            child += 1
        below = at.pile(w, first + child).value
        if before(w, job, below):
            break
        at.pile(w, first + place).value = below
        at.jobs(w, below).prev = place
        place = child
    at.pile(w, first + place).value = job
    at.jobs(w, job).prev = place


@inlined
def look(w: Row, share_row: int) -> None:
    """Bring the heads of a share up to date (A1): `heads` of them from its first lane on."""
    if not at.shares(w, share_row).known:
        if w.blocking == STRICT and not w.by_head_since:
            _look_strict(w, share_row)
        else:
            _look_general(w, share_row)


@inlined
def _look_strict(w: Row, share_row: int) -> None:
    share = at.shares(w, share_row)
    best = NOWHERE
    for row in range(share.lane_first, share.lane_last):
        head = at.lanes(w, row).head
        if head >= 0 and (best < 0 or before(w, head, best)):
            best = head
    at.heads(w, share.lane_first).value = best
    share.heads = 1 if best >= 0 else 0
    share.known = 1


@called
def _look_general(w: Row, share_row: int) -> None:
    share = at.shares(w, share_row)
    first = share.lane_first
    old_count = share.heads
    for i in range(old_count):
        at.old_heads(w, i).value = at.heads(w, first + i).value
    count = 0
    for row in range(first, share.lane_last):
        head = at.lanes(w, row).head
        if head >= 0:
            place = count
            while place > 0 and before(w, head, at.heads(w, first + place - 1).value):
                at.heads(w, first + place).value = at.heads(w, first + place - 1).value
                place -= 1
            at.heads(w, first + place).value = head
            count += 1
    if w.blocking == STRICT:
        count = min(count, 1)
    elif w.blocking == PER_UNIT:
        count = _first_per_unit(w, first, count)
    share.heads = count
    share.known = 1
    if w.by_head_since and w.blocking != SKIP:
        _note_head_since(w, first, count, old_count)


@merged
def _first_per_unit(w: Row, first: int, count: int) -> int:
    """Keep the jobs of whose units no job before them uses any."""
    for row in range(w.unit_count):
        at.units(w, row).mark = 0
    kept = 0
    for i in range(count):
        job = at.heads(w, first + i).value
        lane = at.lanes(w, at.jobs(w, job).lane)
        free = True
        for ask in range(lane.ask_first, lane.ask_last):
            unit = at.units(w, at.asks(w, ask).unit)
            if unit.mark:
                free = False
            unit.mark = 1
        if free:
            at.heads(w, first + kept).value = job
            kept += 1
    return kept


@merged
def _note_head_since(w: Row, first: int, count: int, old_count: int) -> None:
    for i in range(old_count):
        at.rare(w, at.old_heads(w, i).value).was_head = 1
    for i in range(first, first + count):
        at.rare(w, at.heads(w, i).value).was_head = 0
    for i in range(old_count):
        rare = at.rare(w, at.old_heads(w, i).value)
        if rare.was_head:
            rare.was_head = 0
            rare.has_head_since = 0
    for i in range(first, first + count):
        rare = at.rare(w, at.heads(w, i).value)
        if not rare.has_head_since:
            rare.has_head_since = 1
            rare.head_since = w.now


@inlined
def is_head(w: Row, job: int) -> bool:
    """Whether a waiting job may start now (A1)."""
    share_row = at.lanes(w, at.jobs(w, job).lane).share
    look(w, share_row)
    share = at.shares(w, share_row)
    for i in range(share.lane_first, share.lane_first + share.heads):
        if at.heads(w, i).value == job:
            return True
    return False
