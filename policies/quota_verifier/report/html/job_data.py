"""The jobs of a run and their runs on capacity, as columns for the page to draw, filter and list."""

from __future__ import annotations

import numpy as np

from quota_verifier.figures.columns import Columns, Ints
from quota_verifier.report.html.encode import Encoded, numbers
from quota_verifier.scheduler.columns import STATES, outcome_columns, span_columns
from quota_verifier.scheduler.events import Kind, Reason
from quota_verifier.scheduler.run import UNKNOWN, How
from quota_verifier.workload.columns import JobColumns, columns_of


def job_data(table: Columns) -> dict[str, object]:
    """One row a job, in canonical order. `end` is after the end of its last span, or after submission without any."""
    run, jobs = table.run, columns_of(table.run.jobs)
    outcomes = outcome_columns(run)
    last = np.array(table.jobs.submit)
    np.maximum.at(last, table.spans.job, table.spans.end)
    return {
        "ids": numbers(jobs.ids) if isinstance(jobs.ids, np.ndarray) else list(jobs.ids),
        "shape": numbers(table.jobs.shape),
        "shapes": [
            {"share": share, "demand": _demand(table, row), "instances": sum(row)}
            for share, row in zip(table.jobs.shape_share.tolist(), table.jobs.demand.tolist(), strict=True)
        ],
        "submit": numbers(table.jobs.submit),
        "work": numbers(table.jobs.work),
        "priority": _whole(jobs, jobs.priority),
        "labels": _whole(jobs, jobs.labels),
        "labelSets": [[f"{key}={value}" for key, value in labels.items()] for labels in jobs.label_sets],
        "state": numbers(outcomes.state),
        "states": [state.value for state in STATES],
        "detail": numbers(outcomes.detail),
        "details": list(outcomes.details),
        "end": numbers(np.where(table.end == UNKNOWN, -1, table.end - last)),
    }


def span_data(table: Columns) -> dict[str, object]:
    """One row a span, by job and time, all times relative to what came before; -1 for what never came.

    `wait` is from submission, or the end of the span before, to dispatch; `ready` from there to RUNNING; `busy` from
    dispatch until no more progress is made; `stop` from there to the release.
    """
    spans = span_columns(table.run)
    order = np.lexsort((spans.attempt, spans.start, spans.job))
    job, start, run = (_wide(column)[order] for column in (spans.job, spans.start, spans.run))
    stop, end, by = (_wide(column)[order] for column in (spans.stop, spans.end, spans.by))
    again = np.zeros(len(job), np.bool_)
    again[1:] = job[1:] == job[:-1]
    before = np.where(again, np.roll(end, 1), table.jobs.submit[job])
    return {
        "count": numbers(np.bincount(job, minlength=len(table.state))),
        "wait": numbers(start - before),
        "ready": numbers(np.where(run == UNKNOWN, -1, run - start)),
        "busy": numbers(np.where(stop == UNKNOWN, -1, stop - start)),
        "stop": numbers(np.where((end == UNKNOWN) | (stop == UNKNOWN), -1, end - stop)),
        "how": numbers(spans.how[order]),
        "hows": [how.label for how in How],
        "by": numbers(by),
        "lost": numbers(spans.lost_ms[order]),
        "borrowed": numbers(_borrowed(table)),
    }


def _borrowed(table: Columns) -> Ints:
    """Whether each span was dispatched on borrowed capacity, by job and time."""
    events = table.events
    rows = np.flatnonzero(events.kind == Kind.DISPATCHED)
    rows = rows[np.argsort(events.job[rows], kind="stable")]
    return (events.reason[rows] == Reason.BORROWED_CAPACITY).astype(np.int64)


def _demand(table: Columns, row: list[int]) -> str:
    return ", ".join(f"{asked} {unit}" for unit, asked in zip(table.jobs.units, row, strict=True) if asked)


def _whole(jobs: JobColumns, column: object) -> Encoded:
    return numbers(np.zeros(len(jobs.submit_ms), np.int64) + np.asarray(column, np.int64))


def _wide(column: object) -> Ints:
    return np.asarray(column, np.int64)
