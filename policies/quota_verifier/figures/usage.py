"""What every share held of a unit over time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quota_verifier.figures.columns import Columns, Ints
from quota_verifier.figures.configuration import Period
from quota_verifier.scheduler.run import UNKNOWN

_AT_ONCE = 1 << 16
"""Segments given out together: bounds the memory, whatever the length of the run."""


class Usage:
    """U of every share on one unit as a step function of time."""

    def __init__(self, table: Columns, unit: str, end: int) -> None:
        spans, jobs = table.spans, table.jobs
        asked = jobs.of_unit(unit)[spans.job] if unit in jobs.units else np.zeros(len(spans.job), np.int64)
        rows: Ints = np.flatnonzero(asked)
        released = np.where(spans.end[rows] == UNKNOWN, end, spans.end[rows])
        at: Ints = np.concatenate((spans.start[rows], released))
        order = np.argsort(at, kind="stable")
        self._share: Ints = np.tile(jobs.share[spans.job[rows]], 2)[order]
        self._change: Ints = np.concatenate((asked[rows], -asked[rows]))[order]
        times, first = np.unique(at[order], return_index=True)
        self._times: Ints = times
        self._first: Ints = np.append(first, len(at))
        self._held: Ints = np.zeros(len(table.run.queue.shares), np.int64)
        self._next = 0

    def segments(self, spell: Period) -> Iterator[tuple[Ints, Ints]]:
        """Usage (a row for each share) and length of the segments of `spell`; spells must come in order."""
        self._advance(int(np.searchsorted(self._times, spell.start_ms, side="right")))
        last = int(np.searchsorted(self._times, spell.end_ms, side="left"))
        start = spell.start_ms
        while self._next < last:
            upto = min(last, self._next + _AT_ONCE)
            times = self._times[self._next : upto]
            held = self._advance(upto)
            yield held[:, :-1], np.diff(times, prepend=start)
            start = int(times[-1])
        yield self._held[:, None], np.array([spell.end_ms - start], np.int64)

    def _advance(self, upto: int) -> Ints:
        """Usage now and after each of the instants up to `upto`, which is not among them."""
        steps = np.zeros((len(self._held), 1 + max(0, upto - self._next)), np.int64)
        steps[:, 0] = self._held
        if upto > self._next:
            first, last = int(self._first[self._next]), int(self._first[upto])
            column = np.repeat(np.arange(1, steps.shape[1]), np.diff(self._first[self._next : upto + 1]))
            np.add.at(steps, (self._share[first:last], column), self._change[first:last])
            self._next = upto
        held = np.cumsum(steps, axis=1)
        self._held = held[:, -1]
        return held
