"""Prices of SageMaker training instances from AWS's Price List Query API (`pricing:GetProducts`), through boto3.

The API tells products as JSON texts. What a training job pays for is the product of the usage type
`REGION-Train:UNIT`, such as `USE1-Train:ml.g5.xlarge`; notebooks, endpoints and managed spot training have others.
Sources: AWS Billing user guide, Using the AWS Price List Query API; API reference GetProducts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol, cast

from quota_verifier.documents import as_map
from quota_verifier.errors import InputError

SERVICE_CODE = "AmazonSageMaker"
ENDPOINT_REGION = "us-east-1"
"""The API answers from a few regions only, for all regions."""

SOURCE = "AWS Price List"

_TRAINING = re.compile(r"(?:[A-Z0-9]+-)?Train:(\S+)")
_HOURS = frozenset({"hrs", "hours", "hour"})


class PricingClient(Protocol):
    """The part of boto3's `pricing` client that is used."""

    def get_paginator(self, operation_name: str, /) -> Any:  # noqa: ANN401 (boto3 has no types of its own)
        """A paginator of an operation."""
        ...


@dataclass(frozen=True, slots=True)
class Quote:
    """The on-demand price of an hour of one instance. `sku`, `effective` and `published` are AWS's own words."""

    unit: str
    currency: str
    per_hour: Decimal
    sku: str
    effective: str
    published: str


def training_prices(units: Iterable[str], region: str, client: PricingClient) -> tuple[Quote, ...]:
    """The on-demand training price of each unit in a region, by unit.

    Raises InputError where AWS lists no price or several that differ, and where the call fails.
    """
    quotes = tuple(_quote(unit, region, _products(unit, region, client)) for unit in sorted(set(units)))
    currencies = sorted({quote.currency for quote in quotes})
    if len(currencies) > 1:
        raise InputError(f"prices in {' and '.join(currencies)}", source=SOURCE, remedy="ask for one region at a time")
    return quotes


def pricing_client() -> PricingClient:
    """boto3's client, with the credentials that boto3 finds. Raises InputError where boto3 is not installed."""
    try:
        import boto3  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise InputError("boto3 is not installed", source=SOURCE, remedy="pip install 'quota-shares[aws]'") from None
    return cast("PricingClient", boto3.client("pricing", region_name=ENDPOINT_REGION))  # pyright: ignore[reportUnknownMemberType]


def _products(unit: str, region: str, client: PricingClient) -> list[dict[str, object]]:
    """The products whose usage type is training on `unit`, over all pages."""
    from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
        BotoCoreError,
        ClientError,
    )

    filters = [
        {"Type": "TERM_MATCH", "Field": "regionCode", "Value": region},
        {"Type": "CONTAINS", "Field": "usagetype", "Value": f"Train:{unit}"},
    ]
    try:
        pages = client.get_paginator("get_products").paginate(
            ServiceCode=SERVICE_CODE, Filters=filters, FormatVersion="aws_v1"
        )
        texts = [text for page in pages for text in page["PriceList"]]
    except (BotoCoreError, ClientError) as error:
        raise InputError(
            str(error), source=SOURCE, remedy="see that boto3 finds credentials, or write them by hand"
        ) from None
    return [product for text in texts if _trains(product := _parsed(text), unit)]


def _parsed(text: object) -> dict[str, object]:
    try:
        product = as_map(json.loads(text)) if isinstance(text, str) else as_map(text)
    except json.JSONDecodeError:
        product = None
    if product is None:
        raise InputError("a product is not a JSON map", source=SOURCE)
    return product


def _trains(product: Mapping[str, object], unit: str) -> bool:
    """Whether the product is training on exactly this unit: the filter also lets longer names through."""
    usage = _TRAINING.fullmatch(str(_at(product, "product", "attributes", "usagetype")))
    return usage is not None and usage[1] == unit


def _quote(unit: str, region: str, products: list[dict[str, object]]) -> Quote:
    found = [_newest(unit, product) for product in products]
    if not found:
        remedy = "check the instance type and the region, or write the price by hand"
        raise InputError(f"no training price of {unit} in {region}", source=SOURCE, remedy=remedy)
    if len({(quote.currency, quote.per_hour) for quote in found}) > 1:
        listed = ", ".join(f"{quote.per_hour.normalize():f} {quote.currency} ({quote.sku})" for quote in found)
        raise InputError(
            f"several training prices of {unit} in {region}: {listed}",
            source=SOURCE,
            remedy="write the right one by hand",
        )
    return max(found, key=lambda quote: (quote.published, quote.sku))


def _newest(unit: str, product: Mapping[str, object]) -> Quote:
    """The price of the on-demand term that took effect last. Raises InputError unless it is one price by the hour."""
    sku = str(_at(product, "product", "sku"))
    terms = [as_map(term) or {} for term in (as_map(_at(product, "terms", "OnDemand")) or {}).values()]
    if not terms:
        raise InputError(f"{unit}: the product {sku} has no on-demand price", source=SOURCE)
    newest = max(str(term.get("effectiveDate")) for term in terms)
    dimensions = [
        as_map(dimension) or {}
        for term in terms
        if str(term.get("effectiveDate")) == newest
        for dimension in (as_map(term.get("priceDimensions")) or {}).values()
    ]
    if len(dimensions) != 1 or str(dimensions[0].get("unit")).lower() not in _HOURS:
        raise InputError(f"{unit}: the product {sku} has no single price by the hour", source=SOURCE)
    prices = as_map(dimensions[0].get("pricePerUnit")) or {}
    if len(prices) != 1:
        raise InputError(f"{unit}: the product {sku} is priced in {len(prices)} currencies", source=SOURCE)
    ((currency, price),) = prices.items()
    try:
        per_hour = Decimal(str(price))
    except ArithmeticError:
        raise InputError(f"{unit}: the product {sku} has the price {price!r}", source=SOURCE) from None
    return Quote(unit, currency, per_hour, sku, newest, str(product.get("publicationDate", "")))


def _at(data: object, *path: str) -> object:
    """The value at a path of maps; None where there is none."""
    for key in path:
        data = (as_map(data) or {}).get(key)
    return data
