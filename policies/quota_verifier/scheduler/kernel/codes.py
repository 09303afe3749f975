"""The reference's names as the plain integers that compiled code compares."""

from __future__ import annotations

from quota_verifier.scheduler.columns import STATES
from quota_verifier.scheduler.events import Kind, Reason
from quota_verifier.scheduler.run import How, State

SUBMITTED = int(Kind.SUBMITTED)
REFUSED = int(Kind.REJECTED)
DISPATCHED = int(Kind.DISPATCHED)
PREEMPTED = int(Kind.PREEMPTED)
TERMINATED = int(Kind.TERMINATED)
STOPPED = int(Kind.STOPPED)
ATTEMPT_FAILED = int(Kind.ATTEMPT_FAILED)
REQUEUED = int(Kind.REQUEUED)
SUCCESS = int(Kind.SUCCEEDED)
FAILURE = int(Kind.FAILED)
REPRIORITIZED = int(Kind.REPRIORITIZED)
CONFIGURED = int(Kind.CONFIGURED)

NO_REASON = int(Reason.NONE)
OWN_CAPACITY = int(Reason.OWN_CAPACITY)
BORROWED_CAPACITY = int(Reason.BORROWED_CAPACITY)
RECLAIM = int(Reason.RECLAIM)
IN_SHARE = int(Reason.IN_SHARE)
RETRIES_EXHAUSTED = int(Reason.PREEMPTION_RETRIES_EXHAUSTED)
JOB_FAULT = int(Reason.JOB_FAULT)
CAPACITY_ERROR = int(Reason.CAPACITY_ERROR)
TIMEOUT = int(Reason.TIMEOUT)
TIME_LIMIT = int(Reason.TIME_LIMIT)
REQUESTED = int(Reason.REQUESTED)
SHARE_DISABLED = int(Reason.SHARE_DISABLED)
QUEUE_DISABLED = int(Reason.QUEUE_DISABLED)

HOW_OPEN = int(How.OPEN)
HOW_FINISHED = int(How.FINISHED)
HOW_FAILED = int(How.FAILED)
HOW_TIMEOUT = int(How.TIMEOUT)
HOW_CROSS_SHARE = int(How.PREEMPTED_CROSS_SHARE)
HOW_IN_SHARE = int(How.PREEMPTED_IN_SHARE)
HOW_TERMINATED = int(How.TERMINATED)
HOW_CAPACITY_ERROR = int(How.CAPACITY_ERROR)

STATE_RUNNABLE = STATES.index(State.RUNNABLE)
STATE_SCHEDULED = STATES.index(State.SCHEDULED)
STATE_RUNNING = STATES.index(State.RUNNING)
STATE_SUCCEEDED = STATES.index(State.SUCCEEDED)
STATE_FAILED = STATES.index(State.FAILED)
STATE_REJECTED = STATES.index(State.REJECTED)

# Verdicts: why a job failed or was rejected, with its text; rows of the table that `texts` makes.
(
    NO_VERDICT,
    RECLAIMED_TOO_OFTEN,
    PREEMPTED_TOO_OFTEN,
    TIMED_OUT,
    TERMINATED_BY_REQUEST,
    CAPACITY_LIMIT,
    ENVIRONMENT_LIMIT,
    QUOTA_LIMIT,
    QUEUE_REFUSED,
    SHARE_REFUSED,  # and one for each further share
) = range(10)

# Codes of R21's reason in a lane
ABOVE_ENVIRONMENT, ABOVE_QUOTA = 1, 2
