"""When jobs waited: from each submission or re-queue until they left the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quota_verifier.figures.columns import Columns, Ints
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.run import UNKNOWN


@dataclass(frozen=True, slots=True)
class WaitingSpells:
    """Every time in one piece that a job was RUNNABLE, in ms; `end` is UNKNOWN where the job still was."""

    job: Ints
    start: Ints
    end: Ints


def waiting_spells(table: Columns) -> WaitingSpells:
    """The spells of a run, by job and time.

    Whatever happens next to a waiting job but a new priority takes it out of the line: it is dispatched, refused,
    terminated or failed.
    """
    events = table.events
    rows = np.flatnonzero(~np.isin(events.kind, (Kind.REPRIORITIZED, Kind.CONFIGURED)))
    rows = rows[np.argsort(events.job[rows], kind="stable")]
    at, job = events.at[rows], events.job[rows]
    left = np.full(len(rows), UNKNOWN, np.int64)
    same = job[1:] == job[:-1]
    left[:-1][same] = at[1:][same]
    enters = np.isin(events.kind[rows], (Kind.SUBMITTED, Kind.REQUEUED))
    return WaitingSpells(job[enters], at[enters], left[enters])
