"""Random draws that are the same on every machine and Python version.

The one source is `random.Random.random()`: Python promises its stream for a given seed, which it does
not promise for `expovariate` or `gauss`, nor NumPy for the distributions of a Generator (NEP 19).
Logarithms and exponentials come from additions and multiplications alone, which IEEE 754 fixes to
the last bit; the C library's `log` and `exp` differ between platforms.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from random import Random

_LN2 = 0.6931471805599453
_TINY = 5e-324
"""The smallest number above 0, for a draw of exactly 0."""

_P95 = 1.6448536269514722
"""The 95th percentile of the standard normal distribution."""


def stream(seed: int, *names: str) -> Random:
    """A stream of its own for each purpose, so that a change to one leaves the others as they were."""
    digest = hashlib.sha256("/".join((str(seed), *names)).encode()).digest()
    return Random(int.from_bytes(digest[:16]))  # noqa: S311 (a simulation, not a secret)


def exponential(source: Random, mean: float) -> float:
    """One draw of the exponential distribution with this mean."""
    return -mean * ln(1.0 - source.random())


def lognormal(source: Random, median: float, p95: float) -> float:
    """One draw of the lognormal distribution with this median and 95th percentile."""
    return median * exp(ln(p95 / median) / _P95 * _normal(source))


def weibull(source: Random, scale: float, shape: float) -> float:
    """One draw of the Weibull distribution, at most scale x e ** 600."""
    return scale * exp(min(600.0, ln(-ln(1.0 - source.random()) or _TINY) / shape))


def pareto(source: Random, scale: float, shape: float) -> float:
    """One draw of the Pareto distribution, at most scale x e ** 600."""
    return scale * exp(min(600.0, -ln(1.0 - source.random()) / shape))


def uniform(source: Random, low: int, high: int) -> int:
    """One whole number from `low` to `high`, both included."""
    return min(high, low + int(source.random() * (high - low + 1)))


class Choice:
    """A weighted choice among whole numbers; the order in which they are given does not matter."""

    def __init__(self, weights: Mapping[int, float]) -> None:
        self._values = sorted(value for value, weight in weights.items() if weight > 0)
        self._bounds = list(accumulate(weights[value] for value in self._values))

    def draw(self, source: Random) -> int:
        """One of the values."""
        at = bisect_right(self._bounds, source.random() * self._bounds[-1])
        return self._values[min(at, len(self._values) - 1)]


class Steps:
    """Whole numbers by percentile, evenly spread between two neighbours: the inverse of a distribution function."""

    def __init__(self, values: Mapping[float, int]) -> None:
        """`values` start at the percentile 0, end at 100, and never fall."""
        ordered = sorted(values.items())
        self._percents = [percent for percent, _ in ordered]
        self._values = [value for _, value in ordered]

    def draw(self, source: Random) -> int:
        """One whole number."""
        at = source.random() * 100.0
        above = bisect_right(self._percents, at)
        low, high = self._percents[above - 1], self._percents[above]
        first, last = self._values[above - 1], self._values[above]
        return first + int((at - low) / (high - low) * (last - first) + 0.5)


def _normal(source: Random) -> float:
    """One draw of the standard normal distribution, by Marsaglia's polar method."""
    while True:
        x, y = 2.0 * source.random() - 1.0, 2.0 * source.random() - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * math.sqrt(-2.0 * ln(square) / square)


def ln(x: float) -> float:
    """The natural logarithm of x > 0 by the series of the inverse hyperbolic tangent."""
    mantissa, exponent = math.frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa, exponent = mantissa * 2.0, exponent - 1
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    square = ratio * ratio
    total = 0.0
    for odd in range(21, 0, -2):
        total = total * square + 1.0 / odd
    return exponent * _LN2 + 2.0 * ratio * total


def exp(x: float) -> float:
    """The exponential of x by its power series around the nearest multiple of ln 2; |x| below 700."""
    exponent = math.floor(x / _LN2 + 0.5)
    rest = x - exponent * _LN2
    total = 1.0
    for power in range(16, 0, -1):
        total = 1.0 + total * rest / power
    return math.ldexp(total, exponent)
