"""Durations as people write them (`90s`, `1h30m`), kept as whole milliseconds.

Arithmetic is decimal throughout, so `0.1` is 100 ms and nothing is rounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Context, Decimal, DecimalException, Inexact, InvalidOperation, Overflow, localcontext
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from quota_verifier.errors import InputError

UNITS: Mapping[str, int] = {
    "w": 604_800_000,
    "d": 86_400_000,
    "h": 3_600_000,
    "m": 60_000,
    "s": 1_000,
    "ms": 1,
}
"""Milliseconds in each unit, longest first."""

LONGEST_MS = 2**53
"""The longest duration taken, some 285,000 years: sums of many still fit 64 bits."""

REMEDY = "write a duration such as 90s, 5m, 1h30m, 2d or 250ms; a plain number is seconds"

PATTERN = r"^\s*(\d+(\.\d+)?\s*(w|d|h|m|s|ms)\s*)+$|^\s*\d+(\.\d+)?\s*$"
"""What JSON schemas say about a duration written as text."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|w|d|h|m|s)\s*")
_READABLE_COUNT = 1_000
_EXACT = Context(prec=40, traps=[Inexact, InvalidOperation, Overflow])


def parse_duration(value: str | float, *, allow_negative: bool = False) -> int:
    """`value` in milliseconds: `90s`, `5m`, `4h`, `2d`, `1w`, `1h30m`, `250ms`; a plain number is seconds.

    Units go from long to short, each at most once; a fraction is exact (`1.5h`). Raises InputError
    for anything else, for less than a millisecond, and for a negative duration unless allowed.
    """
    milliseconds = _exact(value)
    if milliseconds < 0 and not allow_negative:
        raise InputError(f"{_shown(value)} is a negative duration", remedy="write 0 or more")
    if milliseconds != milliseconds.to_integral_value():
        raise InputError(
            f"{_shown(value)} is not a whole number of milliseconds",
            remedy="write at most three decimals of a second",
        )
    if abs(milliseconds) > LONGEST_MS:
        raise InputError(f"{_shown(value)} is longer than any schedule", remedy="write less than 1000000w")
    return int(milliseconds)


def format_duration(ms: int) -> str:
    """`ms` in the shortest exact form that `parse_duration` reads back: `90s`, `1h1m`, `1.5s`, `0s`."""
    if ms < 0:
        return f"-{format_duration(-ms)}"
    if ms < UNITS["s"]:
        return f"{ms}ms" if ms else "0s"
    single = (
        f"{ms // size}{unit}"
        for unit, size in UNITS.items()
        if unit not in {"w", "ms"} and ms % size == 0 and ms // size < _READABLE_COUNT
    )
    return min((_compound(ms), *single), key=len)


def _compound(ms: int) -> str:
    parts: list[str] = []
    for unit in ("d", "h", "m"):
        count, ms = divmod(ms, UNITS[unit])
        if count:
            parts.append(f"{count}{unit}")
    if ms:
        seconds, rest = divmod(ms, UNITS["s"])
        fraction = f".{rest:03d}".rstrip("0") if rest else ""
        parts.append(f"{seconds}{fraction}s")
    return "".join(parts)


def _exact(value: object) -> Decimal:
    """`value` in milliseconds, exact; a float counts by its shortest decimal form, as it was written."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise InputError(f"{_shown(value)} is not a duration", remedy=REMEDY)
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{value} is not a duration", remedy=REMEDY)
    text = str(value).strip()
    try:
        with localcontext(_EXACT):
            return Decimal(text) * UNITS["s"] if _NUMBER.fullmatch(text) else _sum_of_parts(text)
    except DecimalException:
        raise InputError(f"{_shown(value)} is not a duration", remedy=REMEDY) from None


def _sum_of_parts(text: str) -> Decimal:
    sign, body = (-1, text[1:].lstrip()) if text.startswith("-") else (1, text)
    total, at, shorter_than = Decimal(0), 0, LONGEST_MS
    while match := _PART.match(body, at):
        size = UNITS[match[2]]
        if size >= shorter_than:
            raise InputError(
                f"{text!r} does not go from long units to short ones, each once",
                remedy="write it as 1d2h3m4s",
            )
        total, at, shorter_than = total + Decimal(match[1]) * size, match.end(), size
    if at != len(body) or not body:
        raise InputError(f"{text!r} is not a duration", remedy=REMEDY)
    return sign * total


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, str) else str(value)


Duration = Annotated[
    int,
    BeforeValidator(parse_duration),
    PlainSerializer(format_duration, return_type=str, when_used="json"),
    WithJsonSchema(
        {
            "title": "Duration",
            "description": "A duration: 90s, 5m, 4h, 2d, 1h30m, 250ms; a plain number is seconds.",
            "examples": ["90s", "5m", "1h30m", 2.5],
            "anyOf": [{"type": "string", "pattern": PATTERN}, {"type": "number", "minimum": 0}],
        }
    ),
]
"""A pydantic field in milliseconds, read by `parse_duration` and written to JSON by `format_duration`."""
