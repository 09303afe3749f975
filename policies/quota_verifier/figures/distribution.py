"""Nearest-rank statistics of whole numbers, with a place for what never came."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from quota_verifier.figures.columns import Ints

UNBOUNDED = 1 << 62
"""Stands for a time that never came; it ranks above every other."""

LEFT_OUT = -1
"""Stands for a job that the measure says nothing about."""

Statistic = Literal["min", "mean", "p50", "p90", "p95", "p99", "max"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)

_PERCENT: dict[str, int] = {"p50": 50, "p90": 90, "p95": 95, "p99": 99, "max": 100}


@dataclass(frozen=True, slots=True)
class Distribution:
    """A measure over `count` jobs, `never` of them without any bound (a job that never started).

    Percentiles are nearest-rank: the p-th of n is the value at place ceil(p * n / 100), so it is always
    a value that occurred. None means no value: there was no job, or the value is unbounded
    (`count` > 0). Times are in ms, slowdown in thousandths; the mean is exact.
    """

    count: int
    never: int
    min: int | None
    mean: Fraction | None
    p50: int | None
    p90: int | None
    p95: int | None
    p99: int | None
    max: int | None

    def statistic(self, name: Statistic) -> int | Fraction | None:
        """The value called `name`; None where it is unbounded or there was no job."""
        value: int | Fraction | None = getattr(self, name)
        return value


def distribution(values: Ints) -> Distribution:
    """The statistics of `values`, which hold LEFT_OUT and UNBOUNDED where there is no number."""
    counted = np.sort(values[values != LEFT_OUT])
    count = len(counted)
    if not count:
        return Distribution(0, 0, None, None, None, None, None, None, None)
    never = count - int(np.searchsorted(counted, UNBOUNDED))
    ranked = {name: _bounded(counted, rank(percent, count)) for name, percent in _PERCENT.items()}
    return Distribution(
        count=count,
        never=never,
        min=_bounded(counted, 1),
        mean=None if never else Fraction(exact_sum(counted), count),
        **ranked,
    )


def rank(percent: int, count: int) -> int:
    """The place, from 1, of the nearest-rank percentile among `count` values in ascending order."""
    return max(1, -(-percent * count // 100))


def exact_sum(values: Ints) -> int:
    """The sum of non-negative `values` as a Python integer, which cannot overflow."""
    if not len(values):
        return 0
    if int(values.max()) * len(values) < UNBOUNDED:
        return int(values.sum())
    return sum(values.tolist())


def _bounded(ordered: Ints, place: int) -> int | None:
    value = int(ordered[place - 1])
    return None if value == UNBOUNDED else value
