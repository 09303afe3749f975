"""Values as verdicts write them: durations, percentages, counts."""

from __future__ import annotations

from fractions import Fraction

from quota_verifier.durations import format_duration
from quota_verifier.policy.bounds import NEVER, Bound, Kind, Value

_MOST_DECIMALS = 6
_EXACT = 30
"""Decimals that are enough for any limit that a file can write."""


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
    if kind == "money" and value != other:
        return _decimals(value, other, least=2)
    scale, sign = (100, "%") if kind == "ratio" else (1, "")
    return f"{_decimals(value * scale, None if other is None else other * scale)}{sign}"


def limit_text(bound: Bound) -> str:
    """The bound's limit exactly as it counts: `5m`, `60%`, `never`."""
    return value_text(bound.limit, bound.kind, bound.limit)


def bound_text(bound: Bound) -> str:
    """The comparison in its full form, such as `<= 5m`, `== 60%` or `== never`."""
    return f"{bound.operator} {limit_text(bound)}"


def plural(count: int, noun: str) -> str:
    """`1 job`, `2 jobs`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _decimals(value: Value, other: Value | None, least: int = 0) -> str:
    """A value equal to `other` is written out in full, any other as short as tells it from `other` and from 0.

    With `least` it keeps so many decimals at least.
    """
    first = max(1, least)
    texts = (_fixed(value, decimals) for decimals in range(first, _MOST_DECIMALS))
    apart = (
        text
        for decimals, text in enumerate(texts, first)
        if (other is None or text != _fixed(other, decimals)) and (value == 0 or Fraction(text))
    )
    text = _fixed(value, _EXACT) if value == other else next(apart, _fixed(value, _MOST_DECIMALS))
    return text if least else text.rstrip("0").rstrip(".")


def _fixed(value: Value, decimals: int) -> str:
    whole, rest = divmod(round(value * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}d}"
