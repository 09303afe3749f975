"""Events as EventBridge delivers them (AWS user guide: service job events)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from quota_verifier.aws.emulator.job_view import detail
from quota_verifier.aws.emulator.records import ServiceJob

if TYPE_CHECKING:
    from quota_verifier.aws.emulator.account import Account

STATE_CHANGE = "Batch Service Job State Change"
QUEUE_BLOCKED = "Batch Service Job Queue Blocked"
PREEMPTION_STARTED = "Batch Service Job Preemption Started"
PREEMPTION_COMPLETED = "Batch Service Job Preemption Completed"


def emit(account: Account, at: int, kind: str, job: ServiceJob, **more: object) -> None:
    """Deliver an event about a job; `more` are members of its detail besides those that describe the job.

    An event's id depends on the state alone: what is delivered again after a crash has the id it had before.
    """
    account.events += 1
    if account.deliver is None:
        return
    identity = account.identity
    account.deliver(
        {
            "version": "0",
            "id": str(uuid.uuid5(account.seed, f"event {account.events}")),
            "detail-type": kind,
            "source": "aws.batch",
            "account": identity.account,
            "time": datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "region": identity.region,
            "resources": [job.arn],
            "detail": {**detail(job), **more},
        }
    )
