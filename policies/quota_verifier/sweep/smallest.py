"""The smallest capacity that meets the policies.

More capacity is not always better: whole instances are divided anew among the shares, and a job that starts
earlier can be in another's way. So nothing is concluded from a capacity about those that were not tried, and
each search says which ones were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from quota_verifier.sweep.plan import Plan
from quota_verifier.sweep.scaling import Dial
from quota_verifier.sweep.unit import Unit, UnitResult
from quota_verifier.sweep.variants import Variant, notes_on

Method = Literal["scan", "bisect"]

NEIGHBOURS = 3
"""Capacities right below the one that bisection finds that are tried as well."""

Judge = Callable[[Sequence[Unit]], Mapping[str, UnitResult]]
"""Runs units and returns all results there are, by key."""


@dataclass(frozen=True, slots=True)
class Smallest:
    """What a search found for a variant: the least capacity that meets the policies, or None.

    `tried` says of every capacity that counts why it does not meet them; empty for one that does. `low` and
    `high` are the range that was searched, `now` the capacity that the variant has. A search that was
    interrupted is not `finished`, and what it found is not the least.
    """

    variant: Variant
    dial: Dial
    method: Method
    low: int
    high: int
    now: int
    found: Variant | None
    capacity: int | None
    tried: Mapping[int, str]
    finished: bool = True

    @property
    def certain(self) -> bool:
        """Whether every lower capacity was tried and does not meet the policies."""
        below = range(self.low, self.high + 1 if self.capacity is None else self.capacity)
        return self.finished and all(self.tried.get(capacity) for capacity in below)


@dataclass(slots=True)
class Search:
    """A search under way. `tried` fills up, so that an interrupted one can still say what it knows."""

    plan: Plan
    variant: Variant
    dial: Dial
    high: int
    method: Method = "scan"
    tried: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def low(self) -> int:
        """The lowest legal capacity."""
        return self.dial.least(self.variant.queue)

    def at(self, capacity: int) -> Variant:
        """The variant with another capacity."""
        queue = self.dial.turned(self.variant.queue, capacity)
        name = f"{self.variant.name}, {self.dial.short}={capacity}"
        settings = {**self.variant.settings, self.dial.text: capacity}
        return Variant(name, queue, settings, notes_on(queue))

    def run(self, judge: Judge, width: int) -> None:
        """Try capacities until the search is over; `width` of them at one time where several are due."""
        if self.method == "scan":
            self._scan(judge, width)
        else:
            self._bisect(judge)

    def result(self, *, finished: bool = True) -> Smallest:
        """What is known by now."""
        capacity = min((capacity for capacity, why in self.tried.items() if not why), default=None)
        counted = {tried: why for tried, why in sorted(self.tried.items()) if capacity is None or tried <= capacity}
        return Smallest(
            variant=self.variant,
            dial=self.dial,
            method=self.method,
            low=self.low,
            high=self.high,
            now=self.dial.reading(self.variant.queue),
            found=None if capacity is None else self.at(capacity),
            capacity=capacity,
            tried=counted,
            finished=finished,
        )

    def _scan(self, judge: Judge, width: int) -> None:
        """Every capacity from the lowest up, until one meets the policies."""
        for start in range(self.low, self.high + 1, width):
            batch = range(start, min(start + width, self.high + 1))
            if any(self._try(batch, judge).values()):
                return

    def _bisect(self, judge: Judge) -> None:
        """Halve the range between one that does not meet the policies and one that does, then try the neighbours."""
        now = self.dial.reading(self.variant.queue)
        starts = [now, self.high] if self.low <= now < self.high else [self.high]
        meets = next((start for start in starts if self._meets(start, judge)), None)
        if meets is None:
            return
        fails = self.low - 1
        while True:
            while meets - fails > 1:
                middle = (fails + meets) // 2
                fails, meets = (fails, middle) if self._meets(middle, judge) else (middle, meets)
            below = next((near for near in self._neighbours(meets) if self._meets(near, judge)), None)
            if below is None:
                return
            fails = max((tried for tried, why in self.tried.items() if why and tried < below), default=self.low - 1)
            meets = below

    def _neighbours(self, capacity: int) -> Iterator[int]:
        yield from range(capacity - 1, max(self.low, capacity - NEIGHBOURS) - 1, -1)

    def _meets(self, capacity: int, judge: Judge) -> bool:
        if capacity not in self.tried:
            self._try([capacity], judge)
        return not self.tried[capacity]

    def _try(self, capacities: Sequence[int], judge: Judge) -> dict[int, bool]:
        """Judge each capacity by its first replications, and by the others where these are met."""
        units = {capacity: list(self.plan.units_of(self.at(capacity))) for capacity in capacities}
        first = {capacity: _first(of) for capacity, of in units.items()}
        results = judge([unit for of in first.values() for unit in of])
        rest = [unit for capacity, of in units.items() if not self._why(first[capacity], results) for unit in of]
        results = judge(rest)
        for capacity in capacities:
            why = self._why(first[capacity], results) or self._why(units[capacity], results)
            self.tried[capacity] = why
        return {capacity: not self.tried[capacity] for capacity in capacities}

    def _why(self, units: Sequence[Unit], results: Mapping[str, UnitResult]) -> str:
        """What the first unit that does not meet its policies says; empty where all do."""
        for unit in units:
            result = results[unit.key]
            if not result.ok:
                return _reason(unit, result)
        return ""


def _first(units: Sequence[Unit]) -> list[Unit]:
    """The first replication of each scenario."""
    firsts: dict[int, Unit] = {}
    for unit in units:
        firsts.setdefault(id(unit.policies), unit)
    return list(firsts.values())


def _reason(unit: Unit, result: UnitResult) -> str:
    if result.refused:
        return result.refused
    claims = [claim for policy in unit.policies for claim in policy.claims]
    claim, found = next(pair for pair in zip(claims, result.claims, strict=True) if pair[1].verdict != "holds")
    seed = "" if unit.jobs.seed is None else f" with seed {unit.jobs.seed}"
    if found.verdict == "depends":
        return f"{claim.text}: depends on an assumption{seed}"
    return f"{claim.text}: {found.text}{seed}"
