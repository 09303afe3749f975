"""R17 and A7: which jobs are preempted so that a waiting one can start."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.attempts import kept_if_stopped, progress
from quota_verifier.scheduler.kernel.compiled import called, inlined, merged
from quota_verifier.scheduler.kernel.layout import NOWHERE, Row
from quota_verifier.scheduler.kernel.placed import next_level
from quota_verifier.scheduler.kernel.search import find_lacking, is_over, move

BY_PRIORITY, LATEST, OLDEST, MOST_BORROWED, LEAST_WORK_LOST, SMALLEST = range(6)
"""The choices of A7."""

NONE_IS_ENOUGH = -1


@merged
def choose_victims(w: Row, head: int, bound: int, in_share: bool) -> int:
    """Write the victims to `taken` in the order of A7; how many, or NONE_IS_ENOUGH.

    A search must have been started, and the stopping jobs counted in.
    """
    missing = find_lacking(w, head, bound)
    if missing == 0:
        return 0
    lane = at.lanes(w, at.jobs(w, head).lane)
    for i in range(lane.ask_first, lane.ask_last):
        at.asks(w, i).contested = at.asks(w, i).lacks
    ranked_at_dispatch = w.victim_order <= OLDEST
    count = _walk_lists(w, head, bound, in_share) if ranked_at_dispatch else _walk_ranks(w, head, bound, in_share)
    if count == NONE_IS_ENOUGH:
        return count
    return _drop_needless(w, head, bound, count)


@merged
def _drop_needless(w: Row, head: int, bound: int, count: int) -> int:
    """Drop the last victim without which the head still fits, until there is none."""
    left = count
    needless = last_needless(w, head, bound, left)
    while needless >= 0:
        move(w, head, at.taken(w, needless).value, -1, True)
        for k in range(needless, left - 1):
            at.taken(w, k).value = at.taken(w, k + 1).value
        left -= 1
        needless = last_needless(w, head, bound, left)
    return left


@called
def last_needless(w: Row, head: int, bound: int, count: int) -> int:
    """The place of the last victim taken without which nothing would be lacking either (I6), or NOWHERE."""
    for i in range(count - 1, -1, -1):
        job = at.taken(w, i).value
        move(w, head, job, -1, True)
        lacking = find_lacking(w, head, bound)
        move(w, head, job, 1, True)
        if lacking == 0:
            return i
    return NOWHERE


@called
def _helps(w: Row, head: int, job: int, in_share: bool) -> bool:
    """Whether a candidate counts: it uses a missing unit, and for a reclaim its share is over its limit there (I4)."""
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    for i in range(lane.ask_first, lane.ask_last):
        k = i - lane.ask_first
        if at.asks(w, i).lacks:
            for a in range(other.ask_first, other.ask_last):
                if at.asks(w, a).unit == at.asks(w, i).unit and (
                    in_share or is_over(w, other.share, at.asks(w, i).unit, k)
                ):
                    return True
    return False


@merged
def _walk_lists(w: Row, head: int, bound: int, in_share: bool) -> int:
    """Take candidates from the ends of the lists of placed jobs: A7's orders that are known at dispatch."""
    single = at.lanes(w, at.jobs(w, head).lane).ask_last - at.lanes(w, at.jobs(w, head).lane).ask_first == 1
    for s in range(w.share_count):
        at.shares(w, s).cursor = NOWHERE
        if _may_give(w, head, s, in_share):
            _open_list(w, head, s, in_share, 0)
    count = 0
    while True:
        best = NOWHERE
        for s in range(w.share_count):
            if at.shares(w, s).cursor >= 0:
                if single and not in_share and not _may_give(w, head, s, in_share):
                    at.shares(w, s).cursor = NOWHERE
                elif best < 0 or _goes_first(w, s, best):
                    best = s
        if best < 0:
            return NONE_IS_ENOUGH
        job = at.shares(w, best).cursor
        _advance(w, head, best, in_share)
        if _helps(w, head, job, in_share):
            at.taken(w, count).value = job
            count += 1
            move(w, head, job, 1, True)
            if find_lacking(w, head, bound) == 0:
                return count


@called
def _may_give(w: Row, head: int, share: int, in_share: bool) -> bool:
    """Whether jobs of a share are candidates at all."""
    lane = at.lanes(w, at.jobs(w, head).lane)
    if in_share or share == lane.share:
        return in_share and share == lane.share
    for i in range(lane.ask_first, lane.ask_last):
        if is_over(w, share, at.asks(w, i).unit, i - lane.ask_first):
            return True
    return False


@called
def _open_list(w: Row, head: int, share: int, in_share: bool, level: int) -> None:
    """Put the share's cursor on the first candidate of `level` or the next one that has any."""
    if w.list_levels > 1:
        level = next_level(w, share, level)
        if level == w.list_levels or (in_share and level >= at.jobs(w, head).level):
            at.shares(w, share).cursor = NOWHERE
            return
    ends = at.lists(w, share * w.list_levels + level)
    at.shares(w, share).cursor_level = level
    at.shares(w, share).cursor = ends.first if w.victim_order == OLDEST else ends.last
    _pass_over(w, head, share, in_share)


@called
def _advance(w: Row, head: int, share: int, in_share: bool) -> None:
    job = at.jobs(w, at.shares(w, share).cursor)
    at.shares(w, share).cursor = job.next if w.victim_order == OLDEST else job.prev
    _pass_over(w, head, share, in_share)
    if at.shares(w, share).cursor < 0 and w.list_levels > 1:
        _open_list(w, head, share, in_share, at.shares(w, share).cursor_level + 1)


@called
def _pass_over(w: Row, head: int, share: int, in_share: bool) -> None:
    """In-share victims have strictly lower priority (I5)."""
    if in_share and w.list_levels == 1:
        while (
            at.shares(w, share).cursor >= 0 and at.jobs(w, at.shares(w, share).cursor).level >= at.jobs(w, head).level
        ):
            job = at.jobs(w, at.shares(w, share).cursor)
            at.shares(w, share).cursor = job.next if w.victim_order == OLDEST else job.prev


@inlined
def _goes_first(w: Row, share: int, other: int) -> bool:
    if at.shares(w, share).cursor_level != at.shares(w, other).cursor_level:
        return at.shares(w, share).cursor_level < at.shares(w, other).cursor_level
    row, other_row = at.jobs(w, at.shares(w, share).cursor).row, at.jobs(w, at.shares(w, other).cursor).row
    return row < other_row if w.victim_order == OLDEST else row > other_row


@merged
def _walk_ranks(w: Row, head: int, bound: int, in_share: bool) -> int:
    """Rank all candidates first: A7's orders that depend on the moment."""
    ranked = 0
    for s in range(w.share_count):
        if _may_give(w, head, s, in_share):
            job = at.lists(w, s).last
            if w.victim_order == MOST_BORROWED:
                _count_later(w, head, s)
            while job >= 0:
                if not in_share or at.jobs(w, job).level < at.jobs(w, head).level:
                    rank = at.ranks(w, ranked)
                    rank.first = _rank(w, head, job)
                    rank.row = -at.jobs(w, job).row
                    rank.job = job
                    ranked += 1
                elif w.victim_order == MOST_BORROWED:
                    _rank(w, head, job)
                job = at.jobs(w, job).prev
    for place in range(ranked // 2 - 1, -1, -1):
        _sink(w, place, ranked)
    count = 0
    while ranked > 0:
        job = at.ranks(w, 0).job
        ranked -= 1
        _swap(w, 0, ranked)
        _sink(w, 0, ranked)
        if _helps(w, head, job, in_share):
            at.taken(w, count).value = job
            count += 1
            move(w, head, job, 1, True)
            if find_lacking(w, head, bound) == 0:
                return count
    return NONE_IS_ENOUGH


@merged
def _count_later(w: Row, head: int, share: int) -> None:
    """Start counting a share's instances above its limit, from the latest dispatched back."""
    lane = at.lanes(w, at.jobs(w, head).lane)
    for i in range(lane.ask_first, lane.ask_last):
        quota = at.quotas(w, share * w.unit_count + at.asks(w, i).unit)
        at.asks(w, i).over = quota.usage - quota.stopping - quota.limit


@called
def _rank(w: Row, head: int, job: int) -> int:
    """The place of a candidate in the order of A7 before its dispatch is looked at; the lowest goes first."""
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    if w.victim_order == LEAST_WORK_LOST:
        total = 0
        for a in range(other.ask_first, other.ask_last):
            total += at.asks(w, a).count
        return (progress(w, job, w.now) - kept_if_stopped(w, job, w.now)) * total
    total = 0
    for i in range(lane.ask_first, lane.ask_last):
        if at.asks(w, i).contested:
            for a in range(other.ask_first, other.ask_last):
                if at.asks(w, a).unit == at.asks(w, i).unit:
                    if w.victim_order == SMALLEST:
                        total += at.asks(w, a).count
                    else:
                        total -= max(0, min(at.asks(w, a).count, at.asks(w, i).over))
                        at.asks(w, i).over -= at.asks(w, a).count
    return total


@called
def _sink(w: Row, place: int, count: int) -> None:
    while True:
        child = 2 * place + 1
        if child >= count:
            return
        if child + 1 < count and _lower(w, child + 1, child):
            child += 1
        if not _lower(w, child, place):
            return
        _swap(w, child, place)
        place = child


@inlined
def _lower(w: Row, one: int, other: int) -> bool:
    a, b = at.ranks(w, one), at.ranks(w, other)
    return a.first < b.first or (a.first == b.first and a.row < b.row)


@inlined
def _swap(w: Row, one: int, other: int) -> None:
    a, b = at.ranks(w, one), at.ranks(w, other)
    first, row, job = a.first, a.row, a.job
    a.first, a.row, a.job = b.first, b.row, b.job
    b.first, b.row, b.job = first, row, job
