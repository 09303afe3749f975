"""Bounds in instances: what a share is sure of, what it can borrow, run in one job, and keep."""

from __future__ import annotations

from quota_verifier.bounds.records import Bound
from quota_verifier.bounds.setting import (
    STAYS,
    Setting,
    any_size,
    borrowable,
    contested,
    guarantee,
    keeps_idle,
    kept_by_others,
    runs,
    usable_unassigned,
    within_reach,
)
from quota_verifier.model import Share

PLACES_NOTHING = "the environment is DISABLED and places nothing"


def capacity_bounds(setting: Setting, share: Share, unit: str) -> tuple[Bound, Bound, Bound, Bound]:
    """`guaranteed`, `most-borrowed`, `largest-job` and `kept` of `share` on `unit`."""
    return (
        _guaranteed(setting, share, unit),
        _most_borrowed(setting, share, unit),
        _largest_job(setting, share, unit),
        _kept(setting, share, unit),
    )


def _guaranteed(setting: Setting, share: Share, unit: str) -> Bound:
    queue, value, limit = setting.queue, guarantee(setting, share, unit), share.limit(unit)
    capacity, promised = queue.environment.limit(unit), queue.promised(unit)
    if not queue.environment.enabled:
        told = PLACES_NOTHING
    elif promised <= capacity:
        told = f"its whole limit: all shares were promised {promised} of {capacity}"
    else:
        others = contested(setting, share, unit)
        whom = "others that keep theirs were" if others < promised - limit else "the others were"
        told = f"of {capacity} in the environment, less {others} that {whom} promised"
    return Bound("guaranteed", "instances", value, told, (STAYS,), tight=_no_more_is_sure(setting, share, unit))


def _no_more_is_sure(setting: Setting, share: Share, unit: str) -> bool:
    """Whether the others can really use all that they were promised, so that nothing is left above the guarantee."""
    spare = share.strategy.borrows and usable_unassigned(setting, unit)
    return (
        not spare
        and setting.queue.enabled
        and all(each.enabled and any_size(setting, each) for each in setting.queue.shares)
    )


def _most_borrowed(setting: Setting, share: Share, unit: str) -> Bound:
    value = borrowable(setting, share, unit)
    tight = not value or (runs(setting, share) and any_size(setting, share))
    return Bound("most-borrowed", "instances", value, _why_borrowed(setting, share, unit), (STAYS,), tight=tight)


def _why_borrowed(setting: Setting, share: Share, unit: str) -> str:
    rounding = setting.assumptions.borrow_rounding
    cap = share.borrow_cap(unit, rounding)
    if not setting.queue.environment.enabled:
        return PLACES_NOTHING
    if not share.strategy.borrows:
        return f"a {share.strategy} share does not borrow"
    if cap == 0:
        what = f"{share.borrow_limit} % of {share.limit(unit)}"
        return "its borrow limit is 0" if not share.borrow_limit else f"{what} is no whole instance (A4={rounding})"
    allowed = "its borrow limit is unlimited" if cap is None else f"its borrow limit allows {cap}"
    return f"{allowed}, and {_reach(setting, share, unit)} are above its limit of {share.limit(unit)}"


def _reach(setting: Setting, share: Share, unit: str) -> str:
    """`of 3 in the environment, less 1 that others keep, 1`."""
    queue = setting.queue
    kept = kept_by_others(setting, share, unit)
    less = f", less {kept} that others keep" if kept else ""
    if queue.unassigned(unit):
        usable = setting.assumptions.unassigned_capacity
        less += f", less {queue.unassigned(unit)} that no share owns (A6)" if usable == "unusable" else ""
    above = max(0, within_reach(setting, share, unit) - share.limit(unit))
    return f"of {queue.environment.limit(unit)} in the environment{less}, {above}"


def _largest_job(setting: Setting, share: Share, unit: str) -> Bound:
    admitted, reach = setting.largest(share, unit), within_reach(setting, share, unit)
    if not setting.queue.environment.enabled:
        told = PLACES_NOTHING
    elif reach < admitted:
        told = f"R21 admits {admitted}, but no more than {reach} can ever be free for it"
    else:
        told = f"the largest that R21 admits: {_admitted(setting, share, unit)}"
    return Bound("largest-job", "instances", min(admitted, reach), told, (STAYS,), tight=runs(setting, share))


def _admitted(setting: Setting, share: Share, unit: str) -> str:
    limit, queue = share.limit(unit), setting.queue
    parts = [f"environment {queue.environment.limit(unit)}"]
    if not share.strategy.borrows:
        return f"{parts[0]}, limit {limit}"
    cap = share.hard_cap(unit, setting.assumptions.borrow_rounding)
    parts.append(f"limit {limit} and what others lend {limit + queue.borrowable(share.name, unit)}")
    if cap is not None:
        parts.append(f"limit and borrow limit {cap}")
    return ", ".join(parts)


def _kept(setting: Setting, share: Share, unit: str) -> Bound:
    """What a reclaim leaves: it takes a job only while the share is over its limit, but takes it whole."""
    limit = share.limit(unit)
    shapes = [shape for shape in setting.jobs(share).shapes if unit in shape]
    if not any(borrowable(setting, share, each) for shape in shapes for each in shape):
        told = "it never holds more than its limit, so no other share can take anything from it"
        return Bound("kept", "instances", limit, told, (STAYS,))
    if any(len(shape) > 1 for shape in shapes):
        told = "a job on several units goes whole where only one of them is contested"
        return Bound("kept", "instances", 0, told, (STAYS,))
    size = max(1, setting.largest_coming(share, unit))
    told = f"a reclaim takes a job only while the share is over its limit of {limit}, but whole; the largest has {size}"
    tight = _gang_goes_first(setting, size) and _owner_returns(setting, share, unit)
    return Bound("kept", "instances", max(0, limit + 1 - size), told, (STAYS,), tight=tight)


def _gang_goes_first(setting: Setting, size: int) -> bool:
    """Whether the order of victims (A7) can take a gang before the smaller jobs beside it."""
    return size == 1 or setting.assumptions.victim_order not in ("smallest", "least-work-lost")


def _owner_returns(setting: Setting, share: Share, unit: str) -> bool:
    """Whether the others can come to need the last instance that `share` borrowed of them."""
    queue = setting.queue
    others = [other for other in queue.shares if other.name != share.name and other.limit(unit)]
    return (
        all(runs(setting, each) and any_size(setting, each) for each in (share, *others))
        and any(not keeps_idle(setting, other) for other in others)
        and queue.promised(unit) <= queue.environment.limit(unit)
        and not usable_unassigned(setting, unit)
    )
