"""How long lent capacity takes to come back: bounds from stop times and job sizes."""

from __future__ import annotations

from quota_verifier.bounds.capacity import PLACES_NOTHING
from quota_verifier.bounds.neighbours import Neighbours, longest_stop, neighbours, over_promised
from quota_verifier.bounds.records import Bound, BoundName, Condition
from quota_verifier.bounds.setting import (
    STAYS,
    Setting,
    any_size,
    borrowable,
    guarantee,
    keeps_idle,
    runs,
    usable_unassigned,
)
from quota_verifier.durations import format_duration
from quota_verifier.model import Share

IN_LINE = Condition("in-line", "they wait together, and no other job of the share goes before them", None)


def time_bounds(setting: Setting, share: Share, unit: str) -> tuple[Bound, Bound]:
    """`reclaimed-within` and `all-reclaimed-within` of `share` on `unit`."""
    around = neighbours(setting, share, unit)
    one = _settled(setting, share, unit, around) or _by_stopping(setting, share, unit, around)
    return one, _all(setting, share, unit, one)


def _settled(setting: Setting, share: Share, unit: str, around: Neighbours) -> Bound | None:
    """The bound where no stop time enters: nothing to wait for, or nothing guaranteed."""
    queue = setting.queue
    if not queue.environment.enabled:
        return _none(PLACES_NOTHING, (Condition("environment-enabled", "the environment is ENABLED", False),))
    if not guarantee(setting, share, unit):
        some = Condition("something-guaranteed", "some of the limit is guaranteed", False)
        others = "nothing is guaranteed, so its jobs may wait until other owners' jobs end"
        return _none(others if queue.environment.limit(unit) else "the environment has none of it", (some,))
    if not around.borrowers:
        return _at_once("no other share can hold more than its limit here, so there is nothing to take back")
    lends = _lends(setting, around)
    if keeps_idle(setting, share) and lends.holds:
        return _at_once("its idle capacity is never lent, so it is always there", lends)
    if not _stop(setting, share, around):
        return _at_once("jobs stop at once (stop 0s), so what a head lacks is taken back in the same pass")
    return None


def _at_once(explanation: str, *conditions: Condition) -> Bound:
    return Bound("reclaimed-within", "ms", 0, explanation, (STAYS, *conditions), tight=True)


def _none(why: str, conditions: tuple[Condition, ...]) -> Bound:
    return Bound("reclaimed-within", "ms", None, why, conditions)


def _stop(setting: Setting, share: Share, around: Neighbours) -> int:
    """The longest stop time of a job whose capacity a head of `share` may wait for, in ms."""
    return longest_stop(setting, (share, *around.others), around.units)


def _by_stopping(setting: Setting, share: Share, unit: str, around: Neighbours) -> Bound:
    conditions = (STAYS, _lends(setting, around), _one_head(setting, around))
    for condition in conditions:
        if condition.holds is False:
            return _none(_WHY_NONE[condition.id], conditions)
    stop = _stop(setting, share, around)
    told = (
        f"a head that fits preempts at once and starts when what it needs has stopped, within {format_duration(stop)}"
    )
    tight = _all_is_lent(setting, share, unit, around, 1)
    return Bound("reclaimed-within", "ms", stop, told, conditions, tight=tight)


def _all_is_lent(setting: Setting, share: Share, unit: str, around: Neighbours, amount: int) -> bool:
    """Whether borrowers can hold `amount` of what `share` owns while everybody else uses all that is theirs."""
    queue = setting.queue
    if len(around.units) > 1 or keeps_idle(setting, share) or over_promised(setting, around.units):
        return False
    room = sum(borrowable(setting, borrower, unit) for borrower in around.borrowers)
    busy = all(runs(setting, each) and any_size(setting, each) for each in queue.shares)
    return busy and room >= usable_unassigned(setting, unit) + amount


_WHY_NONE = {
    "lenders-lend": "another lender may start to keep idle capacity that was to be used, again and again",
    "one-head": "several heads of a share may preempt at different times, and one may wait for what another claims",
}


def _lends(setting: Setting, around: Neighbours) -> Condition:
    text = "idle capacity is lent although its owner waits for more (A5=lend), or only two shares meet"
    return Condition("lenders-lend", text, setting.assumptions.waiting_lender == "lend" or len(around.others) <= 1)


def _one_head(setting: Setting, around: Neighbours) -> Condition:
    blocking = setting.assumptions.head_blocking
    holds = blocking == "strict" or (blocking == "per-unit" and len(around.units) == 1)
    return Condition("one-head", "a share has one head at a time on these units (A1)", holds)


def _all(setting: Setting, share: Share, unit: str, one: Bound) -> Bound:
    """One head at a time: the jobs that fill the guarantee come back one after the other."""
    name: BoundName = "all-reclaimed-within"
    if one.value is None:
        return Bound(name, "ms", None, one.explanation, one.conditions)
    amount, size = guarantee(setting, share, unit), setting.jobs(share).smallest.get(unit, 1)
    count = amount // size
    if not count:
        fits = Condition("a-job-fits", "the smallest job fits what is guaranteed", False)
        return Bound(name, "ms", None, f"jobs of {size} or more do not fit the {amount} guaranteed", (fits,))
    if not one.value:
        return Bound(name, "ms", 0, one.explanation, one.conditions, tight=True)
    told = f"a share takes back for one head at a time, {count} at most with {size} or more each: {count} x "
    told += format_duration(one.value)
    tight = size == 1 and _all_is_lent(setting, share, unit, neighbours(setting, share, unit), amount)
    return Bound(name, "ms", count * one.value, told, (*one.conditions, IN_LINE), tight=tight)
