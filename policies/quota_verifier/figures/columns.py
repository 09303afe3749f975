"""A run and its jobs as 64-bit columns, so that a figure costs one pass over arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from quota_verifier.model import Job, Queue
from quota_verifier.scheduler import columns as records
from quota_verifier.scheduler.run import Run, State
from quota_verifier.workload import columns as workload
from quota_verifier.workload.job_list import JobList

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


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
    """The spans of a run, as far as capacity goes; `end` is UNKNOWN where it never came."""

    job: Ints
    start: Ints
    end: Ints


@dataclass(frozen=True, slots=True)
class EventColumns:
    """The event log of a run; `kind` and `reason` are values of `Kind` and `Reason`, for comparison only."""

    at: Ints
    kind: records.Ints
    job: Ints
    by: Ints
    reason: records.Ints
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
    if isinstance(jobs, JobList):
        return _of_columns(queue, jobs.columns)
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
        submit=np.array([job.submit_ms for job in jobs], np.int64),
        work=np.array([job.work_ms for job in jobs], np.int64),
        shape=shape,
        shape_share=of_shape,
        demand=np.array(demands, np.int64).reshape(len(demands), len(units)),
    )


def _of_columns(queue: Queue, jobs: workload.JobColumns) -> JobColumns:
    share_of = {share.name: index for index, share in enumerate(queue.shares)}
    mentioned = [jobs.shapes[int(jobs.shape[row])].demand for row in jobs.first_rows()]
    units = tuple(dict.fromkeys(chain(queue.units, *mentioned)))
    of_shape = np.array([share_of[shape.share] for shape in jobs.shapes], np.int64)
    demands = [[shape.demand.get(unit, 0) for unit in units] for shape in jobs.shapes]
    return JobColumns(
        units=units,
        share=of_shape[jobs.shape],
        submit=np.asarray(jobs.submit_ms, np.int64),
        work=np.asarray(jobs.work_ms, np.int64),
        shape=np.asarray(jobs.shape, np.int64),
        shape_share=of_shape,
        demand=np.array(demands, np.int64).reshape(len(demands), len(units)),
    )


def columns(run: Run, jobs: JobColumns | None = None) -> Columns:
    """The records of `run` as columns; `jobs` saves work where several runs share one workload."""
    outcomes, spans, events = records.outcome_columns(run), records.span_columns(run), records.event_columns(run)
    return Columns(
        run=run,
        jobs=jobs or job_columns(run.queue, run.jobs),
        state=_wide(outcomes.state),
        reason=_wide(outcomes.reason),
        first_start=_wide(outcomes.first_start),
        end=_wide(outcomes.end),
        preemptions=_wide(outcomes.preemptions),
        lost=_wide(outcomes.lost_ms),
        spans=SpanColumns(_wide(spans.job), _wide(spans.start), _wide(spans.end)),
        events=EventColumns(
            _wide(events.at),
            events.kind,
            _wide(events.job),
            _wide(events.by),
            events.reason,
            _wide(events.value),
        ),
    )


def state_is(table: Columns, *states: State) -> Mask:
    """Which jobs ended the run in one of `states`."""
    wanted = np.zeros(len(records.STATES), np.bool_)
    wanted[[records.STATES.index(state) for state in states]] = True
    return wanted[table.state]


def _wide(column: records.Ints) -> Ints:
    return column.astype(np.int64, copy=False)
