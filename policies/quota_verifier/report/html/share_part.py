"""Shares as the page's tables show them: what each owned, lent and borrowed, and how its jobs fared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from quota_verifier.cost import Costs
from quota_verifier.figures import Figures, ShareFigures, ShareLedger, UnitLedger
from quota_verifier.model import UNLIMITED_BORROWING, Queue, Share
from quota_verifier.report.html.waits_part import NEVER
from quota_verifier.report.html.words import instance_hours, money, time
from quota_verifier.report.numbers import percent
from quota_verifier.scheduler.assumptions import Assumptions

_INSIDE = ("own", "lent", "idle", "idle_reserved", "missing")
_ABOVE = ("borrowed", "over_limit")
WORDS = {
    "own": "own",
    "lent": "lent",
    "idle": "idle",
    "idle_reserved": "idle, reserved",
    "missing": "missing",
    "borrowed": "borrowed",
    "over_limit": "over limit",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a bar: `kind` is a field of the ledger, `start` and `width` are in percent of the bar's track."""

    kind: str
    start: float
    width: float
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A share's instance-time on a unit, what it owned up to `limit` percent of the track; above it the rest."""

    limit: float
    pieces: tuple[Piece, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A share on a unit, for the overview. `preempted` and `preempts` count preemptions suffered and caused."""

    share: str
    unit: str
    strategy: str
    limit: int
    cap: str
    bar: Bar
    utilization: str
    jobs: int
    p50: str
    p95: str
    preempted: int
    preempts: int
    lost: str


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A row of the ledger in instance-hours; empty cells are zeros."""

    name: str
    cells: tuple[str, ...]
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class LedgerTable:
    """The ledger of a unit, or of money, with the queue's own row last."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[LedgerRow, ...]
    total: LedgerRow


def settings(share: Share) -> str:
    """What AWS is told of a share, in AWS's words."""
    parts = [share.strategy.value]
    if share.strategy.borrows:
        unlimited = share.borrow_limit is None or share.borrow_limit == UNLIMITED_BORROWING
        parts.append("borrow limit unlimited" if unlimited else f"borrow limit {share.borrow_limit} %")
    if share.in_share_preemption:
        parts.append("in-share preemption")
    if not share.enabled:
        parts.append("DISABLED")
    return " · ".join(parts)


def share_rows(queue: Queue, figures: Figures, assumptions: Assumptions) -> tuple[ShareRow, ...]:
    """One row for each share and unit, in order of declaration."""
    scale = _scale(figures.shares)
    return tuple(
        _share_row(queue.share(share.name), share, row, assumptions, scale)
        for share in figures.shares
        for row in share.ledger
    )


def _share_row(
    share: Share, figures: ShareFigures, row: ShareLedger, assumptions: Assumptions, scale: Fraction
) -> ShareRow:
    group, never = figures.group, NEVER if figures.group.wait.count else "-"
    cap = share.hard_cap(row.unit, assumptions.borrow_rounding)
    return ShareRow(
        share=share.name,
        unit=row.unit,
        strategy=share.strategy.value,
        limit=share.limit(row.unit),
        cap="unlimited" if cap is None else str(cap),
        bar=_bar(row, scale),
        utilization=percent(figures.utilization.get(row.unit)),
        jobs=group.jobs.jobs,
        p50=time(group.wait.p50, never),
        p95=time(group.wait.p95, never),
        preempted=group.preempted_cross_share + group.preempted_in_share,
        preempts=figures.preemptions_caused_cross_share + figures.preemptions_caused_in_share,
        lost=instance_hours(group.lost_instance_time_ms),
    )


def ledger_tables(figures: Figures) -> tuple[LedgerTable, ...]:
    """The ledger of each unit."""
    return tuple(_ledger_table(unit, figures) for unit in figures.queue.ledger)


def _ledger_table(unit: UnitLedger, figures: Figures) -> LedgerTable:
    rows = [row for share in figures.shares for row in share.ledger if row.unit == unit.unit]
    fields = ["own", "borrowed", "over_limit", "lent", "idle_reserved", "idle", "missing"]
    shown = [name for name in fields if name in ("own", "borrowed", "lent", "idle") or _any(rows, name)]
    scale = _scale(figures.shares)
    total = [getattr(unit, name) if name not in ("lent", "missing") else _sum(rows, name) for name in shown]
    extra = [f"{instance_hours(unit.unassigned)} unassigned"] if unit.unassigned else []
    extra += [f"{instance_hours(unit.lent_unassigned)} lent from unassigned capacity"] if unit.lent_unassigned else []
    return LedgerTable(
        heading=f"{unit.unit}, instance-hours" + (f" ({', '.join(extra)})" if extra else ""),
        columns=("limit", *(WORDS[name] for name in shown), "utilization"),
        rows=tuple(
            LedgerRow(
                row.share,
                (
                    instance_hours(row.limit),
                    *(_amount(getattr(row, name)) for name in shown),
                    percent(Fraction(row.used, row.limit) if row.limit else None),
                ),
                _bar(row, scale),
            )
            for row in rows
        ),
        total=LedgerRow(
            "environment",
            (
                instance_hours(unit.capacity),
                *(_amount(value) for value in total),
                percent(Fraction(unit.used, unit.capacity) if unit.capacity else None),
            ),
            None,
        ),
    )


def cost_table(costs: Costs) -> LedgerTable:
    """What the run costs, share by share."""
    fields = ("used", "own", "borrowed", "over_limit", "lent", "idle_reserved", "idle", "lost_work")
    shown = [name for name in fields if name != "over_limit" or costs.queue.over_limit]
    words = {**WORDS, "used": "used", "lost_work": "lost work"}
    unpriced = f"; no price for {', '.join(costs.unpriced)}" if costs.unpriced else ""

    def cells(amounts: object) -> tuple[str, ...]:
        return tuple(money(getattr(amounts, name)) for name in shown)

    return LedgerTable(
        heading=f"Costs in {costs.prices.currency}, prices of {costs.prices.source}{unpriced}",
        columns=tuple(words[name] for name in shown),
        rows=tuple(LedgerRow(share.share, cells(share.amounts), None) for share in costs.shares),
        total=LedgerRow("queue", cells(costs.queue), None),
    )


def _any(rows: Sequence[ShareLedger], name: str) -> bool:
    return any(getattr(row, name) for row in rows)


def _sum(rows: Sequence[ShareLedger], name: str) -> int:
    return sum(getattr(row, name) for row in rows)


def _amount(value: int) -> str:
    return instance_hours(value) if value else ""


def _scale(shares: Sequence[ShareFigures]) -> Fraction:
    """The longest bar over the limit of its share; at least 1."""
    rows = [row for share in shares for row in share.ledger if row.limit]
    return max([Fraction(1), *(Fraction(row.limit + row.borrowed + row.over_limit, row.limit) for row in rows)])


def _bar(row: ShareLedger, scale: Fraction) -> Bar:
    """The share's time as a bar; nothing is drawn of a share without a limit, for there is nothing to compare with."""
    if not row.limit:
        return Bar(0.0, (), "no limit of its own")
    said = [(name, getattr(row, name)) for name in (*_INSIDE, *_ABOVE)]
    whole, start, pieces = row.limit * scale, Fraction(0), list[Piece]()
    for name, value in said:
        width = Fraction(100 * value) / whole
        if value:
            share = f"{WORDS[name]} {percent(Fraction(value, row.limit))}"
            pieces.append(Piece(name, round(float(start), 2), round(float(width), 2), share))
        start += width
    text = ", ".join(piece.text for piece in pieces)
    return Bar(round(float(100 / scale), 2), tuple(pieces), f"of its limit: {text}")
