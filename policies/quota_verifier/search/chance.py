"""Choices by chance, the same on every machine: all rest on `random.Random.random()`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from quota_verifier.workload.draws import uniform

T = TypeVar("T")
GRAINS = (60_000, 1_000, 1)
"""Times are rounded to whole minutes, else to whole seconds, else to milliseconds."""


def pick(source: Random, items: Sequence[T]) -> T:
    """One of `items`, all alike."""
    return items[uniform(source, 0, len(items) - 1)]


def chance(source: Random, one_in: int) -> bool:
    """True once in so many times."""
    return uniform(source, 1, one_in) == 1


def time_between(source: Random, low: int, high: int) -> int:
    """A time from `low` to `high`: often one of the ends, else on whole minutes or seconds where there are some."""
    if low >= high or chance(source, 3):
        return low
    if chance(source, 3):
        return high
    drawn = uniform(source, low, high)
    grain = GRAINS[0] if high - low >= 10 * GRAINS[0] else GRAINS[1]
    rounded = drawn // grain * grain
    return rounded if low <= rounded else drawn


def some_of(source: Random, values: Sequence[int]) -> int:
    """One of ascending values: often the least or the greatest."""
    if len(values) == 1 or chance(source, 3):
        return values[0]
    return values[-1] if chance(source, 3) else pick(source, values)
