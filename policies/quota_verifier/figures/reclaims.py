"""How long owners took to get lent capacity back: from the first preemption for a job to its start."""

from __future__ import annotations

import numpy as np

from quota_verifier.figures.columns import Columns, Ints
from quota_verifier.figures.distribution import UNBOUNDED
from quota_verifier.scheduler.events import Kind, Reason


def reclaim_latencies(table: Columns) -> tuple[Ints, Ints]:
    """The owner job of each reclaim (R13) and its latency in ms, in order of job and time.

    A reclaim is the preemptions by one job, for reason RECLAIM, since that job's last start; it lasts
    from the first of them to the job's next DISPATCHED. UNBOUNDED where the job never started after it.
    """
    events = table.events
    preempts = (events.kind == Kind.PREEMPTED) & (events.reason == Reason.RECLAIM)
    rows = np.flatnonzero(preempts | (events.kind == Kind.DISPATCHED))
    owner = np.where(preempts, events.by, events.job)[rows]
    order = np.argsort(owner, kind="stable")
    rows, owner = rows[order], owner[order]
    opens = preempts[rows]
    first = opens.copy()
    first[1:] &= ~(opens[:-1] & (owner[1:] == owner[:-1]))
    starts = np.flatnonzero(first)
    closings = np.append(np.flatnonzero(~opens), len(rows))
    closing = closings[np.searchsorted(closings, starts)]
    closed = closing < len(rows)
    closed[closed] = owner[closing[closed]] == owner[starts[closed]]
    latency = np.full(len(starts), UNBOUNDED)
    latency[closed] = events.at[rows[closing[closed]]] - events.at[rows[starts[closed]]]
    return owner[starts], latency
