"""The report of `show`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.durations import format_duration
from quota_verifier.report.show_document import ShareUnit, ShowDocument, UnitSheet
from quota_verifier.report.text import columns, heading, indented, title


def show_report(document: ShowDocument) -> Iterator[RenderableType]:
    """The report about a queue: its shares, then each unit in absolute numbers, then notes."""
    yield title(document["queue"], document["source"])
    yield Text()
    yield columns(
        ("share", "strategy", "borrow limit", "in-share preemption"),
        [
            (
                share["name"],
                share["strategy"],
                share["borrow_limit_words"],
                "on" if share["in_share_preemption"] else "off",
            )
            for share in document["shares"]
        ],
        left=4,
    )
    for unit in document["units"]:
        yield Text()
        yield from _unit_table(document, unit)
    if document["time_limits"]:
        yield Text()
        yield heading("Blocked heads are terminated after")
        limits = [(format_duration(round(t["max_time"] * 1000)), t["reason"]) for t in document["time_limits"]]
        yield columns(("", ""), limits, left=2)
    if document["notes"]:
        yield Text()
        yield heading("Notes")
        for note in document["notes"]:
            yield indented(note["text"])


def _unit_table(document: ShowDocument, unit: UnitSheet) -> Iterator[RenderableType]:
    yield heading(f"{unit['unit']}:", f"{unit['capacity']} in the environment, {unit['promised']} promised to shares")
    rows = [
        (share["name"], *_cells(row))
        for share in document["shares"]
        for row in share["units"]
        if row["unit"] == unit["unit"]
    ]
    if rows:
        yield columns(("share", "limit", "guaranteed", "may borrow", "others lend", "hard cap", "largest job"), rows)
    else:
        yield indented("no share lists it")


def _cells(row: ShareUnit) -> tuple[str, ...]:
    return (
        str(row["limit"]),
        str(row["guaranteed"]),
        _or_unlimited(row["may_borrow"]),
        str(row["others_lend"]),
        _or_unlimited(row["hard_cap"]),
        str(row["largest_job"]),
    )


def _or_unlimited(count: int | None) -> str:
    return "unlimited" if count is None else str(count)
