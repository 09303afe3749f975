"""The tables at the end of a run -> the run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quota_verifier.model import Job, Queue, Update
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.columns import STATES, EventColumns, OutcomeColumns, SpanColumns
from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.kernel import codes, layout
from quota_verifier.scheduler.kernel.layout import NOWHERE, Table
from quota_verifier.scheduler.kernel.tables import Tables
from quota_verifier.scheduler.kernel.world import World
from quota_verifier.scheduler.records import Records
from quota_verifier.scheduler.run import How, Outcome, Run, Span, State
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload.columns import JobColumns

_KINDS = {int(kind): kind for kind in Kind}
_REASONS = {int(reason): reason for reason in Reason}
_HOWS = {int(how): how for how in How}
_CODES = {state: code for code, state in enumerate(STATES)}


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
    end_ms = world.get("now") if until_ms is None else until_ms
    spans = world["spans"][: world.get("rows")]
    outcomes = _outcomes(world, tables, in_force, assumptions, end_ms)
    _close_books(world, end_ms)
    _put_in_order(spans)
    events = _events(world, columns)
    return Run(
        queue=queue,
        jobs=jobs,
        updates=updates,
        assumptions=assumptions,
        timing=timing,
        outcomes=Records(outcomes, len(outcomes.state), _read_outcomes),
        spans=Records(_span_columns(spans), len(spans), _read_spans),
        events=Records(events, len(events.at), _read_events),
        end_ms=end_ms,
        engine="kernel",
    )


def _outcomes(world: World, tables: Tables, in_force: Queue, assumptions: Assumptions, end_ms: int) -> OutcomeColumns:
    jobs = world["jobs"]
    unsubmitted = jobs[world.get("submitted") :]
    unsubmitted["first_start"] = unsubmitted["end"] = NOWHERE
    phase = jobs["phase"]
    placed, scheduled = _CODES[State.RUNNING], _CODES[State.SCHEDULED]
    state_of = np.array([_CODES[_STATES[p]] for p in range(len(_STATES))], np.int8)
    state = state_of[phase]
    rows = np.flatnonzero((phase == layout.PLACED) | (phase == layout.STOPPING))
    runs = world["spans"]["run"][jobs["row"][rows] - 1]
    state[rows] = np.where((runs >= 0) & (runs <= end_ms), placed, scheduled)
    texts = list(tables.verdicts)
    detail = jobs["verdict"]
    waiting = np.flatnonzero(phase == layout.WAITING)
    if len(waiting):
        first = len(texts)
        for lane in tables.lanes:
            share = in_force.shares[lane.share]
            never = never_schedulable(in_force, share, lane.demand, assumptions.borrow_rounding)
            texts.append((Reason.NONE, never.status_reason if never else ""))
        detail[waiting] = first + jobs["lane"][waiting]
    return OutcomeColumns(
        state=state,
        reason=np.array([int(reason) for reason, _ in texts], np.int8)[detail],
        detail=detail,
        details=tuple(text for _, text in texts),
        first_start=jobs["first_start"],
        end=jobs["end"],
        preemptions=jobs["preemptions"],
        lost_ms=jobs["lost"],
    )


_STATES = (
    State.SUBMITTED, State.RUNNABLE, State.SCHEDULED, State.SCHEDULED, State.SUCCEEDED, State.FAILED, State.REJECTED,
)  # fmt: skip
"""By phase; a job that holds capacity is RUNNING or SCHEDULED."""


def _close_books(world: World, end_ms: int) -> None:
    """Mark the spans that are still open: until now they said how they were to end."""
    jobs, spans = world["jobs"], world["spans"]
    for phase in (layout.PLACED, layout.STOPPING):
        rows = jobs["row"][jobs["phase"] == phase] - 1
        preempted = np.isin(spans["how"][rows], (codes.HOW_CROSS_SHARE, codes.HOW_IN_SHARE))
        spans["by"][rows[~preempted]] = NOWHERE
        spans["how"][rows] = codes.HOW_OPEN
        spans["run"][rows[spans["run"][rows] > end_ms]] = NOWHERE


def _put_in_order(spans: Table) -> None:
    """Order by start, job and attempt: spans stand by dispatch, so only those of one start may have to move."""
    start, job = spans["start"], spans["job"]
    wrong = np.flatnonzero((start[1:] == start[:-1]) & (job[1:] < job[:-1]))
    if len(wrong):
        starts = np.unique(start[wrong])
        first, last = np.searchsorted(start, starts, "left"), np.searchsorted(start, starts, "right")
        sizes = last - first
        rows = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
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


def _events(world: World, columns: JobColumns) -> EventColumns:
    events = world["events"][: world.get("events")]
    notes = world["notes"][: world.get("notes")]
    by = np.full(len(events), NOWHERE, np.int32)
    by[notes["event"]] = notes["by"]
    value = np.zeros(len(events), np.int64)
    value[notes["event"]] = notes["value"]
    if np.any(columns.priority):
        new = np.flatnonzero(events["kind"] == codes.SUBMITTED)
        value[new] = np.broadcast_to(columns.priority, len(columns.submit_ms))[events["job"][new]]
    return EventColumns(
        at=events["at"], kind=events["kind"], job=events["job"], by=by, reason=events["reason"], value=value
    )


def _read_events(columns: EventColumns, first: int, last: int) -> list[Event]:
    part = slice(first, last)
    kinds, reasons = columns.kind[part].tolist(), columns.reason[part].tolist()
    return [
        Event(at, _KINDS[kind], job, by, _REASONS[reason], value)
        for at, kind, job, by, reason, value in zip(
            columns.at[part].tolist(),
            kinds,
            columns.job[part].tolist(),
            columns.by[part].tolist(),
            reasons,
            columns.value[part].tolist(),
            strict=True,
        )
    ]


def _read_spans(columns: SpanColumns, first: int, last: int) -> list[Span]:
    part = slice(first, last)
    values = (
        columns.job, columns.attempt, columns.start, columns.run, columns.stop, columns.end, columns.how, columns.by,
        columns.lost_ms,
    )  # fmt: skip
    rows = zip(*(column[part].tolist() for column in values), strict=True)
    return [Span(*row[:6], _HOWS[row[6]], *row[7:]) for row in rows]


def _read_outcomes(columns: OutcomeColumns, first: int, last: int) -> list[Outcome]:
    part = slice(first, last)
    values = (
        columns.state, columns.reason, columns.detail, columns.first_start, columns.end, columns.preemptions,
        columns.lost_ms,
    )  # fmt: skip
    return [
        Outcome(STATES[state], _REASONS[reason], columns.details[detail], *rest)
        for state, reason, detail, *rest in zip(*(column[part].tolist() for column in values), strict=True)
    ]
