"""E9501: a quota-managed queue is of type SAGEMAKER_TRAINING."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import value_at, word
from quota_verifier.template import JOB_QUEUE, Template, Unresolved, quota_managed_queues

TYPE = "SAGEMAKER_TRAINING"


def check(template: Template) -> Iterator[Result]:
    """A queue without a type is a compute queue, so the type has to be written."""
    for queue in quota_managed_queues(template):
        kind = word(value_at(queue, "JobQueueType"))
        if isinstance(kind, Unresolved):
            yield unknown(queue, ("JobQueueType",), kind)
        elif kind != TYPE:
            has = "no JobQueueType" if kind is None else f"JobQueueType {kind}"
            yield Violation(queue, ("JobQueueType",), f"a quota-managed queue has {has}", f"write {TYPE}")


RULE = Rule(
    id="E9501",
    title="A quota-managed queue is of type SAGEMAKER_TRAINING",
    why="Quota shares exist only on queues for SageMaker training jobs; any other queue refuses them.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html",
    properties={JOB_QUEUE: ("JobQueueType",)},
    check=check,
)
