"""W9508: a share has one instance type."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.limits import CAPACITY_LIMITS, units
from quota_verifier.template import QUOTA_SHARE, Template


def check(template: Template) -> Iterator[Result]:
    """Types are counted, not entries."""
    for share in template.of_type(QUOTA_SHARE):
        listed = units([share])
        if len(listed) > 1:
            message = (
                f"{len(listed)} instance types ({', '.join(listed)}): a job that waits for one of them "
                "holds up the jobs behind it that need another"
            )
            yield Violation(share, (CAPACITY_LIMITS,), message, "make one share for each instance type")


RULE = Rule(
    id="W9508",
    title="A share has one instance type",
    why="A share has one head: while it waits for its type, capacity of the others stays idle behind it (A1).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable.html",
    properties={QUOTA_SHARE: (CAPACITY_LIMITS,)},
    check=check,
)
