"""Where a bound is less than the limits seem to promise: over-promised shares, gangs, heads that block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quota_verifier.bounds.neighbours import neighbours
from quota_verifier.bounds.records import Bound, Shortfall
from quota_verifier.bounds.setting import Setting, borrowable, guarantee, within_reach
from quota_verifier.model import Share


def shortfalls(setting: Setting, share: Share, unit: str, bounds: Sequence[Bound]) -> tuple[Shortfall, ...]:
    """What does not hold for `share` on `unit`, in the order of the bounds."""
    if not setting.queue.environment.enabled:
        return (Shortfall("guaranteed", "disabled", "the environment is DISABLED: nothing new starts"),)
    return (
        *_disabled(setting, share),
        *_over_promised(setting, share, unit),
        *_head_of_line(setting, share, unit),
        *_nobody_lends(setting, share, unit),
        *_never_starts(setting, share, unit),
        *_gangs(setting, share, unit),
        *_without_time(bounds),
    )


def _disabled(setting: Setting, share: Share) -> Iterator[Shortfall]:
    for what, enabled in ((f"{share.name}", share.enabled), ("the queue", setting.queue.enabled)):
        if not enabled:
            text = f"{what} is DISABLED: it takes no new jobs, and the bounds are those of jobs that it has"
            yield Shortfall("guaranteed", "disabled", text)


def _over_promised(setting: Setting, share: Share, unit: str) -> Iterator[Shortfall]:
    limit, sure = share.limit(unit), guarantee(setting, share, unit)
    promised, capacity = setting.queue.promised(unit), setting.queue.environment.limit(unit)
    if not capacity:
        text = f"the environment has none of it: the limit of {limit} can never be used"
        yield Shortfall("guaranteed", "over-promised", text)
    elif sure < limit:
        text = (
            f"{sure} of {limit} guaranteed: the shares were promised {promised} of {capacity}. Jobs above that may "
            "wait until other owners' jobs end, for which there is no bound"
        )
        yield Shortfall("guaranteed", "over-promised", text)


def _head_of_line(setting: Setting, share: Share, unit: str) -> Iterator[Shortfall]:
    sure, largest = guarantee(setting, share, unit), setting.jobs(share).largest.get(unit, 0)
    blocking = setting.assumptions.head_blocking
    if largest > sure and blocking != "skip":
        text = (
            f"jobs of up to {largest} are larger than the {sure} guaranteed: one that heads the share waits until "
            f"others leave it room, and what is behind it waits too (A1={blocking})"
        )
        yield Shortfall("guaranteed", "head-of-line", text)


def _nobody_lends(setting: Setting, share: Share, unit: str) -> Iterator[Shortfall]:
    allowed = share.borrow_cap(unit, setting.assumptions.borrow_rounding)
    if allowed == 0 or setting.queue.environment.limit(unit) == 0:
        return
    if not borrowable(setting, share, unit):
        text = "may borrow, but there is never anything to borrow: what others own is kept, or promised twice"
        yield Shortfall("most-borrowed", "nobody-lends", text)


def _never_starts(setting: Setting, share: Share, unit: str) -> Iterator[Shortfall]:
    admitted, reach = setting.largest(share, unit), within_reach(setting, share, unit)
    if reach < admitted:
        text = (
            f"jobs of {reach + 1} to {admitted} are accepted (R21) and never start: others keep what they would need"
            if reach + 1 < admitted
            else f"jobs of {admitted} are accepted (R21) and never start: others keep what they would need"
        )
        yield Shortfall("largest-job", "never-starts", text)


def _gangs(setting: Setting, share: Share, unit: str) -> Iterator[Shortfall]:
    limit, size = share.limit(unit), setting.largest_coming(share, unit)
    if size > 1 and borrowable(setting, share, unit):
        text = (
            f"a job of up to {size} may lie partly on borrowed capacity; it is taken back whole, and its share is left "
            f"with as little as {max(0, limit + 1 - size)} of its limit of {limit}"
        )
        yield Shortfall("kept", "gangs", text)
    elif len(neighbours(setting, share, unit).units) > 1 and borrowable(setting, share, unit):
        text = "jobs on several units are taken back whole, from this unit too where only another one is contested"
        yield Shortfall("kept", "gangs", text)


def _without_time(bounds: Sequence[Bound]) -> Iterator[Shortfall]:
    for bound in bounds:
        blamed = [condition for condition in bound.conditions if condition.holds is False]
        if bound.name == "reclaimed-within" and blamed and blamed[0].id != "something-guaranteed":
            text = f"no bound on the time until it is back: {bound.explanation}"
            yield Shortfall(bound.name, "assumption", text)
