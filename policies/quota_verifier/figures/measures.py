"""What each job went through, one number a job: wait, turnaround, slowdown, work lost and done."""

from __future__ import annotations

import numpy as np

from quota_verifier.figures.columns import Columns, Ints, Mask, state_is
from quota_verifier.figures.distribution import LEFT_OUT, UNBOUNDED
from quota_verifier.scheduler.events import NOBODY, Kind, Reason
from quota_verifier.scheduler.run import UNKNOWN, State

SLOWDOWN_SCALE = 1000
"""Slowdown is kept in thousandths, rounded up, so that it stays a whole number."""

_DENIED = (Reason.PREEMPTION_RETRIES_EXHAUSTED, Reason.TIME_LIMIT)
"""Ways to fail that are the queue's doing, not the job's."""


def arrived(table: Columns) -> Mask:
    """Jobs that were submitted before the simulation stopped; no measure speaks of the others."""
    return ~state_is(table, State.SUBMITTED)


def withdrawn(table: Columns) -> Mask:
    """Jobs that their owner terminated before they ever started (TerminateServiceJob)."""
    return (table.first_start == UNKNOWN) & (table.reason == Reason.REQUESTED) & state_is(table, State.FAILED)


def waits(table: Columns) -> Ints:
    """First start less submission, in ms.

    UNBOUNDED for a job that never started: still waiting, rejected, or terminated by a time limit. A job
    that its owner withdrew waited until then.
    """
    started = table.first_start != UNKNOWN
    until = np.where(started, table.first_start, table.end)
    wait = np.where(started | withdrawn(table), until - table.jobs.submit, UNBOUNDED)
    return np.where(arrived(table), wait, LEFT_OUT)


def turnarounds(table: Columns) -> Ints:
    """End less submission, in ms.

    UNBOUNDED for a job that the queue did not let end: unfinished, rejected, or failed for its preemption
    retries or a time limit. A job that failed by its own fault or its owner's request has ended.
    """
    ended = _ended(table)
    return np.where(arrived(table), np.where(ended, table.end - table.jobs.submit, UNBOUNDED), LEFT_OUT)


def slowdowns(table: Columns) -> Ints:
    """Turnaround over work, in thousandths, rounded up.

    Left out: jobs without work (the ratio does not exist) and those that failed by their own fault
    or were terminated (they did not do their work). UNBOUNDED as for the turnaround.
    """
    work = table.jobs.work
    turnaround = turnarounds(table)
    ratio = -(-(table.end - table.jobs.submit) * SLOWDOWN_SCALE // np.maximum(work, 1))
    value = np.where(state_is(table, State.SUCCEEDED), ratio, UNBOUNDED)
    counted = (turnaround != LEFT_OUT) & (work > 0) & ~(state_is(table, State.FAILED) & _ended(table))
    return np.where(counted, value, LEFT_OUT)


def longest_waits(table: Columns) -> Ints:
    """The longest time in one piece that a job was RUNNABLE, re-queues included, in ms.

    UNBOUNDED where it still was when the simulation stopped, or a time limit ended it.
    """
    events = table.events
    rows = np.flatnonzero(np.isin(events.kind, (Kind.SUBMITTED, Kind.REQUEUED, Kind.DISPATCHED, Kind.FAILED)))
    rows = rows[np.argsort(events.job[rows], kind="stable")]
    at, kind, job, reason = events.at[rows], events.kind[rows], events.job[rows], events.reason[rows]
    waiting = np.isin(kind, (Kind.SUBMITTED, Kind.REQUEUED))
    followed = np.zeros(len(rows), np.bool_)
    followed[:-1] = job[1:] == job[:-1]
    spell = np.full(len(rows), UNBOUNDED)
    denied = np.isin(reason, _DENIED) & (kind == Kind.FAILED)
    over = np.flatnonzero(waiting & followed)
    spell[over] = np.where(denied[over + 1], UNBOUNDED, at[over + 1] - at[over])
    longest = np.where(arrived(table), np.where(state_is(table, State.REJECTED), UNBOUNDED, 0), LEFT_OUT)
    np.maximum.at(longest, job[waiting], spell[waiting])
    return longest


def lost_work(table: Columns) -> Ints:
    """Work that preemptions threw away (R4), as instances x ms."""
    return instance_time(table.lost, table.jobs.instances)


def delivered_work(table: Columns) -> Ints:
    """Work of the jobs that succeeded, as instances x ms; 0 for the others."""
    return np.where(state_is(table, State.SUCCEEDED), instance_time(table.jobs.work, table.jobs.instances), 0)


def preemptions(table: Columns, reason: Reason) -> tuple[Ints, Ints]:
    """Preemptions for `reason` (RECLAIM or IN_SHARE): those that each job suffered, and those it caused."""
    count = len(table.state)
    chosen = (table.events.kind == Kind.PREEMPTED) & (table.events.reason == reason)
    by = table.events.by[chosen]
    suffered = np.bincount(table.events.job[chosen], minlength=count)
    return suffered.astype(np.int64), np.bincount(by[by != NOBODY], minlength=count).astype(np.int64)


def instance_time(ms: Ints, instances: Ints) -> Ints:
    """`ms` times `instances`, as Python integers where 64 bits might not do."""
    if not len(ms) or int(ms.max()) * int(instances.max()) < UNBOUNDED:
        return ms * instances
    return ms.astype(object) * instances


def _ended(table: Columns) -> Mask:
    denied = np.isin(table.reason, _DENIED)
    return state_is(table, State.SUCCEEDED) | (state_is(table, State.FAILED) & ~denied)
