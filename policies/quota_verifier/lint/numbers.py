"""The numbers in shares and in quota-managed queues and environments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from quota_verifier.documents import DataPath, as_list, as_map
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.lint.values import values_at
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
    quota_managed_queues,
)

NUMBERS: Mapping[str, tuple[str, ...]] = {
    SERVICE_ENVIRONMENT: ("CapacityLimits[].MaxCapacity",),
    JOB_QUEUE: ("Priority", "ServiceEnvironmentOrder[].Order", "JobStateTimeLimitActions[].MaxTimeSeconds"),
    QUOTA_SHARE: ("CapacityLimits[].MaxCapacity", "ResourceSharingConfiguration.BorrowLimit"),
}
"""The integer properties, by resource type."""


@dataclass(frozen=True, slots=True)
class Number:
    """One such property, evaluated and as written."""

    resource: Resource
    path: DataPath
    value: object

    @property
    def written(self) -> object:
        """The value before functions were evaluated; None where a loop or a function around it made it."""
        if self.resource.path[-1:] != (self.resource.logical_id,):
            return None
        here: object = self.resource.body.get("Properties")
        for step in self.path:
            if isinstance(step, int):
                listed = as_list(here) or []
                here = listed[step] if step < len(listed) else None
            else:
                here = (as_map(here) or {}).get(step)
        return here


def numbers(template: Template) -> Iterator[Number]:
    """The numbers of the subject; those that are not written are None."""
    subjects = (
        *quota_managed_environments(template),
        *quota_managed_queues(template),
        *template.of_type(QUOTA_SHARE),
    )
    for resource in subjects:
        for path in NUMBERS.get(resource.type, ()):
            yield from (Number(resource, place, value) for place, value in values_at(resource, path))
