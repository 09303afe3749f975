"""Numbers and times as the page writes them: those of the text reports, with days and thousands set apart."""

from __future__ import annotations

import re
from fractions import Fraction

from quota_verifier.durations import UNITS
from quota_verifier.report import numbers

_DAY = UNITS["d"]
_WHOLE_HOURS_FROM = 4 * _DAY
_DIGITS = re.compile(r"\d+")


def time(ms: int | Fraction | None, missing: str = numbers.NONE) -> str:
    """A duration rounded to what its size deserves: `19m57s`, `1d11h25m`, `10d15h`."""
    if ms is None or ms < _DAY:
        return numbers.short_duration(ms, missing)
    hour = UNITS["h"]
    grain = hour if ms >= _WHOLE_HOURS_FROM else UNITS["m"]
    rounded = (2 * Fraction(ms) + grain) // (2 * grain) * grain
    days, rest = divmod(rounded, _DAY)
    hours, rest = divmod(rest, hour)
    parts = ((days, "d"), (hours, "h"), (rest // UNITS["m"], "m"))
    return "".join(f"{count}{unit}" for count, unit in parts if count)


def instance_hours(instance_ms: int) -> str:
    """Instances x ms as instance-hours with at most one decimal: `2,159.1`."""
    return grouped(numbers.instance_hours(instance_ms))


def money(amount: Fraction) -> str:
    """An amount of money with two decimals: `12,345.60`."""
    return grouped(numbers.money(amount))


def grouped(number: str) -> str:
    """A number with a comma before each three digits of its whole part."""
    return _DIGITS.sub(lambda digits: f"{int(digits[0]):,}", number, count=1)
