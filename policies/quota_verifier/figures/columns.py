"""The records of a run as numpy columns, so that a figure costs one pass over arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from quota_verifier.model import Job, Queue
from quota_verifier.scheduler.run import Run, State

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

STATES: tuple[State, ...] = tuple(State)
"""The codes of `Columns.state` are positions in this tuple."""

_STATE_CODE = {state: code for code, state in enumerate(STATES)}


@dataclass(frozen=True, slots=True)
class JobColumns:
    """What jobs ask for; the same for every run of one workload on one queue.

    `share` is the position in `Queue.shares`. Jobs of one share and demand have one `shape`; row i of
    `demand` is what shape i asks for, one column for each of `units`.
    """

    units: tuple[str, ...]
    share: Ints
    submit: Ints
    work: Ints
    shape: Ints
    shape_share: Ints
    demand: Ints

    @property
    def instances(self) -> Ints:
        """Instances of each job over all units."""
        return self.demand.sum(axis=1)[self.shape]

    def of_unit(self, unit: str) -> Ints:
        """Instances of `unit` that each job asks for."""
        return self.demand[:, self.units.index(unit)][self.shape]


@dataclass(frozen=True, slots=True)
class SpanColumns:
    """The spans of a run; `how` is a value of `How`, times are UNKNOWN where they never came."""

    job: Ints
    start: Ints
    end: Ints


@dataclass(frozen=True, slots=True)
class EventColumns:
    """The event log of a run; `kind` and `reason` are values of `Kind` and `Reason`."""

    at: Ints
    kind: Ints
    job: Ints
    by: Ints
    reason: Ints
    value: Ints


@dataclass(frozen=True, slots=True)
class Columns:
    """A run as columns. Outcome columns have one row for each job."""

    run: Run
    jobs: JobColumns
    state: Ints
    reason: Ints
    first_start: Ints
    end: Ints
    preemptions: Ints
    lost: Ints
    spans: SpanColumns
    events: EventColumns


def job_columns(queue: Queue, jobs: Sequence[Job]) -> JobColumns:
    """The columns of `jobs`, which must all belong to shares of `queue` (KeyError otherwise)."""
    share_of = {share.name: index for index, share in enumerate(queue.shares)}
    units = tuple(dict.fromkeys(chain(queue.units, (unit for job in jobs for unit in job.demand))))
    shapes: dict[tuple[object, ...], int] = {}
    demands: list[list[int]] = []
    shape_share: list[int] = []
    shape = np.empty(len(jobs), np.int64)
    for row, job in enumerate(jobs):
        key = (job.share, *job.demand.items())
        code = shapes.get(key)
        if code is None:
            code = shapes[key] = len(shapes)
            demands.append([job.demand.get(unit, 0) for unit in units])
            shape_share.append(share_of[job.share])
        shape[row] = code
    of_shape = np.array(shape_share, np.int64)
    return JobColumns(
        units=units,
        share=of_shape[shape],
        submit=_column([job.submit_ms for job in jobs]),
        work=_column([job.work_ms for job in jobs]),
        shape=shape,
        shape_share=of_shape,
        demand=np.array(demands, np.int64).reshape(len(demands), len(units)),
    )


def columns(run: Run, jobs: JobColumns | None = None) -> Columns:
    """The records of `run` as columns; `jobs` saves work where several runs share one workload."""
    states, reasons, _, first_starts, ends, preemptions, lost = (
        zip(*run.outcomes, strict=True) if run.outcomes else ((),) * 7
    )
    spans = _table(run.spans, 9)
    events = _table(run.events, 6)
    return Columns(
        run=run,
        jobs=jobs or job_columns(run.queue, run.jobs),
        state=_column([_STATE_CODE[state] for state in states]),
        reason=_column(reasons),
        first_start=_column(first_starts),
        end=_column(ends),
        preemptions=_column(preemptions),
        lost=_column(lost),
        spans=SpanColumns(job=spans[:, 0], start=spans[:, 2], end=spans[:, 5]),
        events=EventColumns(*(events[:, column] for column in range(6))),
    )


def state_is(table: Columns, *states: State) -> Mask:
    """Which jobs ended the run in one of `states`."""
    return np.isin(table.state, [_STATE_CODE[state] for state in states])


def _column(values: Sequence[int]) -> Ints:
    return np.array(values, np.int64)


def _table(records: Sequence[tuple[int, ...]], width: int) -> Ints:
    flat = np.fromiter(chain.from_iterable(records), np.int64, count=width * len(records))
    return flat.reshape(len(records), width)
