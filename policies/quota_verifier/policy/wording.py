"""Values as verdicts write them: durations, percentages, counts."""

from __future__ import annotations

from fractions import Fraction

from quota_verifier.durations import format_duration
from quota_verifier.policy.bounds import NEVER, Bound, Kind, Value

_MOST_DECIMALS = 6


def value_text(value: Value | None, kind: Kind, other: Value | None = None) -> str:
    """`value` for people. It gets as many decimals as tell it from `other`, up to six.

    None is `never`: the job never started, or never ended.
    """
    if value is None:
        return NEVER
    if kind in ("duration", "instant"):
        whole = round(value)
        return format_duration(whole) if whole == value else f"about {format_duration(whole)}"
    if kind == "count":
        return str(value)
    scaled = Fraction(value) * (100 if kind == "ratio" else 1)
    against = None if other is None else Fraction(other) * (100 if kind == "ratio" else 1)
    return f"{_decimals(scaled, against)}{'%' if kind == 'ratio' else ''}"


def bound_text(bound: Bound) -> str:
    """The comparison in its full form, such as `<= 5m`, `== 60%` or `== never`."""
    return f"{bound.operator} {value_text(bound.limit, bound.kind)}"


def plural(count: int, noun: str) -> str:
    """`1 job`, `2 jobs`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _decimals(value: Fraction, other: Fraction | None) -> str:
    texts = (_fixed(value, decimals) for decimals in range(1, _MOST_DECIMALS))
    apart = (
        text
        for decimals, text in enumerate(texts, 1)
        if (other is None or value == other or text != _fixed(other, decimals)) and (value == 0 or Fraction(text))
    )
    return next(apart, _fixed(value, _MOST_DECIMALS)).rstrip("0").rstrip(".")


def _fixed(value: Fraction, decimals: int) -> str:
    scaled = round(value * 10**decimals)
    whole, rest = divmod(scaled, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}"
