"""Waits as rows of a table, each with the places of its quantiles on a common logarithmic axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log1p

from quota_verifier.durations import UNITS, format_duration
from quota_verifier.figures import Figures, GroupFigures
from quota_verifier.report.html.words import time
from quota_verifier.report.numbers import NONE

NEVER = "never"
"""In place of a wait that did not end."""

_DECADES = (
    1_000, 10_000, UNITS["m"], 10 * UNITS["m"], UNITS["h"], 6 * UNITS["h"], UNITS["d"], 7 * UNITS["d"],
    30 * UNITS["d"], 365 * UNITS["d"],
)  # fmt: skip
_AXIS_END = 100.0
_LEAST_AXIS_MS = UNITS["m"]
_LEAST_GAP = 9.0
"""Between two marks of the axis, in percent of its length: what their texts need."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis, at `place` percent of its length."""

    text: str
    place: float


@dataclass(frozen=True, slots=True)
class WaitRow:
    """The waits of a group of jobs; `low`, `high` and `top` are the places of p50, p95 and maximum in percent."""

    name: str
    jobs: int
    p50: str
    p95: str
    max: str
    longest: str
    never: int
    low: float
    high: float
    top: float


@dataclass(frozen=True, slots=True)
class WaitTable:
    """Groups of one kind; `heading` says which."""

    heading: str
    column: str
    rows: tuple[WaitRow, ...]
    ticks: tuple[Tick, ...]


def wait_tables(figures: Figures) -> tuple[WaitTable, ...]:
    """Waits by size class, by share and by label, those that there are, on one axis."""
    kinds: tuple[tuple[str, str, Mapping[str, GroupFigures]], ...] = (
        ("By size", "instances", figures.size_classes),
        ("By share", "share", {share.name: share.group for share in figures.shares}),
        ("By label", "label", figures.labels),
    )
    groups = [group for _, _, of_kind in kinds for group in of_kind.values()]
    end = max((group.wait.max or 0 for group in groups), default=0)
    axis = max(end, _LEAST_AXIS_MS)
    ticks = tuple(_ticks(axis))
    return tuple(
        WaitTable(heading, column, tuple(_row(name, group, axis) for name, group in of_kind.items()), ticks)
        for heading, column, of_kind in kinds
        if of_kind
    )


def _row(name: str, group: GroupFigures, axis: int) -> WaitRow:
    wait = group.wait
    missing = NEVER if wait.count else NONE

    def place(value: int | None) -> float:
        if not wait.count:
            return 0.0
        return _AXIS_END if value is None else _place(value, axis)

    return WaitRow(
        name=name,
        jobs=group.jobs.jobs,
        p50=time(wait.p50, missing),
        p95=time(wait.p95, missing),
        max=time(wait.max, missing),
        longest=time(group.longest_wait_ms, missing),
        never=wait.never,
        low=place(wait.p50),
        high=place(wait.p95),
        top=place(wait.max),
    )


def _ticks(axis: int) -> Iterable[Tick]:
    last = Tick("0", 0.0)
    yield last
    for value in _DECADES:
        place = _place(value, axis)
        if value <= axis and last.place + _LEAST_GAP <= place < _AXIS_END:
            last = Tick(format_duration(value), place)
            yield last


def _place(value: int, axis: int) -> float:
    """Logarithmic above a minute or so, and still linear near 0, where most waits are."""
    return round(_AXIS_END * log1p(value / 30_000) / log1p(axis / 30_000), 2)
