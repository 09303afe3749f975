"""Prices of an instance-hour by unit, from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from quota_verifier.documents import load_document
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel, shown, validate_document
from quota_verifier.workload.schema import Name

MOST_PLACES = 10
"""AWS's price lists write ten decimals."""

_DEAREST = 1_000_000


def _amount(value: object) -> Decimal:
    """A price as the file writes it. A float's shortest form is what the file says, up to 15 digits."""
    if isinstance(value, Decimal):
        return value
    text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    try:
        price = Decimal(text)
    except ArithmeticError:
        price = Decimal("NaN")
    if not price.is_finite():
        raise InputError(f"{shown(value)} is not a price", remedy="write a number such as 1.408")
    if not 0 <= price <= _DEAREST:
        raise InputError(f"{shown(value)} is not a price from 0 to {_DEAREST}", remedy="write it by hour and instance")
    if price != round(price, MOST_PLACES):
        raise InputError(f"{shown(value)} has more than {MOST_PLACES} decimals", remedy="round it")
    return price


Price = Annotated[
    Decimal,
    BeforeValidator(_amount),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}),
]


class PricesFile(FileModel):
    """What an hour of one instance costs."""

    currency: Annotated[str, StringConstraints(pattern="^[A-Z]{3}$")] = Field(
        description="Currency of all prices, three letters such as USD."
    )
    per_hour: Annotated[dict[Name, Price], Field(min_length=1)] = Field(
        description="Price of an instance-hour by unit: {ml.g5.xlarge: 2}."
    )
    source: str = Field(default="", description="Where the prices come from, for reports.")


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of an instance-hour by unit, all in one currency. `source` says where they come from."""

    currency: str
    per_hour: Mapping[str, Decimal]
    source: str = ""


def read_prices(path: str | PathLike[str]) -> Prices:
    """The prices in a YAML or JSON file. Raises InputError for the first mistake."""
    file = validate_document(PricesFile, load_document(Path(path)))
    return prices_from(file, str(path))


def prices_from(file: PricesFile, source: str) -> Prices:
    """The prices that a file holds; `source` is its name."""
    return Prices(file.currency, file.per_hour, f"{source}: {file.source}" if file.source else source)
