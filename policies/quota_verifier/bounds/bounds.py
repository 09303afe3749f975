"""All bounds of a queue: for every share and every unit that it lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from quota_verifier.bounds.capacity import capacity_bounds
from quota_verifier.bounds.reclaim import time_bounds
from quota_verifier.bounds.records import Bound, Elsewhere, UnitBounds
from quota_verifier.bounds.setting import Setting
from quota_verifier.bounds.shortfalls import shortfalls
from quota_verifier.bounds.sizes import KnownJobs, check_known
from quota_verifier.model import Queue, Share
from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions, assume
from quota_verifier.scheduler.timing import Timing

VALUES_REST_ON = ("A1", "A4", "A5", "A6", "A10")
"""The questions whose answers can change a value; no bound rests on the order of shares or of victims."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a queue, by share and unit in order of declaration, and what they follow from."""

    setting: Setting
    units: tuple[UnitBounds, ...]

    def of(self, share: str, unit: str) -> UnitBounds:
        """The bounds of a share on a unit that it lists. Raises KeyError for others."""
        for found in self.units:
            if (found.share, found.unit) == (share, unit):
                return found
        raise KeyError((share, unit))


def bounds_of(
    queue: Queue,
    *,
    assumptions: Assumptions | None = None,
    timing: Timing | None = None,
    known: KnownJobs | None = None,
) -> Bounds:
    """What holds of `queue` whatever jobs come, or whatever jobs that are as `known` says.

    Each bound also tells its value under every single other answer to an open question that changes it.
    Raises InputError for sizes of unknown shares.
    """
    setting = Setting(queue, assumptions or Assumptions(), timing or Timing(), known or KnownJobs())
    check_known(queue, setting.known)
    others = _other_answers(setting)
    return Bounds(
        setting, tuple(_unit_bounds(setting, others, share, unit) for share in queue.shares for unit in share.limits)
    )


def plain_bounds(setting: Setting, share: Share, unit: str) -> tuple[Bound, ...]:
    """The bounds of one share on one unit under the setting's own answers."""
    return (*capacity_bounds(setting, share, unit), *time_bounds(setting, share, unit))


def _unit_bounds(setting: Setting, others: Mapping[str, Setting], share: Share, unit: str) -> UnitBounds:
    bounds = plain_bounds(setting, share, unit)
    turns: dict[str, list[Elsewhere]] = {bound.name: [] for bound in bounds}
    for answer, other in others.items():
        for bound, changed in zip(bounds, plain_bounds(other, share, unit), strict=True):
            if changed.value != bound.value:
                turns[bound.name].append(Elsewhere(answer, changed.value))
    told = tuple(replace(bound, elsewhere=tuple(turns[bound.name])) for bound in bounds)
    return UnitBounds(share.name, unit, told, shortfalls(setting, share, unit, told))


def _other_answers(setting: Setting) -> dict[str, Setting]:
    """The setting under each single other answer that can change a value, by that answer."""
    own = setting.assumptions.as_choices()
    return {
        f"{question.id}={choice}": setting.under(assume([f"{question.id}={choice}"], setting.assumptions))
        for question in QUESTIONS
        if question.id in VALUES_REST_ON
        for choice in question.choices
        if choice != own[question.id]
    }
