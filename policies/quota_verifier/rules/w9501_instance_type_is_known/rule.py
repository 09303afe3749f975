"""W9501: instance types are among those that SageMaker Training is known to accept."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.instance_types import closest_instance_type, instance_types_source, training_instance_types
from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.limits import CAPACITY_LIMITS, known_limits, names_a_type
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.template import QUOTA_SHARE, SERVICE_ENVIRONMENT, Template


def check(template: Template) -> Iterator[Result]:
    """A warning only, since the list cannot know types that are younger than itself."""
    for resource in (*quota_managed_environments(template), *template.of_type(QUOTA_SHARE)):
        for limit in known_limits(resource):
            unit = limit.unit
            if not names_a_type(unit) or unit in training_instance_types():
                continue
            closest = closest_instance_type(unit)
            meant = f"write {closest} if that is meant" if closest else "check its spelling"
            message = f"{unit} is not among the training instance types that are known"
            fix = f"{meant}; a type newer than {instance_types_source().partition(',')[0]} is fine"
            yield Violation(resource, limit.unit_path, message, fix)


RULE = Rule(
    id="W9501",
    title="Instance types are known to SageMaker Training",
    why="A misspelt type is capacity that no job can ever use.",
    source="https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ResourceConfig.html",
    properties={
        QUOTA_SHARE: (f"{CAPACITY_LIMITS}[].CapacityUnit",),
        SERVICE_ENVIRONMENT: (f"{CAPACITY_LIMITS}[].CapacityUnit",),
    },
    check=check,
)
