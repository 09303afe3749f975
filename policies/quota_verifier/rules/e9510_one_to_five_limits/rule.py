"""E9510: a share, and the environment of a quota-managed queue, has one to five capacity limits."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.documents import as_list
from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.limits import CAPACITY_LIMITS
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.lint.values import value_at
from quota_verifier.template import QUOTA_SHARE, SERVICE_ENVIRONMENT, Resource, Template, Unresolved

MOST = 5


def check(template: Template) -> Iterator[Result]:
    """A list that is missing altogether is reported by cfn-lint."""
    for resource in (*quota_managed_environments(template), *template.of_type(QUOTA_SHARE)):
        yield from _of(resource)


def _of(resource: Resource) -> Iterator[Result]:
    written = value_at(resource, CAPACITY_LIMITS)
    if isinstance(written, Unresolved):
        yield unknown(resource, (CAPACITY_LIMITS,), written)
        return
    entries = as_list(written)
    if entries is None:
        return
    left_open = [entry for entry in entries if isinstance(entry, Unresolved)]
    certain = len(entries) - len(left_open)
    if certain > MOST:
        yield Violation(resource, (CAPACITY_LIMITS,), f"{certain} capacity limits", f"keep at most {MOST}")
    elif not entries:
        yield Violation(resource, (CAPACITY_LIMITS,), "no capacity limits", "limit at least one instance type")
    elif left_open and (len(entries) > MOST or not certain):
        yield unknown(resource, (CAPACITY_LIMITS,), left_open[0])


RULE = Rule(
    id="E9510",
    title="Shares and their environment have one to five capacity limits",
    why="AWS Batch takes at least one and at most five instance types for each.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html",
    properties={QUOTA_SHARE: (CAPACITY_LIMITS,), SERVICE_ENVIRONMENT: (CAPACITY_LIMITS,)},
    check=check,
)
