"""W9503: a quota-share policy says how idle capacity is assigned."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import value_at
from quota_verifier.template import SCHEDULING_POLICY, Template, Unresolved

PATH = ("QuotaSharePolicy", "IdleResourceAssignmentStrategy")


def check(template: Template) -> Iterator[Result]:
    """A value other than FIFO is reported by cfn-lint."""
    for policy in template.of_type(SCHEDULING_POLICY):
        if value_at(policy, PATH[0]) is None:
            continue
        assignment = value_at(policy, *PATH)
        if isinstance(assignment, Unresolved):
            yield unknown(policy, PATH, assignment)
        elif assignment is None:
            message = "QuotaSharePolicy without IdleResourceAssignmentStrategy"
            yield Violation(policy, PATH, message, "write IdleResourceAssignmentStrategy: FIFO")


RULE = Rule(
    id="W9503",
    title="A quota-share policy says how idle capacity is assigned",
    why="The API requires it, the CloudFormation reference calls it optional; FIFO is the only value.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaSharePolicy.html",
    properties={SCHEDULING_POLICY: ("QuotaSharePolicy.IdleResourceAssignmentStrategy",)},
    check=check,
)
