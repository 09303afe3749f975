"""What a simulation returns: flat records, the same from either engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple

from quota_verifier.model import Job, Queue, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event, Reason
from quota_verifier.scheduler.timing import Timing

UNKNOWN = -1
"""In place of a time that never came."""


class How(IntEnum):
    """How a span ended; OPEN where the simulation stopped first."""

    OPEN = 0
    FINISHED = 1
    FAILED = 2
    TIMEOUT = 3
    PREEMPTED_CROSS_SHARE = 4
    PREEMPTED_IN_SHARE = 5
    TERMINATED = 6
    CAPACITY_ERROR = 7

    @property
    def label(self) -> str:
        """The spelling of reports and JSON, such as `preempted-cross-share`."""
        return self.name.lower().replace("_", "-")


class State(StrEnum):
    """The last state of a job, in AWS's spelling; REJECTED for a submission that was refused (R20)."""

    SUBMITTED = "SUBMITTED"
    RUNNABLE = "RUNNABLE"
    SCHEDULED = "SCHEDULED"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    REJECTED = "REJECTED"


class Span(NamedTuple):
    """One run of a job, from dispatch to the release of its capacity; times in ms, UNKNOWN where none.

    `run` is when it became RUNNING, `stop` when it stopped making progress (a preempted job keeps its
    capacity from `stop` to `end`), `lost_ms` the work it had done that a preemption threw away (R4).
    """

    job: int
    attempt: int
    start: int
    run: int
    stop: int
    end: int
    how: How
    by: int
    lost_ms: int


class Outcome(NamedTuple):
    """What became of a job. `reason` and `detail` say why it failed, was rejected or still waits."""

    state: State
    reason: Reason
    detail: str
    first_start: int
    end: int
    preemptions: int
    lost_ms: int


@dataclass(frozen=True, slots=True)
class Run:
    """A finished simulation. Indexes in spans, outcomes and events refer to `jobs` (canonical order).

    `end_ms` is the instant of the last event, or the horizon where one was given. `hints` tell what would have
    made the simulation faster.
    """

    queue: Queue
    jobs: Sequence[Job]
    updates: Sequence[Update]
    assumptions: Assumptions
    timing: Timing
    outcomes: Sequence[Outcome]
    spans: Sequence[Span]
    events: Sequence[Event]
    end_ms: int
    engine: str
    hints: tuple[str, ...] = ()
