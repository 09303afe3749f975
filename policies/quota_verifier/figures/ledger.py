"""Where the instance-time went: own, borrowed, over limit, lent, idle, for each share and unit.

All amounts are instances x ms over the window of the run, exact. At each instant, of what a share
holds, `own` is min(U, L). What it holds above its limit is `borrowed` as far as it may borrow and the
others lend at that instant, else `over_limit` (after a limit was lowered, C17). Of what a share does
not use, `lent` is its part of what is borrowed, pro rata to the idle capacity of all that lend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from quota_verifier.figures.columns import Columns, Ints
from quota_verifier.figures.configuration import Period, periods, units_of, window
from quota_verifier.figures.usage import Usage
from quota_verifier.model import Queue, Share
from quota_verifier.scheduler.assumptions import Assumptions

_EXACT_BELOW = 1 << 62

Rows = NDArray[np.int64]
"""Amounts; of Python integers (dtype object) where 64 bits might not do."""


@dataclass(frozen=True, slots=True)
class ShareLedger:
    """One share on one unit, in instances x ms.

    `own + lent + idle_reserved + idle + missing == limit` and `own + borrowed + over_limit` is what the
    share held. `missing` is idle capacity that was not there: others held more than their limits
    without a lender, or the environment has less than the shares were promised.
    """

    share: str
    unit: str
    limit: int
    own: int
    borrowed: int
    over_limit: int
    lent: int
    idle_reserved: int
    idle: int
    missing: int

    @property
    def used(self) -> int:
        """What the share held."""
        return self.own + self.borrowed + self.over_limit


@dataclass(frozen=True, slots=True)
class UnitLedger:
    """One unit of the environment, in instances x ms.

    `capacity + over_capacity == own + borrowed + over_limit + idle_reserved + idle + unassigned`, and
    `borrowed` is what the shares lent plus `lent_unassigned` (A6). `over_capacity` is usage above an
    environment whose capacity was lowered under running jobs.
    """

    unit: str
    capacity: int
    over_capacity: int
    own: int
    borrowed: int
    over_limit: int
    lent_unassigned: int
    idle_reserved: int
    idle: int
    unassigned: int

    @property
    def used(self) -> int:
        """What the jobs held."""
        return self.own + self.borrowed + self.over_limit


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledgers of all shares and units over `span_ms`; a share has a row for each unit that it lists or used."""

    span_ms: int
    shares: tuple[ShareLedger, ...]
    units: tuple[UnitLedger, ...]


def ledger(table: Columns) -> Ledger:
    """The instance-time ledger of a run."""
    start, end = window(table.run)
    spells = periods(table)
    shares: list[ShareLedger] = []
    units: list[UnitLedger] = []
    for unit in units_of(table, spells):
        rows, total = _unit_rows(table, unit, spells, end)
        units.append(total)
        shares.extend(row for row in rows if row.limit or row.used)
    order = {share.name: index for index, share in enumerate(table.run.queue.shares)}
    shares.sort(key=lambda row: order[row.share])
    return Ledger(end - start, tuple(shares), tuple(units))


SHARE_FIELDS = ("limit", "own", "borrowed", "over_limit", "lent", "idle_reserved", "idle", "missing")
_UNIT_FIELDS = ("capacity", "over_capacity", "lent_unassigned", "unassigned")


def _unit_rows(table: Columns, unit: str, spells: tuple[Period, ...], end: int) -> tuple[list[ShareLedger], UnitLedger]:
    shares = table.run.queue.shares
    by_share = np.zeros((len(SHARE_FIELDS), len(shares)), object)
    of_unit = np.zeros(len(_UNIT_FIELDS), object)
    usage = Usage(table, unit, end)
    for spell in spells:
        for held, lengths in usage.segments(spell):
            terms = terms_of(spell.queue, unit, table.run.assumptions)
            share_part, unit_part = _account(terms, held, lengths)
            by_share += share_part
            of_unit += unit_part
    rows = [
        ShareLedger(share.name, unit, **{f: int(by_share[i, s]) for i, f in enumerate(SHARE_FIELDS)})
        for s, share in enumerate(shares)
    ]
    sums = {
        name: sum(getattr(row, name) for row in rows)
        for name in ("own", "borrowed", "over_limit", "idle_reserved", "idle")
    }
    return rows, UnitLedger(unit, **{f: int(of_unit[i]) for i, f in enumerate(_UNIT_FIELDS)}, **sums)


@dataclass(frozen=True, slots=True)
class Terms:
    """One unit's configuration as arrays over the shares."""

    limit: Ints
    cap: Ints
    lends: Ints
    capacity: int
    unassigned: int
    unassigned_is_lent: bool


def terms_of(queue: Queue, unit: str, assumptions: Assumptions) -> Terms:
    """The terms of a configuration on a unit."""

    def cap(share: Share) -> int:
        allowed = share.borrow_cap(unit, assumptions.borrow_rounding)
        return _EXACT_BELOW if allowed is None else allowed

    def lends(share: Share) -> bool:
        return share.strategy.lends and (share.enabled or assumptions.disabled_share != "withheld")

    return Terms(
        limit=np.array([share.limit(unit) for share in queue.shares], np.int64),
        cap=np.array([cap(share) for share in queue.shares], np.int64),
        lends=np.array([lends(share) for share in queue.shares], np.int64),
        capacity=queue.environment.limit(unit),
        unassigned=queue.unassigned(unit),
        unassigned_is_lent=assumptions.unassigned_capacity == "borrowable",
    )


def _account(terms: Terms, held: Ints, lengths: Ints) -> tuple[Rows, Rows]:
    """The rows of `ShareLedger` (by share) and of `UnitLedger` (whole), summed over the segments."""
    by_share, whole = amounts(terms, held, lengths)
    return (
        np.array([row.sum(axis=1) for row in by_share], object),
        np.array([row.sum() for row in whole], object),
    )


def amounts(terms: Terms, held: Ints, lengths: Ints) -> tuple[tuple[Rows, ...], tuple[Rows, ...]]:
    """The amounts of each segment: of every share in the order of SHARE_FIELDS, and of the unit."""
    length = _wide_enough(terms, held, lengths)
    limit = terms.limit[:, None]
    own = np.minimum(held, limit)
    above = held - own
    idle = limit - own
    wanted = np.minimum(above, terms.cap[:, None])
    spare = np.full((1, held.shape[1]), terms.unassigned, np.int64)
    offered = np.vstack((idle * terms.lends[:, None], spare * int(terms.unassigned_is_lent)))
    moved = np.minimum(wanted.sum(axis=0), offered.sum(axis=0))
    borrowed = _pro_rata(moved, wanted, length)
    lent = _pro_rata(moved, offered, length)
    over_limit = above * length - borrowed
    left = idle * length - lent[:-1]
    unassigned = spare[0] * length - lent[-1]

    promised_too_much = max(0, int(terms.limit.sum()) - terms.capacity)
    over_capacity = np.maximum(0, held.sum(axis=0) - terms.capacity) * length
    absent = promised_too_much * length + over_limit.sum(axis=0) - over_capacity
    taken = np.minimum(unassigned, absent)
    unassigned, absent = unassigned - taken, absent - taken
    lending = left * terms.lends[:, None]
    from_lenders = _in_turn(absent, lending)
    from_reserved = _in_turn(absent - from_lenders.sum(axis=0), left - lending)
    by_share = (
        limit * length,
        own * length,
        borrowed,
        over_limit,
        lent[:-1],
        left - lending - from_reserved,
        lending - from_lenders,
        from_lenders + from_reserved,
    )
    return by_share, (terms.capacity * length, over_capacity, lent[-1], unassigned)


def _wide_enough(terms: Terms, held: Ints, lengths: Ints) -> Rows:
    """The lengths, as Python integers where a sum of instances x ms might not fit 64 bits."""
    most = max(terms.capacity, int(terms.limit.sum()), int(held.sum(axis=0).max())) + 1
    fits = 2 * most * int(lengths.sum()) < _EXACT_BELOW
    return lengths if fits else cast("Rows", lengths.astype(object))


def _pro_rata(amount: Ints, parts: Ints, length: Rows) -> Rows:
    """`amount` x `length` divided among the rows of `parts` in proportion, whole, and adding up exactly."""
    upto = np.cumsum(parts, axis=0)
    whole = np.maximum(upto[-1], 1)
    each, rest = np.divmod(amount * upto, whole)
    return np.diff(each * length + rest * length // whole, axis=0, prepend=0)


def _in_turn(amount: Rows, parts: Rows) -> Rows:
    """What each row of `parts` gives to `amount`, the first rows first."""
    before = np.cumsum(parts, axis=0) - parts
    return np.clip(amount - before, 0, parts)
