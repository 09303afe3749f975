"""The tables at the end of a run -> the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from quota_verifier.model import Job, Queue, Update
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.columns import OutcomeColumns, SpanColumns
from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel.event_log import event_records
from quota_verifier.scheduler.kernel.layout import NOWHERE, PLACED, STOPPING, WAITING, Table
from quota_verifier.scheduler.kernel.shapes import Lane
from quota_verifier.scheduler.kernel.tables import Tables
from quota_verifier.scheduler.kernel.world import World
from quota_verifier.scheduler.records import Records, read_outcomes, read_spans
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload.columns import JobColumns


def result(
    queue: Queue,
    in_force: Queue,
    jobs: Sequence[Job],
    columns: JobColumns,
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None,
    tables: Tables,
) -> Run:
    """The run, whose records are views of the tables. `in_force` is the configuration at the end."""
    world = tables.world
    end_ms = _last_instant(world) if until_ms is None else until_ms
    spans = world["spans"][: world.get("rows")]
    texts = [text for _, text in tables.verdicts]
    if world.get("submitted") < len(jobs) or world.get("waiting") or world.get("placed") or world.get("stopping"):
        _name_states(world, end_ms)
        _explain_waiting(world, in_force, tables.lanes, assumptions, texts)
        _close_spans(world, end_ms)
    if world.get("unsorted"):
        _put_in_order(spans)
    outcomes = _outcome_columns(world["jobs"], tuple(texts))
    return Run(
        queue=queue,
        jobs=jobs,
        updates=updates,
        assumptions=assumptions,
        timing=timing,
        outcomes=Records(len(jobs), lambda: outcomes, read_outcomes),
        spans=Records(len(spans), lambda: _span_columns(spans), read_spans),
        events=event_records(world, columns),
        end_ms=end_ms,
        engine="kernel",
    )


def _last_instant(world: World) -> int:
    count = world.get("events")
    return int(world["events"][count - 1]["at"]) if count else 0


def _name_states(world: World, end_ms: int) -> None:
    """States of the jobs that are not over."""
    jobs, spans = world["jobs"], world["spans"]
    unsubmitted = jobs[world.get("submitted") :]
    unsubmitted["first_start"] = unsubmitted["end"] = NOWHERE
    jobs["state"][jobs["phase"] == WAITING] = codes.STATE_RUNNABLE
    holding = np.flatnonzero((jobs["phase"] == PLACED) | (jobs["phase"] == STOPPING))
    run = spans["run"][jobs["row"][holding] - 1]
    running = (run != NOWHERE) & (run <= end_ms)
    jobs["state"][holding] = np.where(running, codes.STATE_RUNNING, codes.STATE_SCHEDULED)


def _explain_waiting(
    world: World, in_force: Queue, lanes: Sequence[Lane], assumptions: Assumptions, texts: list[str]
) -> None:
    """Say of each waiting job whether it can never start (R21)."""
    jobs = world["jobs"]
    waiting = np.flatnonzero(jobs["phase"] == WAITING)
    jobs["verdict"][waiting] = len(texts) + jobs["lane"][waiting]
    for lane in lanes:
        never = never_schedulable(in_force, in_force.shares[lane.share], lane.demand, assumptions.borrow_rounding)
        texts.append(never.status_reason if never else "")


def _close_spans(world: World, end_ms: int) -> None:
    """Mark the spans that are still open: until now they said how they were to end."""
    jobs, spans = world["jobs"], world["spans"]
    rows: Table = jobs["row"][(jobs["phase"] == PLACED) | (jobs["phase"] == STOPPING)] - 1
    preempted = np.isin(spans["how"][rows], (codes.HOW_CROSS_SHARE, codes.HOW_IN_SHARE))
    spans["by"][rows[~preempted]] = NOWHERE
    spans["how"][rows] = codes.HOW_OPEN
    spans["run"][rows[spans["run"][rows] > end_ms]] = NOWHERE


def _put_in_order(spans: Table) -> None:
    """Order by start, job and attempt: of the spans, which stand by dispatch, only those of one start may move."""
    start, job = spans["start"], spans["job"]
    wrong = np.flatnonzero((start[1:] == start[:-1]) & (job[1:] < job[:-1]))
    if len(wrong):
        starts = np.unique(start[wrong])
        first, last = np.searchsorted(start, starts, "left"), np.searchsorted(start, starts, "right")
        sizes = last - first
        within = np.arange(int(sizes.sum()))
        rows = cast("Table", np.repeat(first - np.cumsum(sizes) + sizes, sizes)) + within
        moved = spans[rows]
        spans[rows] = moved[np.lexsort((moved["attempt"], moved["job"], moved["start"]))]


def _span_columns(spans: Table) -> SpanColumns:
    return SpanColumns(
        job=spans["job"],
        attempt=spans["attempt"],
        start=spans["start"],
        run=spans["run"],
        stop=spans["stop"],
        end=spans["end"],
        how=spans["how"],
        by=spans["by"],
        lost_ms=spans["lost"],
    )


def _outcome_columns(jobs: Table, details: tuple[str, ...]) -> OutcomeColumns:
    return OutcomeColumns(
        state=jobs["state"],
        reason=jobs["reason"],
        detail=jobs["verdict"],
        details=details,
        first_start=jobs["first_start"],
        end=jobs["end"],
        preemptions=jobs["preemptions"],
        lost_ms=jobs["lost"],
    )
