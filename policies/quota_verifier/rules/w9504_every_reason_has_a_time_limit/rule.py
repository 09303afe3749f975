"""W9504: a job that blocks its share is terminated after a time, whatever it is blocked for."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import values_at
from quota_verifier.model import TimeLimitReason
from quota_verifier.template import JOB_QUEUE, Template, Unresolved, quota_managed_queues

ACTIONS = "JobStateTimeLimitActions"
COUNTED = {1: "one reason", 2: "two reasons", 3: "three reasons"}


def check(template: Template) -> Iterator[Result]:
    """A reason that the deployment decides may be any of those that are missing."""
    for queue in quota_managed_queues(template):
        found = list(values_at(queue, f"{ACTIONS}[].Reason"))
        named = [reason for _, reason in found]
        missing = [reason.value for reason in TimeLimitReason if reason.value not in named]
        left_open = [unknown(queue, path, reason) for path, reason in found if isinstance(reason, Unresolved)]
        if missing and left_open:
            yield from left_open
        elif missing:
            message = f"{COUNTED[len(missing)]} not covered by a time limit: {', '.join(missing)}"
            fix = "add an action of State RUNNABLE and Action TERMINATE for each"
            yield Violation(queue, (ACTIONS,), message, fix)


RULE = Rule(
    id="W9504",
    title="A job that blocks its share is terminated after a time, whatever the reason",
    why="A job that can never start is accepted, and then holds up everything behind it for ever (R8, R21).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable.html",
    properties={JOB_QUEUE: (ACTIONS,)},
    check=check,
)
