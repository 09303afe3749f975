"""Why jobs fail or are rejected: the table of reasons and sentences that the kernel's verdicts are rows of."""

from __future__ import annotations

from quota_verifier.model import Queue, TimeLimitReason
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.reference.attempts import (
    PREEMPTION_TEXT,
    REQUESTED_TEXT,
    TIMEOUT_TEXT,
    time_limit_text,
)
from quota_verifier.scheduler.reference.engine import disabled_text

Verdict = tuple[Reason, str]


def verdicts(queue: Queue) -> list[Verdict]:
    """The verdicts that every run may need, in the order of `codes`; failures of jobs add theirs."""
    exhausted = Reason.PREEMPTION_RETRIES_EXHAUSTED
    by_code: dict[int, Verdict] = {
        codes.NO_VERDICT: (Reason.NONE, ""),
        codes.RECLAIMED_TOO_OFTEN: (exhausted, PREEMPTION_TEXT[Reason.RECLAIM]),
        codes.PREEMPTED_TOO_OFTEN: (exhausted, PREEMPTION_TEXT[Reason.IN_SHARE]),
        codes.TIMED_OUT: (Reason.TIMEOUT, TIMEOUT_TEXT),
        codes.TERMINATED_BY_REQUEST: (Reason.REQUESTED, REQUESTED_TEXT),
        codes.CAPACITY_LIMIT: _time_limit(TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY),
        codes.ENVIRONMENT_LIMIT: _time_limit(TimeLimitReason.SERVICE_ENVIRONMENT_MAX_RESOURCE),
        codes.QUOTA_LIMIT: _time_limit(TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED),
        codes.QUEUE_REFUSED: (Reason.QUEUE_DISABLED, disabled_text(queue)),
    }
    for index, share in enumerate(queue.shares):
        by_code[codes.SHARE_REFUSED + index] = (Reason.SHARE_DISABLED, disabled_text(queue, share))
    return [by_code[code] for code in range(len(by_code))]


def _time_limit(reason: TimeLimitReason) -> Verdict:
    return Reason.TIME_LIMIT, time_limit_text(reason)
