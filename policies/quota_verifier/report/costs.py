"""What a run costs, for JSON and for people."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from typing_extensions import TypedDict

from quota_verifier.cost import Amounts, Costs
from quota_verifier.report.numbers import money
from quota_verifier.report.text import columns, heading, indented


class AmountsDocument(TypedDict):
    """Money, to 6 decimals; rounded once, after summing exactly.

    `used` is `own + borrowed + over_limit`; `lent`, `idle_reserved` and `idle` are own capacity that was not used.
    """

    used: float
    own: float
    borrowed: float
    over_limit: float
    lent: float
    idle_reserved: float
    idle: float
    lost_work: float


class ShareCostsDocument(TypedDict):
    """The costs of a share."""

    name: str
    costs: AmountsDocument


class CostsDocument(TypedDict):
    """What the run costs. `prices` are by instance-hour, as written; `unpriced` units are in none of the sums."""

    currency: str
    source: str
    prices: dict[str, str]
    unpriced: list[str]
    shares: list[ShareCostsDocument]
    queue: AmountsDocument


def costs_document(costs: Costs) -> CostsDocument:
    """The costs as plain data."""
    return {
        "currency": costs.prices.currency,
        "source": costs.prices.source,
        "prices": {unit: format(price, "f") for unit, price in costs.prices.per_hour.items()},
        "unpriced": list(costs.unpriced),
        "shares": [{"name": share.share, "costs": _amounts(share.amounts)} for share in costs.shares],
        "queue": _amounts(costs.queue),
    }


def _amounts(amounts: Amounts) -> AmountsDocument:
    return {
        "used": round(float(amounts.used), 6),
        "own": round(float(amounts.own), 6),
        "borrowed": round(float(amounts.borrowed), 6),
        "over_limit": round(float(amounts.over_limit), 6),
        "lent": round(float(amounts.lent), 6),
        "idle_reserved": round(float(amounts.idle_reserved), 6),
        "idle": round(float(amounts.idle), 6),
        "lost_work": round(float(amounts.lost_work), 6),
    }


def cost_lines(costs: Costs) -> Iterator[RenderableType]:
    """The costs as a table: what each share held, what of its own it did not hold, what preemptions threw away."""
    yield heading(f"Costs in {costs.prices.currency}", f"({costs.prices.source})")
    over = bool(costs.queue.over_limit)
    yield columns(
        (
            *("share", "used", "own", "borrowed"),
            *(("over limit",) if over else ()),
            *("lent", "idle reserved", "idle", "lost work"),
        ),
        [
            (name, *_row(amounts, over=over))
            for name, amounts in (*((share.share, share.amounts) for share in costs.shares), ("queue", costs.queue))
        ],
    )
    if costs.unpriced:
        yield indented(f"No price for {', '.join(costs.unpriced)}: not in these sums.")


def _row(amounts: Amounts, *, over: bool) -> tuple[str, ...]:
    used = (amounts.used, amounts.own, amounts.borrowed, *((amounts.over_limit,) if over else ()))
    return tuple(
        money(amount) for amount in (*used, amounts.lent, amounts.idle_reserved, amounts.idle, amounts.lost_work)
    )
