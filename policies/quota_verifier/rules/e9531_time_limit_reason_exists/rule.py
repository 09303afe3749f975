"""E9531: the time-limit actions of a SageMaker queue name a reason that service jobs are blocked for."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import values_at
from quota_verifier.model import TimeLimitReason
from quota_verifier.template import JOB_QUEUE, Template, Unresolved, quota_managed_queues
from quota_verifier.words import shown

PATH = "JobStateTimeLimitActions[].Reason"
REASONS = [reason.value for reason in TimeLimitReason]


def check(template: Template) -> Iterator[Result]:
    """A reason that is missing is reported by cfn-lint."""
    for queue in quota_managed_queues(template):
        for path, reason in values_at(queue, PATH):
            if isinstance(reason, Unresolved):
                yield unknown(queue, path, reason)
            elif reason is not None and reason not in REASONS:
                message = f"no service job is ever blocked for {shown(reason)}"
                yield Violation(queue, path, message, f"write {', '.join(REASONS[:-1])} or {REASONS[-1]}")


RULE = Rule(
    id="E9531",
    title="Time-limit actions name a reason that service jobs are blocked for",
    why="The registry schema takes any text, AWS Batch only three; an action with another reason never acts.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_time_limit_actions.html",
    properties={JOB_QUEUE: (PATH,)},
    check=check,
)
