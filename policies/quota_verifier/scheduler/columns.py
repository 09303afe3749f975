"""The records of a run as numpy columns, whichever engine made it; equal rows to those of the sequences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

import numpy as np
from numpy.typing import NDArray

from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.records import Records
from quota_verifier.scheduler.run import Outcome, Run, Span, State

Ints = NDArray[np.integer]
"""Whole numbers. Times and values are int64; indexes and codes may be narrower, so widen them before arithmetic."""

STATES: tuple[State, ...] = tuple(State)
"""The codes of `OutcomeColumns.state` are positions in this tuple."""


@dataclass(frozen=True, slots=True)
class EventColumns:
    """The event log; `kind` and `reason` are values of `Kind` and `Reason`, the rest as in `Event`."""

    at: Ints
    kind: Ints
    job: Ints
    by: Ints
    reason: Ints
    value: Ints


@dataclass(frozen=True, slots=True)
class SpanColumns:
    """The spans, ordered by start, job and attempt; `how` is a value of `How`, the rest as in `Span`."""

    job: Ints
    attempt: Ints
    start: Ints
    run: Ints
    stop: Ints
    end: Ints
    how: Ints
    by: Ints
    lost_ms: Ints


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """One row a job; `state` is a position in `STATES`, `detail` one in `details`, `reason` a value of `Reason`."""

    state: Ints
    reason: Ints
    detail: Ints
    details: tuple[str, ...]
    first_start: Ints
    end: Ints
    preemptions: Ints
    lost_ms: Ints


def event_columns(run: Run) -> EventColumns:
    """The events of `run` as columns."""
    if isinstance(run.events, Records):
        return cast("Records[Event, EventColumns]", run.events).columns
    return EventColumns(*_table(run.events, 6))


def span_columns(run: Run) -> SpanColumns:
    """The spans of `run` as columns."""
    if isinstance(run.spans, Records):
        return cast("Records[Span, SpanColumns]", run.spans).columns
    return SpanColumns(*_table(run.spans, 9))


def outcome_columns(run: Run) -> OutcomeColumns:
    """The outcomes of `run` as columns."""
    if isinstance(run.outcomes, Records):
        return cast("Records[Outcome, OutcomeColumns]", run.outcomes).columns
    return _outcome_table(run.outcomes)


def _table(records: Sequence[tuple[int, ...]], width: int) -> NDArray[np.int64]:
    """One contiguous row for each field."""
    flat = np.fromiter(chain.from_iterable(records), np.int64, count=width * len(records))
    return np.ascontiguousarray(flat.reshape(len(records), width).T)


def _outcome_table(outcomes: Sequence[Outcome]) -> OutcomeColumns:
    code_of = {state: code for code, state in enumerate(STATES)}
    details: dict[str, int] = {"": 0}
    count = len(outcomes)

    def column(values: Iterable[int]) -> Ints:
        return np.fromiter(values, np.int64, count=count)

    return OutcomeColumns(
        state=column(code_of[outcome.state] for outcome in outcomes),
        reason=column(outcome.reason for outcome in outcomes),
        detail=column(details.setdefault(outcome.detail, len(details)) for outcome in outcomes),
        first_start=column(outcome.first_start for outcome in outcomes),
        end=column(outcome.end for outcome in outcomes),
        preemptions=column(outcome.preemptions for outcome in outcomes),
        lost_ms=column(outcome.lost_ms for outcome in outcomes),
        details=tuple(details),
    )
