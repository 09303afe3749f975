"""What every share held, lent and kept waiting over time, in intervals fit for drawing.

Where a run has few instants at which anything happens, the intervals lie between them and their values are exact.
Else the run is cut into equal intervals, and a value is the mean over its interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from quota_verifier.figures.columns import Columns, Ints
from quota_verifier.figures.configuration import Period, periods, units_of, window
from quota_verifier.figures.ledger import SHARE_FIELDS, amounts, terms_of
from quota_verifier.figures.usage import Usage
from quota_verifier.figures.waiting import waiting_spells
from quota_verifier.scheduler.run import UNKNOWN

Floats = NDArray[np.float64]

MOST_INTERVALS = 2000
"""More than a screen has columns, so that a picture of the whole run loses nothing."""

_DRAWN = ("own", "borrowed", "over_limit", "lent")
_ROWS = [SHARE_FIELDS.index(name) for name in _DRAWN]


@dataclass(frozen=True, slots=True)
class HeldOverTime:
    """A share on a unit: mean instances in each interval, as in `ShareLedger`, and the most that it held at once."""

    share: int
    unit: str
    own: Floats
    borrowed: Floats
    over_limit: Floats
    lent: Floats
    most: Ints


@dataclass(frozen=True, slots=True)
class WaitingOverTime:
    """A share's RUNNABLE jobs in each interval: their mean number, and the most at once."""

    mean: Floats
    most: Ints


@dataclass(frozen=True, slots=True)
class OverTime:
    """A run in intervals: interval i lasts from `edges[i]` to `edges[i + 1]`, in ms.

    `exact` where nothing changes within an interval. `held` has a row for each share and unit that the share is
    promised or held at some time, `waiting` one for each share.
    """

    edges: Ints
    exact: bool
    held: tuple[HeldOverTime, ...]
    waiting: tuple[WaitingOverTime, ...]


def over_time(table: Columns, most_intervals: int = MOST_INTERVALS) -> OverTime:
    """The run in at most `most_intervals` intervals, from its first submission to its end."""
    edges, exact = _edges(table, most_intervals)
    spells = periods(table)
    held = [row for unit in units_of(table, spells) for row in _held(table, unit, edges, spells)]
    held.sort(key=lambda row: row.share)
    return OverTime(edges, exact, tuple(held), _waiting(table, edges))


def _edges(table: Columns, most_intervals: int) -> tuple[Ints, bool]:
    start, end = window(table.run)
    at = table.events.at
    instants = np.unique(np.concatenate((at[(at > start) & (at < end)], np.array([start, end]))))
    if len(instants) <= most_intervals + 1:
        return instants, True
    return start + (end - start) * np.arange(most_intervals + 1) // most_intervals, False


def _held(table: Columns, unit: str, edges: Ints, spells: tuple[Period, ...]) -> list[HeldOverTime]:
    shares = table.run.queue.shares
    upto = np.zeros((len(_DRAWN), len(shares), len(edges)))
    most = np.zeros((len(shares), max(0, len(edges) - 1)), np.int64)
    listed = np.zeros(len(shares), np.bool_)
    usage = Usage(table, unit, int(edges[-1]))
    for spell in spells:
        terms = terms_of(spell.queue, unit, table.run.assumptions)
        listed |= terms.limit > 0
        start = spell.start_ms
        for held, lengths in usage.segments(spell):
            times = start + np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
            by_share, _ = amounts(terms, held, lengths)
            for field, row in enumerate(_ROWS):
                for share, values in enumerate(by_share[row]):
                    upto[field, share] += _sums(edges, times, values)
            for share, values in enumerate(held):
                _raise(most[share], edges, times, values)
            start = int(times[-1])
    means = np.diff(upto, axis=2) / np.maximum(np.diff(edges), 1)
    return [
        HeldOverTime(share, unit, *cast("tuple[Floats, ...]", tuple(means[:, share])), most=most[share])
        for share in range(len(shares))
        if listed[share] or most[share].any()
    ]


def _waiting(table: Columns, edges: Ints) -> tuple[WaitingOverTime, ...]:
    spells = waiting_spells(table)
    share = table.jobs.share[spells.job]
    end = np.where(spells.end == UNKNOWN, edges[-1], spells.end)
    found: list[WaitingOverTime] = []
    for index in range(len(table.run.queue.shares)):
        mine = share == index
        at = np.concatenate((spells.start[mine], end[mine]))
        change = np.repeat([1, -1], int(mine.sum()))
        times, place = np.unique(np.concatenate((at, edges[[0, -1]])), return_inverse=True)
        steps = np.zeros(len(times), np.int64)
        np.add.at(steps, place[: len(at)], change)
        count = np.cumsum(steps)[:-1]
        mean = np.diff(_sums(edges, times, count * np.diff(times))) / np.maximum(np.diff(edges), 1)
        most = np.zeros(max(0, len(edges) - 1), np.int64)
        _raise(most, edges, times, count)
        found.append(WaitingOverTime(mean, most))
    return tuple(found)


def _sums(edges: Ints, times: Ints, amount: Ints) -> Floats:
    """How much of the `amount` between each two of `times` has come by each edge."""
    upto = np.concatenate((np.zeros(1), np.cumsum(amount.astype(np.float64))))
    return np.interp(edges, times, upto)


def _raise(most: Ints, edges: Ints, times: Ints, values: Ints) -> None:
    """Raise `most` of each interval to the largest of the `values` that hold between two of `times` within it."""
    lasting = np.flatnonzero(np.diff(times) > 0)
    if not len(lasting) or not len(most):
        return
    starts, values = times[lasting], values[lasting]
    np.maximum.at(most, np.searchsorted(edges, starts, side="right") - 1, values)
    ahead = edges[:-1]
    going = np.flatnonzero((ahead >= starts[0]) & (ahead < times[-1]))
    most[going] = np.maximum(most[going], values[np.searchsorted(starts, ahead[going], side="right") - 1])
