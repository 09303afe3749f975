"""E9520: a queue has at most 20 quota shares."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.template import QUOTA_SHARE, Template, quota_managed_queues, shares_of

MOST = 20


def check(template: Template) -> Iterator[Result]:
    """The finding is at the first share that is too many, in the order of the template."""
    for queue in quota_managed_queues(template):
        shares = shares_of(template, queue)
        certain = [share for share in shares if share.condition is None]
        if len(certain) > MOST:
            message = f"{len(certain)} quota shares on queue {queue.logical_id}"
            yield Violation(certain[MOST], ("JobQueue",), message, f"keep at most {MOST}; the limit cannot be raised")
        elif len(shares) > MOST:
            yield from (unknown(share, (), share.condition) for share in shares if share.condition is not None)


RULE = Rule(
    id="E9520",
    title="A queue has at most 20 quota shares",
    why="AWS Batch refuses the 21st, and the quota is not adjustable.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/service_limits.html",
    properties={QUOTA_SHARE: ("JobQueue",)},
    check=check,
)
