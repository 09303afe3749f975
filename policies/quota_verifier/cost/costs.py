"""What a run costs: the instance-time ledger and the lost work, times prices. All sums are exact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

import numpy as np

from quota_verifier.cost.prices import Prices
from quota_verifier.durations import UNITS
from quota_verifier.figures import Figures
from quota_verifier.figures.columns import Columns, Mask
from quota_verifier.figures.distribution import exact_sum
from quota_verifier.figures.measures import instance_time
from quota_verifier.scheduler.run import UNKNOWN

HOUR_MS = UNITS["h"]


@dataclass(frozen=True, slots=True)
class Amounts:
    """Money, in the currency of the prices.

    What a share held is `own + borrowed + over_limit`; `lent`, `idle_reserved` and `idle` are parts of its own limit
    that it did not hold. `lost_work` is the part of what it held whose work preemptions threw away (R4).
    """

    own: Fraction = Fraction(0)
    borrowed: Fraction = Fraction(0)
    over_limit: Fraction = Fraction(0)
    lent: Fraction = Fraction(0)
    idle_reserved: Fraction = Fraction(0)
    idle: Fraction = Fraction(0)
    lost_work: Fraction = Fraction(0)

    @property
    def used(self) -> Fraction:
        """What was held."""
        return self.own + self.borrowed + self.over_limit


@dataclass(frozen=True, slots=True)
class ShareCosts:
    """The costs of one share."""

    share: str
    amounts: Amounts


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a run, by share and in all. `unpriced` units are in none of the sums."""

    prices: Prices
    shares: tuple[ShareCosts, ...]
    queue: Amounts
    unpriced: tuple[str, ...]


def costs_of(figures: Figures, table: Columns, prices: Prices) -> Costs:
    """The costs of the run that `figures` and `table` are about."""
    units = tuple(row.unit for row in figures.queue.ledger)
    shares: list[ShareCosts] = []
    for index, share in enumerate(figures.shares):
        ledger = {
            each.name: priced({row.unit: getattr(row, each.name) for row in share.ledger}, prices)
            for each in fields(Amounts)
            if each.name != "lost_work"
        }
        lost = priced(lost_time(table, table.jobs.share == index), prices)
        shares.append(ShareCosts(share.name, Amounts(**ledger, lost_work=lost)))
    total = Amounts(
        **{each.name: _sum(getattr(share.amounts, each.name) for share in shares) for each in fields(Amounts)}
    )
    return Costs(prices, tuple(shares), total, tuple(unit for unit in units if unit not in prices.per_hour))


def priced(instance_ms: Mapping[str, int], prices: Prices) -> Fraction:
    """Instances x ms by unit as money, exactly; units without a price are left out."""
    return _sum(
        Fraction(prices.per_hour[unit]) * ms / HOUR_MS for unit, ms in instance_ms.items() if unit in prices.per_hour
    )


def lost_time(table: Columns, members: Mask) -> dict[str, int]:
    """Instances x ms that preemptions threw away (R4), by unit, of the jobs in `members`."""
    lost = table.lost[members]
    return {unit: exact_sum(instance_time(lost, table.jobs.of_unit(unit)[members])) for unit in table.jobs.units}


def held_time(table: Columns, members: Mask) -> dict[str, int]:
    """Instances x ms that the jobs in `members` held within the run, by unit."""
    spans = table.spans
    inside = members[spans.job]
    rows, start, end = spans.job[inside], spans.start[inside], spans.end[inside]
    lengths = np.where(end == UNKNOWN, table.run.end_ms, end) - start
    return {unit: exact_sum(instance_time(lengths, table.jobs.of_unit(unit)[rows])) for unit in table.jobs.units}


def _sum(amounts: Iterable[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0))
