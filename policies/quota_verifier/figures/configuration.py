"""Which configuration was in force when: the updates of a run as a list of periods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quota_verifier.figures.columns import Columns
from quota_verifier.model import JobUpdate, Queue
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.reference.changes import configured
from quota_verifier.scheduler.run import Run


@dataclass(frozen=True, slots=True)
class Period:
    """A time, in ms, during which the queue's configuration did not change; `end_ms` is not part of it."""

    start_ms: int
    end_ms: int
    queue: Queue


def window(run: Run) -> tuple[int, int]:
    """The time that figures speak of: from the first submission to the end of the run, in ms."""
    start = run.jobs[0].submit_ms if run.jobs else 0
    return min(start, run.end_ms), run.end_ms


def units_of(table: Columns, spells: tuple[Period, ...]) -> tuple[str, ...]:
    """Every unit that a job asks for or the queue lists at some time, in order of first mention."""
    listed = dict.fromkeys(table.jobs.units)
    for spell in spells:
        listed.update(dict.fromkeys(spell.queue.units))
    return tuple(listed)


def periods(table: Columns) -> tuple[Period, ...]:
    """The periods of a run's window, in order and without gaps; none where the window is empty."""
    run, (start, end) = table.run, window(table.run)
    queue = run.queue
    found: list[Period] = []
    rows: list[int] = np.flatnonzero(table.events.kind == Kind.CONFIGURED).tolist()
    for row in rows:
        at, update = int(table.events.at[row]), run.updates[int(table.events.value[row])]
        if isinstance(update, JobUpdate):
            raise AssertionError(f"CONFIGURED at {at} ms names a job update")
        if at > start:
            found.append(Period(start, at, queue))
            start = at
        queue = configured(queue, update)
    found.append(Period(start, end, queue))
    return tuple(period for period in found if period.start_ms < period.end_ms)
