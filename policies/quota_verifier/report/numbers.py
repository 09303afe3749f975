"""Numbers as reports write them: rounded for reading, but never to something that is not so.

A small part of a whole does not become 0, nor nearly all of it 100 (case C16). Rounding is decimal, half up.
"""

from __future__ import annotations

from fractions import Fraction

from quota_verifier.durations import UNITS, format_duration

NONE = "-"
"""In place of a figure that does not exist."""

HOUR_MS = UNITS["h"]

_COARSER: tuple[tuple[int, int], ...] = (
    (10 * UNITS["h"], UNITS["m"]),
    (UNITS["m"], UNITS["s"]),
    (UNITS["s"], 10),
    (0, 1),
)
"""From which duration on a table rounds to what, in ms; at most 1 part in 100 is lost."""


def short_duration(ms: int | Fraction | None, missing: str = NONE) -> str:
    """A duration for a table, rounded to what its size deserves; `missing` where there is none."""
    if ms is None:
        return missing
    if 0 < ms < 1:
        return "<1ms"
    size = next(grain for least, grain in _COARSER if ms >= least)
    hours, rest = divmod(_half_up(Fraction(ms) / size) * size, HOUR_MS)
    minutes, rest = divmod(rest, UNITS["m"])
    parts = (hours * HOUR_MS, minutes * UNITS["m"], rest)
    return "".join(format_duration(part) for part in parts if part) or format_duration(0)


def percent(part: Fraction | None, missing: str = NONE) -> str:
    """A ratio in percent with at most one decimal: `64.2 %`, `<0.1 %`, `>99.9 %`, `200 %`."""
    if part is None:
        return missing
    return f"{_marked(part * 100, (0, 100))} %"


def decimal(value: Fraction | int | None, missing: str = NONE) -> str:
    """A number with at most one decimal; one that is not 0 is not written as 0."""
    return missing if value is None else _marked(Fraction(value), (0,))


def instance_hours(instance_ms: int) -> str:
    """Instances x ms as instance-hours with at most one decimal."""
    return decimal(Fraction(instance_ms, HOUR_MS))


def money(amount: Fraction) -> str:
    """An amount of money with two decimals; one that is not 0 is not written as 0."""
    cents = _half_up(abs(amount) * 100)
    if not cents and amount:
        return "<0.01"
    return f"{'-' if amount < 0 else ''}{cents // 100}.{cents % 100:02d}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 job`, `3 jobs`, `2 policies`."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def _marked(value: Fraction, landmarks: tuple[int, ...]) -> str:
    """`value` to one decimal; beside a landmark that it does not reach, which side it is on."""
    tenths = _half_up(value * 10)
    for landmark in landmarks:
        if tenths == landmark * 10 and value != landmark:
            return f">{_tenths(tenths - 1)}" if value < landmark else f"<{_tenths(tenths + 1)}"
    return _tenths(tenths)


def _tenths(tenths: int) -> str:
    sign = "-" if tenths < 0 else ""
    whole, rest = divmod(abs(tenths), 10)
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"


def _half_up(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
