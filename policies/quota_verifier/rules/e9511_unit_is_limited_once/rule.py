"""E9511: a share or environment limits each instance type once."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.limits import CAPACITY_LIMITS, Limit, known_limits
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.template import QUOTA_SHARE, SERVICE_ENVIRONMENT, Template
from quota_verifier.template.unresolved import in_text


def check(template: Template) -> Iterator[Result]:
    """Two references to the same parameter are the same type, whatever its value."""
    for resource in (*quota_managed_environments(template), *template.of_type(QUOTA_SHARE)):
        first: dict[str, Limit] = {}
        for limit in known_limits(resource):
            if limit.unit is None:
                continue
            unit = in_text(limit.unit)
            earlier = first.setdefault(unit, limit)
            if earlier is not limit:
                amounts = f"to {in_text(earlier.capacity)} and to {in_text(limit.capacity)}"
                message = f"{unit} is limited twice, {amounts}"
                yield Violation(resource, limit.unit_path, message, "write one limit for each instance type")


RULE = Rule(
    id="E9511",
    title="A share or environment limits each instance type once",
    why="Nothing says which of two limits on one type counts.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html",
    properties={
        QUOTA_SHARE: (f"{CAPACITY_LIMITS}[].CapacityUnit",),
        SERVICE_ENVIRONMENT: (f"{CAPACITY_LIMITS}[].CapacityUnit",),
    },
    check=check,
)
