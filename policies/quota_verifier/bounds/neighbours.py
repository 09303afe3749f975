"""Who can get between an owner and its capacity: the shares that borrow on its units."""

from __future__ import annotations

from dataclasses import dataclass

from quota_verifier.bounds.setting import Setting, borrowable, uses
from quota_verifier.model import Share


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The other shares on `units`, which are the unit in question and those that jobs tie to it.

    `others` have a limit on one of them and jobs there; `borrowers` can hold more than their limit.
    """

    units: tuple[str, ...]
    others: tuple[Share, ...]
    borrowers: tuple[Share, ...]


def neighbours(setting: Setting, share: Share, unit: str) -> Neighbours:
    """The other shares that jobs of `share` on `unit` may have to do with."""
    units = tied_units(setting, unit)
    others = tuple(
        other
        for other in setting.queue.shares
        if other.name != share.name and any(other.limit(each) and uses(setting, other, each) for each in units)
    )
    borrowers = tuple(
        other
        for other in others
        if any(uses(setting, other, each) and borrowable(setting, other, each) for each in units)
    )
    return Neighbours(units, others, borrowers)


def tied_units(setting: Setting, unit: str) -> tuple[str, ...]:
    """`unit` and every unit that jobs on several units tie to it, in the order of the queue's units."""
    tied = {unit}
    shapes = [shape for share in setting.queue.shares for shape in setting.jobs(share).shapes]
    growing = True
    while growing:
        reached = {each for shape in shapes if not tied.isdisjoint(shape) for each in shape}
        growing = not reached <= tied
        tied |= reached
    return tuple(each for each in setting.queue.units if each in tied)


def over_promised(setting: Setting, units: tuple[str, ...]) -> bool:
    """Whether the shares were promised more of one of `units` than the environment has."""
    queue = setting.queue
    return any(queue.promised(unit) > queue.environment.limit(unit) for unit in units)


def longest_stop(setting: Setting, shares: tuple[Share, ...], units: tuple[str, ...]) -> int:
    """The longest stop time, in ms, of a job of `shares` on one of `units`."""
    stops = (
        setting.timing.stop.of(shape)
        for share in shares
        for shape in setting.jobs(share).shapes
        if not set(units).isdisjoint(shape)
    )
    return max(stops, default=0)
