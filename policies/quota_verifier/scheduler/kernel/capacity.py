"""Usage, what shares hold back, and what a job could take (the reference's `capacity`)."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.layout import Row


@inlined
def charge(w: Row, lane_row: int, sign: int) -> None:
    """Add (+1) or release (-1) the demand of a job of the lane."""
    lane = at.lanes(w, lane_row)
    withholds = at.shares(w, lane.share).withholds
    if lane.ask_last - lane.ask_first == 1:
        _charge_unit(w, lane.quota, lane.unit, sign * lane.count, withholds)
    else:
        row = lane.quota - lane.unit
        for i in range(lane.ask_first, lane.ask_last):
            ask = at.asks(w, i)
            _charge_unit(w, row + ask.unit, ask.unit, sign * ask.count, withholds)


@inlined
def _charge_unit(w: Row, quota_row: int, unit_row: int, change: int, withholds: int) -> None:
    quota, unit = at.quotas(w, quota_row), at.units(w, unit_row)
    used = quota.usage + change
    line = quota.limit + quota.stopping
    unit.over += int(used > line) - int(quota.usage > line)
    quota.usage = used
    spare = unit.spare - change
    if withholds:
        idle = max(0, quota.limit - used)
        spare += quota.held - idle
        quota.held = idle
    unit.spare = spare


@inlined
def set_stopping(w: Row, lane_row: int, sign: int) -> None:
    """Note that a job of the lane is being stopped (+1), or no more (-1)."""
    lane = at.lanes(w, lane_row)
    row = lane.quota - lane.unit
    for i in range(lane.ask_first, lane.ask_last):
        ask = at.asks(w, i)
        quota = at.quotas(w, row + ask.unit)
        was = int(quota.usage - quota.stopping > quota.limit)
        quota.stopping += sign * ask.count
        at.units(w, ask.unit).over += int(quota.usage - quota.stopping > quota.limit) - was


@inlined
def keeps_idle(w: Row, share_row: int, waiting: bool) -> bool:
    """Whether a share's idle capacity is kept from the others: RESERVE, A5 hold, A10 withheld."""
    share = at.shares(w, share_row)
    if share.reserves or (waiting and w.hold):
        return True
    return bool(w.withhold_disabled and not share.enabled)


@called
def refresh_held(w: Row, share_row: int) -> None:
    """Recompute what a share holds back after its configuration or its waiting jobs changed."""
    share = at.shares(w, share_row)
    share.withholds = keeps_idle(w, share_row, share.waiting > 0)
    first = share_row * w.unit_count
    for u in range(w.unit_count):
        quota = at.quotas(w, first + u)
        idle = max(0, quota.limit - quota.usage) if share.withholds else 0
        at.units(w, u).spare += quota.held - idle
        quota.held = idle


@inlined
def within_own_limit(w: Row, job: int) -> bool:
    """U + D <= L on each unit of the demand (R12)."""
    lane = at.lanes(w, at.jobs(w, job).lane)
    if lane.ask_last - lane.ask_first == 1:
        quota = at.quotas(w, lane.quota)
        return quota.usage + lane.count <= quota.limit
    row = lane.quota - lane.unit
    for i in range(lane.ask_first, lane.ask_last):
        ask = at.asks(w, i)
        quota = at.quotas(w, row + ask.unit)
        if quota.usage + ask.count > quota.limit:
            return False
    return True


@inlined
def within_hard_cap(w: Row, job: int) -> bool:
    """U + D <= M on each unit, and no more than R21 lets ever start (R15)."""
    lane = at.lanes(w, at.jobs(w, job).lane)
    if not lane.fits_ever:
        return False
    row = lane.quota - lane.unit
    for i in range(lane.ask_first, lane.ask_last):
        ask = at.asks(w, i)
        quota = at.quotas(w, row + ask.unit)
        if quota.usage + ask.count > quota.cap:
            return False
    return True


@inlined
def has_room(w: Row, job: int) -> bool:
    """D <= V on each unit of the demand."""
    lane = at.lanes(w, at.jobs(w, job).lane)
    for i in range(lane.ask_first, lane.ask_last):
        if at.asks(w, i).count > available(w, job, i):
            return False
    return True


@inlined
def available(w: Row, job: int, ask_row: int) -> int:
    """V of the job's share on the unit of an ask."""
    lane = at.lanes(w, at.jobs(w, job).lane)
    unit = at.asks(w, ask_row).unit
    return at.units(w, unit).spare + at.quotas(w, lane.quota - lane.unit + unit).held
