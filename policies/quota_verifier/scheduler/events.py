"""The event log: every decision of a run as a flat record, with a reason code and a sentence."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

NOBODY = -1
"""In place of a job or share index where there is none."""


class Kind(IntEnum):
    """What happened. Capacity rises at DISPATCHED and falls at SUCCEEDED, ATTEMPT_FAILED and STOPPED."""

    SUBMITTED = 0
    REJECTED = 1
    DISPATCHED = 2
    PREEMPTED = 3
    TERMINATED = 4
    STOPPED = 5
    ATTEMPT_FAILED = 6
    REQUEUED = 7
    SUCCEEDED = 8
    FAILED = 9
    REPRIORITIZED = 10
    CONFIGURED = 11


class Reason(IntEnum):
    """Why it happened: the rule of the specification that decided."""

    NONE = 0
    OWN_CAPACITY = 1
    BORROWED_CAPACITY = 2
    RECLAIM = 3
    IN_SHARE = 4
    PREEMPTION_RETRIES_EXHAUSTED = 5
    JOB_FAULT = 6
    CAPACITY_ERROR = 7
    TIMEOUT = 8
    TIME_LIMIT = 9
    REQUESTED = 10
    SHARE_DISABLED = 11
    QUEUE_DISABLED = 12


RULES: dict[Reason, str] = {
    Reason.NONE: "",
    Reason.OWN_CAPACITY: "R12",
    Reason.BORROWED_CAPACITY: "R15",
    Reason.RECLAIM: "R13",
    Reason.IN_SHARE: "R16",
    Reason.PREEMPTION_RETRIES_EXHAUSTED: "R5",
    Reason.JOB_FAULT: "R6",
    Reason.CAPACITY_ERROR: "R6",
    Reason.TIMEOUT: "R7",
    Reason.TIME_LIMIT: "R8",
    Reason.REQUESTED: "R3",
    Reason.SHARE_DISABLED: "R20",
    Reason.QUEUE_DISABLED: "R20",
}


class Event(NamedTuple):
    """One record of the log; jobs and shares by index, `at` in milliseconds.

    `job` is the index in the run's canonical job order. `by` is the preemptor of PREEMPTED and, of a
    DISPATCHED job, NOBODY. `value` is the new priority of REPRIORITIZED, the update's index of
    CONFIGURED, and the work kept (ms) of STOPPED and ATTEMPT_FAILED.
    """

    at: int
    kind: Kind
    job: int
    by: int
    reason: Reason
    value: int
