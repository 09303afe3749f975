"""Means over replications, with confidence intervals: Student's t, from the standard library alone.

SciPy would be 35 MB for one function. For a whole number of degrees of freedom the distribution has a
closed form (Abramowitz and Stegun, 26.7.3 and 26.7.4), and bisection inverts it to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from quota_verifier.policy.bounds import Value

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a value over `count` replications; `half` is half of the interval's width.

    `mean` is exact, and None where `missing` of the replications have no value (a job never started).
    `half` is None for fewer than two replications: nothing tells how much another would differ.
    """

    count: int
    missing: int
    mean: Fraction | None
    half: float | None

    @property
    def differs(self) -> bool:
        """Whether 0 lies outside the interval; of paired differences: whether they are more than chance."""
        return self.mean is not None and self.half is not None and abs(float(self.mean)) > self.half


def estimate(values: Sequence[Value | None]) -> Estimate:
    """The mean of the values and its 95 % confidence interval, which takes the values to be independent draws."""
    known = [Fraction(value) for value in values if value is not None]
    missing = len(values) - len(known)
    if missing or not known:
        return Estimate(len(values), missing, None, None)
    count = len(known)
    mean = sum(known, Fraction(0)) / count
    if count < 2:
        return Estimate(count, 0, mean, None)
    squares = sum(((value - mean) ** 2 for value in known), Fraction(0))
    error = math.sqrt(squares / (count - 1) / count)
    return Estimate(count, 0, mean, t_quantile(count - 1) * error)


def paired(values: Sequence[Value | None], base: Sequence[Value | None]) -> Estimate:
    """The mean of the differences from `base`, replication by replication.

    Both had the same jobs (common random numbers), so what the jobs have in common cancels out.
    """
    pairs = zip(values, base, strict=True)
    return estimate([None if one is None or other is None else one - other for one, other in pairs])


@cache
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t for which a Student variable with `freedom` degrees of freedom is within (-t, t) with `confidence`."""
    low, high = 0.0, 1.0
    while _within(high, freedom) < confidence:
        high *= 2
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)


def _within(t: float, freedom: int) -> float:
    """The probability that a Student variable lies in (-t, t)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom == 1:
        return 2 * angle / math.pi
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term
    for step in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
