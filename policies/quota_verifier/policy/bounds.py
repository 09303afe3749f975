"""What a claim compares a measure with: `<= 5m`, `>= 60%`, `0`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import PlainValidator, WithJsonSchema

from quota_verifier.durations import parse_duration
from quota_verifier.errors import InputError
from quota_verifier.words import shown

Operator = Literal["<=", ">=", "==", "<", ">"]
Kind = Literal["duration", "count", "ratio", "number", "money", "instant"]
Value = int | Fraction
"""A duration or an instant in ms, a count, or an exact ratio."""

NEVER = "never"
"""Written for an instant that must not come."""

ALL = "all"
"""Written for every job of the subject."""

_FORM = re.compile(r"\s*(<=|>=|==|<|>)?\s*(.*?)\s*", re.DOTALL)
_OPERATORS: Mapping[str | None, Operator] = {"<=": "<=", ">=": ">=", "==": "==", "<": "<", ">": ">"}
_EXAMPLE: dict[Kind, str] = {
    "duration": "<= 5m",
    "count": "<= 2",
    "ratio": ">= 60%",
    "number": "<= 1.5",
    "money": "<= 99.90",
    "instant": "<= 1h",
}


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison; `limit` None is `never`, which only an instant can be compared with."""

    operator: Operator
    limit: Value | None
    kind: Kind

    @property
    def is_upper(self) -> bool:
        """Whether smaller values are safer: `<=` and `<`."""
        return self.operator in ("<=", "<")

    @property
    def is_lower(self) -> bool:
        """Whether larger values are safer: `>=` and `>`."""
        return self.operator in (">=", ">")

    def holds(self, value: Value | None) -> bool:
        """Whether `value` satisfies the comparison; None is above every limit (it never came)."""
        if self.limit is None or value is None:
            return (value is None) if self.limit is None else self.is_lower
        match self.operator:
            case "<=":
                return value <= self.limit
            case ">=":
                return value >= self.limit
            case "<":
                return value < self.limit
            case ">":
                return value > self.limit
            case "==":
                return value == self.limit


def parse_bound(value: object, kind: Kind, bare: Operator | None = None) -> Bound:
    """The comparison that a file writes as `value`.

    Without an operator it means `bare`, or equality with 0; where neither applies the operator is
    missing. Raises InputError.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{shown(value)} is not a comparison", remedy=f"write one such as {_EXAMPLE[kind]!r}")
    match = _FORM.fullmatch(str(value))
    written, text = match.groups() if match else (None, str(value))
    if kind == "instant" and text == NEVER and written in (None, "=="):
        return Bound("==", None, kind)
    limit = _limit(text, kind, value)
    operator: Operator | None = _OPERATORS.get(written) or bare
    if operator is None and limit == 0:
        operator = "=="
    if operator is None:
        raise InputError(
            f"{shown(value)} does not say how to compare", remedy=f"write a comparison such as {_EXAMPLE[kind]!r}"
        )
    return Bound(operator, limit, kind)


def _limit(text: str, kind: Kind, value: object) -> Value:
    if kind in ("duration", "instant"):
        return _duration(text, kind, value)
    percent = text.endswith("%")
    number = _decimal(text.removesuffix("%").rstrip(), kind, value)
    if kind == "ratio" and not percent and number > 1:
        raise InputError(f"{shown(value)} could be a ratio or a percentage", remedy=f"write {str(value).strip()}%")
    if kind == "count" and (percent or number.denominator != 1):
        raise InputError(f"{shown(value)} is not a count", remedy=f"write a whole number, as in {_EXAMPLE[kind]!r}")
    if kind in ("number", "money") and percent:
        raise InputError(f"{shown(value)} is not a plain number", remedy=f"write one as in {_EXAMPLE[kind]!r}")
    number = number / 100 if percent else number
    return int(number) if kind == "count" else number


def _duration(text: str, kind: Kind, value: object) -> int:
    try:
        return parse_duration(text)
    except InputError as error:
        if "is not a duration" not in error.problem:
            raise
        raise InputError(
            f"{shown(value)} is not a comparison with a duration", remedy=f"write one such as {_EXAMPLE[kind]!r}"
        ) from None


def _decimal(text: str, kind: Kind, value: object) -> Fraction:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise InputError(
            f"{shown(value)} is not a comparison with a {_NAMES[kind]}", remedy=f"write one such as {_EXAMPLE[kind]!r}"
        )
    if number < 0:
        raise InputError(f"{shown(value)} compares with a negative number", remedy="write 0 or more")
    return Fraction(number)


_NAMES: dict[Kind, str] = {
    "duration": "duration",
    "count": "count",
    "ratio": "percentage",
    "number": "number",
    "money": "number",
    "instant": "point in time",
}


def finished_bound(value: object) -> Bound:
    """A comparison with a count of jobs, or with a part of them where it ends in %; `all` is 100 %."""
    if value == ALL:
        return Bound("==", Fraction(1), "ratio")
    percent = isinstance(value, str) and value.rstrip().endswith("%")
    return parse_bound(value, "ratio" if percent else "count", "==")


def _schema(text: str, *examples: str | float) -> WithJsonSchema:
    return WithJsonSchema(
        {
            "description": text,
            "examples": list(examples),
            "anyOf": [{"type": "string", "minLength": 1}, {"type": "number", "minimum": 0}],
        }
    )


DurationBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "duration")),
    _schema("A comparison with a duration.", "<= 5m", ">= 10s", 0),
]
WithinBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "duration", "<=")),
    _schema("A duration, which is an upper bound, or a comparison with one.", "1m", "<= 90s"),
]
InstantBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "instant", "==")),
    _schema("A time from the start, exact where no comparison is written, or never.", "20s", "<= 1h", "never"),
]
CountBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "count", "==")),
    _schema("A count, exact where no comparison is written.", 0, "<= 2"),
]
NumberBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "number")),
    _schema("A comparison with a number.", "<= 1.5"),
]
MoneyBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "money")),
    _schema("A comparison with an amount of money, in the currency of the prices.", "<= 99.90", 0),
]
RatioBound = Annotated[
    Bound,
    PlainValidator(lambda value: parse_bound(value, "ratio")),
    _schema("A comparison with a percentage, or with a ratio from 0 to 1.", ">= 60%", "<= 0.1"),
]
FinishedBound = Annotated[
    Bound,
    PlainValidator(finished_bound),
    _schema("A percentage or a count of jobs, exact where no comparison is written, or all.", "all", ">= 99%", 20),
]
