"""E9512: capacity units are SageMaker training instance types."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.instance_types import closest_instance_type
from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.limits import CAPACITY_LIMITS, known_limits, names_a_type
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.template import QUOTA_SHARE, SERVICE_ENVIRONMENT, Template, Unresolved

ANY_TYPE = "NUM_INSTANCES"


def check(template: Template) -> Iterator[Result]:
    """A type that only looks like one, such as ml.g5.xlrage, is the business of W9501."""
    for resource in (*quota_managed_environments(template), *template.of_type(QUOTA_SHARE)):
        for limit in known_limits(resource):
            if isinstance(limit.unit, Unresolved):
                yield unknown(resource, limit.unit_path, limit.unit)
            elif limit.unit is not None and not names_a_type(limit.unit):
                closest = closest_instance_type(limit.unit.lower())
                fix = f"write {closest}" if closest else "write an instance type such as ml.g5.xlarge"
                yield Violation(resource, limit.unit_path, _message(limit.unit), fix)


def _message(unit: str) -> str:
    if unit == ANY_TYPE:
        return f"{ANY_TYPE} counts instances of any type, but quota shares divide instances of one type"
    return f"{unit!r} is no SageMaker training instance type"


RULE = Rule(
    id="E9512",
    title="Capacity units are SageMaker training instance types",
    why="A quota-managed environment and its shares are expressed in types such as ml.g5.xlarge, each counted alone.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html",
    properties={
        QUOTA_SHARE: (f"{CAPACITY_LIMITS}[].CapacityUnit",),
        SERVICE_ENVIRONMENT: (f"{CAPACITY_LIMITS}[].CapacityUnit",),
    },
    check=check,
)
