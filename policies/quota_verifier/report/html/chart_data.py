"""What the page draws over time: every share's usage against its limits, and its queue."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from quota_verifier.figures.columns import Columns
from quota_verifier.figures.configuration import periods, window
from quota_verifier.figures.over_time import over_time
from quota_verifier.model import Rounding, Share
from quota_verifier.report.html.encode import means, numbers


def chart_data(table: Columns) -> dict[str, object]:
    """The intervals of `figures.over_time`; limits and hard caps as `[from, value]` steps, null where unlimited."""
    told = over_time(table)
    rounding: Rounding = table.run.assumptions.borrow_rounding
    return {
        "edges": numbers(told.edges),
        "exact": told.exact,
        "held": [
            {
                "share": row.share,
                "unit": row.unit,
                "limit": _steps(table, row.share, partial(_limit, row.unit)),
                "cap": _steps(table, row.share, partial(_cap, row.unit, rounding)),
                "own": means(row.own),
                "borrowed": means(row.borrowed),
                "over": means(row.over_limit),
                "lent": means(row.lent),
                "most": numbers(row.most),
            }
            for row in told.held
        ],
        "waiting": [{"mean": means(row.mean), "most": numbers(row.most)} for row in told.waiting],
    }


def _limit(unit: str, share: Share) -> int:
    return share.limit(unit)


def _cap(unit: str, rounding: Rounding, share: Share) -> int | None:
    return share.hard_cap(unit, rounding)


def _steps(table: Columns, share: int, value: Callable[[Share], int | None]) -> list[list[int | None]]:
    found: list[list[int | None]] = []
    for period in periods(table):
        now = value(period.queue.shares[share])
        if not found or found[-1][1] != now:
            found.append([period.start_ms, now])
    return found or [[window(table.run)[0], value(table.run.queue.shares[share])]]
