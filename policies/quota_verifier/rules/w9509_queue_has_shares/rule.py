"""W9509: a quota-managed queue has quota shares."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.queues import shares_may_be_elsewhere
from quota_verifier.template import JOB_QUEUE, Template, quota_managed_queues, shares_of


def check(template: Template) -> Iterator[Result]:
    """A queue whose ARN goes to another stack may well get its shares there."""
    for queue in quota_managed_queues(template):
        if not shares_of(template, queue) and not shares_may_be_elsewhere(template, queue):
            fix = "add an AWS::Batch::QuotaShare, or export the queue's ARN for the stack that does"
            yield Violation(queue, ("SchedulingPolicyArn",), "a quota-managed queue without quota shares", fix)


RULE = Rule(
    id="W9509",
    title="A quota-managed queue has quota shares",
    why="Every job has to name a share, so a queue without shares accepts no job.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/submit-job-quota-share.html",
    properties={JOB_QUEUE: ("SchedulingPolicyArn",)},
    check=check,
)
