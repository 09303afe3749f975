"""The order in which shares are visited (A2), and who borrows first (A3)."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.compiled import called, inlined, merged
from quota_verifier.scheduler.kernel.lanes import look
from quota_verifier.scheduler.kernel.layout import Row

OLDEST_HEAD, DECLARATION, ROUND_ROBIN, LEAST_USED = range(4)

_BILLION = 10**9
_LAST = 1 << 62


@merged
def visit(w: Row) -> int:
    """Write the shares that have waiting jobs to `order`; how many."""
    count = w.active
    if count == 1:
        at.order(w, 0).value = at.active(w, 0).value
    else:
        _sort(w, count)
    return count


@called
def _sort(w: Row, count: int) -> None:
    """Sort them where they stand: they are nearly in order since the last time."""
    for i in range(count):
        row = at.active(w, i).value
        at.shares(w, row).key = _key(w, row)
    for i in range(1, count):
        row = at.active(w, i).value
        place = i
        while place > 0 and _goes_first(w, row, at.active(w, place - 1).value):
            at.active(w, place).value = at.active(w, place - 1).value
            place -= 1
        at.active(w, place).value = row
    for i in range(count):
        row = at.active(w, i).value
        at.shares(w, row).active_at = i
        at.order(w, i).value = row


@inlined
def _goes_first(w: Row, share: int, other: int) -> bool:
    key, other_key = at.shares(w, share).key, at.shares(w, other).key
    return key < other_key or (key == other_key and share < other)


@inlined
def _key(w: Row, share: int) -> int:
    if w.share_order == OLDEST_HEAD:
        look(w, share)
        return at.queued(w, at.heads(w, at.shares(w, share).lane_first).value).value
    if w.share_order == ROUND_ROBIN:
        count = w.share_count
        return (share - w.last_share - 1 + count) % count
    if w.share_order == LEAST_USED:
        return _used_part(w, share)
    return 0


@called
def _used_part(w: Row, share: int) -> int:
    """The fullest unit's usage in billionths of its limit; usage without any limit comes last."""
    most, last = 0, 0
    first = share * w.unit_count
    for row in range(first, first + w.unit_count):
        quota = at.quotas(w, row)
        if quota.limit:
            most = max(most, quota.usage * _BILLION // quota.limit)
        elif quota.usage:
            last = _LAST
    return most + last


@inlined
def borrows_since(w: Row, job: int) -> int:
    """First in, first out over the whole queue, by the time that A3 names."""
    if w.by_head_since and at.rare(w, job).has_head_since:
        return at.rare(w, job).head_since
    return at.queued(w, job).value
