"""E9503: a scheduling policy has FairsharePolicy or QuotaSharePolicy, not both."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import value_at
from quota_verifier.template import SCHEDULING_POLICY, Template, Unresolved

QUOTA, FAIRSHARE = "QuotaSharePolicy", "FairsharePolicy"


def check(template: Template) -> Iterator[Result]:
    """The registry schema allows both, AWS Batch does not."""
    for policy in template.of_type(SCHEDULING_POLICY):
        written = {name: value_at(policy, name) for name in (QUOTA, FAIRSHARE)}
        if None in written.values():
            continue
        left_open = [(name, value) for name, value in written.items() if isinstance(value, Unresolved)]
        for name, value in left_open:
            yield unknown(policy, (name,), value)
        if not left_open:
            message = "the policy has both QuotaSharePolicy and FairsharePolicy"
            yield Violation(policy, (FAIRSHARE,), message, "remove FairsharePolicy, or make two policies")


RULE = Rule(
    id="E9503",
    title="A scheduling policy has FairsharePolicy or QuotaSharePolicy, not both",
    why="The two exclude each other: AWS Batch refuses a policy with both.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_CreateSchedulingPolicy.html",
    properties={SCHEDULING_POLICY: (FAIRSHARE, QUOTA)},
    check=check,
)
