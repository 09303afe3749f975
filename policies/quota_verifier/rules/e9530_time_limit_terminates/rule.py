"""E9530: the time-limit actions of a SageMaker queue terminate the job."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import values_at, word
from quota_verifier.template import JOB_QUEUE, Template, Unresolved, quota_managed_queues

PATH = "JobStateTimeLimitActions[].Action"
NOT_FOR_SERVICE_JOBS = "CANCEL"


def check(template: Template) -> Iterator[Result]:
    """CANCEL is what compute queues take; anything else is reported by cfn-lint."""
    for queue in quota_managed_queues(template):
        for path, value in values_at(queue, PATH):
            action = word(value)
            if isinstance(action, Unresolved):
                yield unknown(queue, path, action)
            elif action == NOT_FOR_SERVICE_JOBS:
                message = "CANCEL is not an action of queues for SageMaker jobs"
                yield Violation(queue, path, message, "write TERMINATE")


RULE = Rule(
    id="E9530",
    title="The time-limit actions of a SageMaker queue terminate the job",
    why="Queues for SageMaker jobs take TERMINATE only; CANCEL is for compute queues.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_JobStateTimeLimitAction.html",
    properties={JOB_QUEUE: (PATH,)},
    check=check,
)
