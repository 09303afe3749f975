"""Where every job went: conservation (I8), jobs that can never start (R21), jobs left unfinished."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quota_verifier.figures.columns import Columns, JobColumns, Mask, state_is
from quota_verifier.model import Queue, Rounding
from quota_verifier.schedulability import NeverSchedulable, never_schedulable
from quota_verifier.scheduler.run import State


@dataclass(frozen=True, slots=True)
class Census:
    """Counts of jobs. `jobs` is the sum of the other six (I8, and those that come after the horizon).

    `never_schedulable` counts those of them that still wait; one that a time limit ended is `failed`.
    """

    jobs: int
    succeeded: int
    failed: int
    rejected: int
    never_schedulable: int
    unfinished: int
    not_submitted: int


@dataclass(frozen=True, slots=True)
class NeverJob:
    """A job that can never start under the queue's initial configuration, and the largest that could."""

    id: str
    share: str
    state: str
    unit: str
    asked: int
    largest: int
    reason: str


@dataclass(frozen=True, slots=True)
class UnfinishedJob:
    """A job that was submitted and had not ended when the simulation stopped."""

    id: str
    share: str
    state: str
    reason: str


def never_verdicts(queue: Queue, jobs: JobColumns, rounding: Rounding) -> list[NeverSchedulable | None]:
    """R21's verdict on each shape of job (`JobColumns.shape`) under the configuration of `queue`."""
    verdicts: list[NeverSchedulable | None] = []
    shares: list[int] = jobs.shape_share.tolist()
    demands: list[list[int]] = jobs.demand.tolist()
    for share, row in zip(shares, demands, strict=True):
        demand = {unit: asked for unit, asked in zip(jobs.units, row, strict=True) if asked}
        verdicts.append(never_schedulable(queue, queue.shares[share], demand, rounding))
    return verdicts


def never_mask(table: Columns) -> Mask:
    """Jobs that can never start under the initial configuration, whatever became of them."""
    verdicts = never_verdicts(table.run.queue, table.jobs, table.run.assumptions.borrow_rounding)
    return np.array([verdict is not None for verdict in verdicts], np.bool_)[table.jobs.shape]


def never_jobs(table: Columns) -> tuple[NeverJob, ...]:
    """The jobs that can never start, with AWS's reason (R21), in canonical order."""
    verdicts = never_verdicts(table.run.queue, table.jobs, table.run.assumptions.borrow_rounding)
    found: list[NeverJob] = []
    rows: list[int] = np.flatnonzero(never_mask(table)).tolist()
    for row in rows:
        job, why = table.run.jobs[row], verdicts[int(table.jobs.shape[row])]
        if why is not None:
            state = table.run.outcomes[row].state.value
            found.append(NeverJob(job.id, job.share, state, why.unit, why.asked, why.largest, why.status_reason))
    return tuple(found)


def unfinished_jobs(table: Columns) -> tuple[UnfinishedJob, ...]:
    """The jobs that were submitted, can start, and had not ended, in canonical order."""
    rows = np.flatnonzero(_open(table) & ~(never_mask(table) & state_is(table, State.RUNNABLE)))
    found: list[UnfinishedJob] = []
    for row in rows.tolist():
        job, outcome = table.run.jobs[row], table.run.outcomes[row]
        found.append(UnfinishedJob(job.id, job.share, outcome.state.value, outcome.detail))
    return tuple(found)


def census(table: Columns, members: Mask | None = None) -> Census:
    """The counts over the jobs in `members`, or over all."""
    chosen = np.ones(len(table.state), np.bool_) if members is None else members
    never = never_mask(table) & state_is(table, State.RUNNABLE)

    def count(mask: Mask) -> int:
        return int((mask & chosen).sum())

    return Census(
        jobs=int(chosen.sum()),
        succeeded=count(state_is(table, State.SUCCEEDED)),
        failed=count(state_is(table, State.FAILED)),
        rejected=count(state_is(table, State.REJECTED)),
        never_schedulable=count(never),
        unfinished=count(_open(table) & ~never),
        not_submitted=count(state_is(table, State.SUBMITTED)),
    )


def _open(table: Columns) -> Mask:
    return state_is(table, State.RUNNABLE, State.SCHEDULED, State.RUNNING)
