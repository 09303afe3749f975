"""E9513: each limit of a quota-managed environment has a unit and a capacity of 0 or more."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.limits import CAPACITY_LIMITS, known_limits
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.lint.values import value_at
from quota_verifier.template import SERVICE_ENVIRONMENT, Template, Unresolved

NEEDED = ("CapacityUnit", "MaxCapacity")


def check(template: Template) -> Iterator[Result]:
    """Unlike that of a share, the registry schema of an environment requires neither and has no minimum."""
    for environment in quota_managed_environments(template):
        for limit in known_limits(environment):
            path = (CAPACITY_LIMITS, limit.index)
            if isinstance(value_at(environment, *path), Unresolved):
                continue
            lacking = [name for name in NEEDED if value_at(environment, *path, name) is None]
            if lacking:
                yield Violation(environment, path, f"a limit without {' and '.join(lacking)}", "give the limit both")
            elif isinstance(limit.capacity, int) and limit.capacity < 0:
                fix = "write how many instances of the type there are"
                yield Violation(environment, limit.capacity_path, f"MaxCapacity {limit.capacity} is below 0", fix)


RULE = Rule(
    id="E9513",
    title="Each limit of a quota-managed environment has a unit and a capacity",
    why="A limit that lacks one, or is negative, leaves nothing for the shares to divide.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_CapacityLimit.html",
    properties={SERVICE_ENVIRONMENT: (f"{CAPACITY_LIMITS}[]", f"{CAPACITY_LIMITS}[].MaxCapacity")},
    check=check,
)
