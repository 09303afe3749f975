"""A run as claims look at it: every figure computed once, and only when some claim asks for it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from quota_verifier.figures import JobColumns, Ledger, columns, ledger
from quota_verifier.figures.census import never_mask
from quota_verifier.figures.columns import Columns, Ints, Mask
from quota_verifier.figures.entitlement import owed_waits
from quota_verifier.figures.measures import arrived
from quota_verifier.figures.summary import JobMeasures, job_measures
from quota_verifier.scheduler.events import Kind
from quota_verifier.scheduler.run import UNKNOWN, Run, Span, State


class RunView:
    """The figures of one run, on demand."""

    def __init__(self, run: Run, jobs: JobColumns) -> None:
        self.run = run
        self._jobs = jobs
        self._owed: dict[int, list[tuple[int, int, int]]] = {}

    @cached_property
    def table(self) -> Columns:
        """The run as columns."""
        return columns(self.run, self._jobs)

    @cached_property
    def of_jobs(self) -> JobMeasures:
        """The measures of every job."""
        return job_measures(self.table)

    @cached_property
    def books(self) -> Ledger:
        """The instance-time ledger."""
        return ledger(self.table)

    @cached_property
    def arrived(self) -> Mask:
        """The jobs that were submitted before the run stopped."""
        return arrived(self.table)

    @cached_property
    def never(self) -> Mask:
        """The jobs that can never start (R21)."""
        return never_mask(self.table)

    def owed(self, share: int) -> list[tuple[int, int, int]]:
        """Job, since when and for how long it was owed its share's own capacity, for each start in `share`."""
        found = self._owed.get(share)
        if found is None:
            found = self._owed[share] = owed_waits(self.table, share)
        return found

    def owed_by_members(self, members: Mask) -> tuple[Ints, Ints, Ints]:
        """As `owed`, for the jobs in `members`, as columns."""
        shares: list[int] = np.unique(self.table.jobs.share[members]).tolist()
        rows = [row for share in shares for row in self.owed(share) if members[row[0]]]
        job, since, wait = np.array(rows, np.int64).reshape(len(rows), 3).T
        return job, since, wait

    def preempted_at(self, job: int) -> list[int]:
        """The instants at which a job was preempted, in ms."""
        events = self.table.events
        return events.at[(events.job == job) & (events.kind == Kind.PREEMPTED)].tolist()

    def preempts_at(self, job: int) -> list[int]:
        """The instants at which a job preempted others, in ms."""
        events = self.table.events
        return events.at[(events.by == job) & (events.kind == Kind.PREEMPTED)].tolist()

    def longest_wait_since(self, job: int) -> int:
        """When the longest time that a job was RUNNABLE in one piece began, in ms."""
        began, longest, found = UNKNOWN, -1, self.run.jobs[job].submit_ms
        events = self.table.events
        for row in np.flatnonzero(events.job == job).tolist():
            kind, at = int(events.kind[row]), int(events.at[row])
            if kind in (Kind.SUBMITTED, Kind.REQUEUED):
                began = at
            elif kind in (Kind.DISPATCHED, Kind.FAILED) and began != UNKNOWN:
                if at - began > longest:
                    longest, found = at - began, began
                began = UNKNOWN
        return found if began == UNKNOWN else began

    def preemptors(self, job: int) -> list[int]:
        """The jobs that preempted a job, in order."""
        events = self.table.events
        return events.by[(events.job == job) & (events.kind == Kind.PREEMPTED)].tolist()

    def spans_at(self, at_ms: int) -> list[Span]:
        """The spans that hold capacity after the scheduling pass of an instant, by job."""
        spans = self.table.spans
        held = (spans.start <= at_ms) & ((spans.end > at_ms) | (spans.end == UNKNOWN))
        rows: list[int] = np.flatnonzero(held).tolist()
        return sorted((self.run.spans[row] for row in rows), key=lambda span: span.job)

    def states_at(self, at_ms: int) -> list[State]:
        """The state of every job after the scheduling pass of an instant."""
        states = [
            State.SUBMITTED
            if job.submit_ms > at_ms
            else outcome.state
            if UNKNOWN < outcome.end <= at_ms
            else State.RUNNABLE
            for job, outcome in zip(self.run.jobs, self.run.outcomes, strict=True)
        ]
        for span in self.spans_at(at_ms):
            running = UNKNOWN < span.run <= at_ms
            states[span.job] = State.RUNNING if running else State.SCHEDULED
        return states
