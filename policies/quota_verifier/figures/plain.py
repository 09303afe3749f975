"""Figures as plain data for JSON: seconds to 3 decimals, null where there is no value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import cast

from quota_verifier.figures.distribution import STATISTICS, Distribution
from quota_verifier.figures.ledger import ShareLedger, UnitLedger

Plain = dict[str, "Plain"] | list["Plain"] | str | int | float | None


def plain(value: object) -> Plain:
    """`value`, a figures dataclass or a part of one, as maps, lists, text and numbers.

    Fields in milliseconds (`..._ms`) and the rows of a ledger become seconds and lose the ending;
    slowdowns become plain ratios. Ratios are rounded to 6 decimals.
    """
    if is_dataclass(value):
        return {field.name.removesuffix("_ms"): _field(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in cast("Mapping[object, object]", value).items()}
    if isinstance(value, tuple):
        return [plain(part) for part in cast("tuple[object, ...]", value)]
    if isinstance(value, Fraction):
        return round(float(value), 6)
    if value is None or isinstance(value, str | int):
        return value
    raise TypeError(f"no plain form of {type(value).__name__}")


def thousandths(value: int | Fraction | None) -> float | None:
    """`value` thousandths (milliseconds) as a number with 3 decimals (seconds)."""
    return None if value is None else round(value) / 1000


def _field(owner: object, name: str) -> Plain:
    value: object = getattr(owner, name)
    timed = isinstance(owner, ShareLedger | UnitLedger) or name.endswith("_ms")
    if isinstance(owner, Distribution):
        timed = name in STATISTICS
    if timed and isinstance(value, int | Fraction):
        return thousandths(value)
    return plain(value)
