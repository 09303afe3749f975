"""What a job would still lack once some jobs have left, and claimants have got theirs (R14, R17).

A search counts, for each share and unit of the job's demand, what the jobs free that leave, what the victims
among them free, and what claimants are to get.
"""

from __future__ import annotations

from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.capacity import available, keeps_idle
from quota_verifier.scheduler.kernel.claims import goes_before
from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.layout import FOREVER, STOPPING, Row

OWN_LIMIT, HELD_NOW, HARD_CAP = range(3)
"""What a job may bring its share to; HELD_NOW is no more than it holds, where that is above its limit."""


@called
def leaves_claims(w: Row, job: int, bound: int, owner: bool) -> bool:
    """R14: whether each claimant gets enough of what was stopping when it claimed, if `job` starts now.

    What began to stop later comes too late for it. Claimants stand in the order of their claims.
    """
    _forget_search(w, job)
    seen = 0
    for i in range(w.claims):
        other = at.claims(w, i).value
        if other != job and goes_before(w, other, job, owner):
            _count_claimant(w, job, other)
            last = at.rare(w, other).claimed_at
            _count_stopping(w, job, seen, last)
            seen = last
            if find_lacking(w, job, bound):
                return False
    return True


@called
def start_search(w: Row, head: int, owner: bool) -> None:
    """Forget the search before, and count the claimants in."""
    _forget_search(w, head)
    for i in range(w.claims):
        other = at.claims(w, i).value
        if other != head and goes_before(w, other, head, owner):
            _count_claimant(w, head, other)


@called
def _forget_search(w: Row, head: int) -> None:
    lane = at.lanes(w, at.jobs(w, head).lane)
    width = lane.ask_last - lane.ask_first
    for s in range(w.share_count):
        share = at.shares(w, s)
        share.leaving = 0
        share.returning = 0
        share.claiming = 0
        for k in range(s * w.width, s * w.width + width):
            freed = at.freed(w, k)
            freed.all = 0
            freed.chosen = 0
            freed.claimed = 0


@called
def _count_claimant(w: Row, head: int, job: int) -> None:
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    at.shares(w, other.share).claiming += 1
    for i in range(lane.ask_first, lane.ask_last):
        for k in range(other.ask_first, other.ask_last):
            if at.asks(w, i).unit == at.asks(w, k).unit:
                at.freed(w, other.share * w.width + i - lane.ask_first).claimed += at.asks(w, k).count


@called
def _count_stopping(w: Row, head: int, after: int, last: int) -> None:
    """Count among those that leave the jobs whose stops began after the one and until the other claim."""
    for i in range(w.stopping):
        job = at.stopping(w, i).value
        if after < at.rare(w, job).stop_order <= last:
            move(w, head, job, 1, False)


@called
def count_all_stopping(w: Row, head: int) -> None:
    """Count all stopping jobs among those that leave."""
    _count_stopping(w, head, 0, FOREVER)


@called
def count_stopping(w: Row, head: int, in_claiming_shares: bool) -> None:
    """Count among those that leave the jobs that stop in the head's share and in those of claimants, or elsewhere."""
    own = at.lanes(w, at.jobs(w, head).lane).share
    for i in range(w.stopping):
        job = at.stopping(w, i).value
        share = at.lanes(w, at.jobs(w, job).lane).share
        if (share == own or at.shares(w, share).claiming > 0) == in_claiming_shares:
            move(w, head, job, 1, False)


@called
def move(w: Row, head: int, job: int, sign: int, chosen: bool) -> None:
    """Count a job among those that leave (+1), or no more (-1)."""
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    share, first = at.shares(w, other.share), other.share * w.width
    share.leaving += sign
    if _comes_back(w, job):
        share.returning += sign
    for i in range(lane.ask_first, lane.ask_last):
        for k in range(other.ask_first, other.ask_last):
            if at.asks(w, i).unit == at.asks(w, k).unit:
                freed = at.freed(w, first + i - lane.ask_first)
                freed.all += sign * at.asks(w, k).count
                if chosen:
                    freed.chosen += sign * at.asks(w, k).count


@inlined
def _comes_back(w: Row, job: int) -> bool:
    """Whether a job that is preempted, or being stopped, will wait again (R5)."""
    record = at.jobs(w, job)
    if record.phase == STOPPING and at.spans(w, record.row - 1).how == codes.HOW_TERMINATED:
        return False
    retries = at.retries(w, job * w.retries_step).value
    return retries < 0 or record.preemptions < retries


@called
def find_lacking(w: Row, head: int, bound: int) -> int:
    """Mark in `lacks` the units on which the head could not start within its bound and V; how many."""
    lane = at.lanes(w, at.jobs(w, head).lane)
    count = 0
    for i in range(lane.ask_first, lane.ask_last):
        ask = at.asks(w, i)
        quota = at.quotas(w, lane.quota - lane.unit + ask.unit)
        freed = at.freed(w, lane.share * w.width + i - lane.ask_first)
        used = quota.usage - freed.all + freed.claimed
        short = used + ask.count > _most(quota, bound) or ask.count > _room(w, head, i)
        ask.lacks = short
        count += int(short)
    return count


@inlined
def _most(quota: Row, bound: int) -> int:
    if bound == OWN_LIMIT:
        return quota.limit
    if bound == HELD_NOW:
        return min(max(quota.limit, quota.usage - quota.stopping), quota.cap)
    return quota.cap


@called
def _room(w: Row, head: int, ask_row: int) -> int:
    """V on the unit of an ask once the leaving jobs have left, less what claimants are to get.

    The shares they leave may then hold back idle capacity that they do not hold back now. What a claimant's
    share holds back counts towards its claim.
    """
    lane = at.lanes(w, at.jobs(w, head).lane)
    unit = at.asks(w, ask_row).unit
    k = ask_row - lane.ask_first
    room = available(w, head, ask_row)
    for s in range(w.share_count):
        share = at.shares(w, s)
        if share.leaving or share.claiming:
            freed = at.freed(w, s * w.width + k)
            room += freed.all
            if s == lane.share:
                room -= freed.claimed
            else:
                quota = at.quotas(w, s * w.unit_count + unit)
                kept = 0
                if keeps_idle(w, s, share.waiting > 0 or share.returning > 0):
                    kept = max(0, quota.limit - quota.usage + freed.all)
                room += quota.held - max(kept, freed.claimed)
    return room


@inlined
def is_over(w: Row, share: int, unit: int, k: int) -> bool:
    """X > 0, counted after the jobs that are stopping and the victims already chosen (R13)."""
    quota = at.quotas(w, share * w.unit_count + unit)
    return quota.usage - quota.stopping - at.freed(w, share * w.width + k).chosen > quota.limit
