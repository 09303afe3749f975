"""The document of `prices`, and the same as a prices file."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from quota_verifier.cost.aws_prices import SOURCE, Quote
from quota_verifier.documents import dump_yaml


class QuoteDocument(TypedDict):
    """A price, as AWS writes it, with its SKU, and when it took effect and was published."""

    per_hour: str
    sku: str
    effective: str
    published: str


class PricesDocument(TypedDict):
    """What `quota-shares prices --json` prints: the on-demand price of an hour of training by unit."""

    region: str
    currency: str
    units: dict[str, QuoteDocument]


def prices_document(quotes: Sequence[Quote], region: str) -> PricesDocument:
    """The document about `quotes`, of which there is at least one."""
    return {
        "region": region,
        "currency": quotes[0].currency,
        "units": {
            quote.unit: {
                "per_hour": format(quote.per_hour, "f"),
                "sku": quote.sku,
                "effective": quote.effective,
                "published": quote.published,
            }
            for quote in quotes
        },
    }


def prices_yaml(quotes: Sequence[Quote], region: str) -> str:
    """A prices file with `quotes`."""
    published = max(quote.published for quote in quotes)
    return dump_yaml(
        {
            "currency": quotes[0].currency,
            "per_hour": {quote.unit: f"{quote.per_hour.normalize():f}" for quote in quotes},
            "source": f"{SOURCE}, SageMaker training on demand in {region}, published {published}",
        }
    )
