"""What a preemptor would still lack once some jobs have left: the bookkeeping of a search for victims (R17).

For each share and unit of the preemptor's demand, `freed` is what the jobs free that are stopping already
or were chosen, `gone` what the chosen ones free, and `leaving` how many there are in the share.
"""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.capacity import available, keeps_idle, limit_claimed
from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.layout import Row

OWN_LIMIT, HELD_NOW, HARD_CAP = range(3)
"""What a preemptor may bring its share to; HELD_NOW is no more than it holds, where that is above its limit."""


@called
def start_search(w: Row, head: int) -> None:
    """Forget the search before."""
    lane = at.lanes(w, at.jobs(w, head).lane)
    width = lane.ask_last - lane.ask_first
    for s in range(w.share_count):
        at.shares(w, s).leaving = 0
        for k in range(s * w.width, s * w.width + width):
            at.freed(w, k).all = 0
            at.freed(w, k).chosen = 0


@called
def collect_leaving(w: Row, head: int) -> int:
    """Count in the stopping jobs on the head's units whose capacity is not yet meant for anybody; how many."""
    count = 0
    for i in range(w.stopping):
        job = at.stopping(w, i).value
        if at.rare(w, job).released_for == 0 and shares_unit(w, head, job):
            move(w, head, job, 1, False)
            at.taken(w, count).value = job
            count += 1
    return count


@called
def shares_unit(w: Row, head: int, job: int) -> bool:
    """Whether two jobs ask for a common unit."""
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    for i in range(lane.ask_first, lane.ask_last):
        for k in range(other.ask_first, other.ask_last):
            if at.asks(w, i).unit == at.asks(w, k).unit:
                return True
    return False


@called
def move(w: Row, head: int, job: int, sign: int, chosen: bool) -> None:
    """Count a job among those that leave (+1), or no more (-1)."""
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    first = other.share * w.width
    at.shares(w, other.share).leaving += sign
    for i in range(lane.ask_first, lane.ask_last):
        for k in range(other.ask_first, other.ask_last):
            if at.asks(w, i).unit == at.asks(w, k).unit:
                at.freed(w, first + i - lane.ask_first).all += sign * at.asks(w, k).count
                if chosen:
                    at.freed(w, first + i - lane.ask_first).chosen += sign * at.asks(w, k).count


@called
def find_lacking(w: Row, head: int, bound: int) -> int:
    """Mark in `lacks` the units on which the head could not start within its bound and V; how many."""
    lane = at.lanes(w, at.jobs(w, head).lane)
    count = 0
    for i in range(lane.ask_first, lane.ask_last):
        ask = at.asks(w, i)
        quota = at.quotas(w, lane.quota - lane.unit + ask.unit)
        used = quota.usage + limit_claimed(w, head, i)
        used -= at.freed(w, lane.share * w.width + i - lane.ask_first).all
        short = used + ask.count > _most(quota, bound) or ask.count > _room(w, head, i)
        ask.lacks = short
        count += int(short)
    return count


@inlined
def _most(quota: Row, bound: int) -> int:
    if bound == OWN_LIMIT:
        return quota.limit
    if bound == HELD_NOW:
        return min(max(quota.limit, quota.usage), quota.cap)
    return quota.cap


@called
def _room(w: Row, head: int, ask_row: int) -> int:
    """V on the unit of an ask once the leaving jobs have left.

    The shares they leave may then hold back idle capacity that they do not hold back now.
    """
    lane = at.lanes(w, at.jobs(w, head).lane)
    unit = at.asks(w, ask_row).unit
    k = ask_row - lane.ask_first
    room = available(w, head, ask_row)
    for s in range(w.share_count):
        if at.shares(w, s).leaving:
            freed = at.freed(w, s * w.width + k).all
            room += freed
            if s != lane.share:
                quota = at.quotas(w, s * w.unit_count + unit)
                after = 0
                if keeps_idle(w, s, True):
                    after = max(0, quota.limit - quota.usage + freed)
                room -= after - quota.held
    return room


@inlined
def is_over(w: Row, share: int, unit: int, k: int) -> bool:
    """X > 0, counted after the jobs that are stopping and the victims already chosen (R13)."""
    quota = at.quotas(w, share * w.unit_count + unit)
    return quota.usage - quota.stopping - at.freed(w, share * w.width + k).chosen > quota.limit
