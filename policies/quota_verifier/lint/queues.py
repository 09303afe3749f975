"""The resources that make up quota-managed queues: what the rules are about, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quota_verifier.documents import as_map
from quota_verifier.lint.links import names_in
from quota_verifier.lint.results import Unknown, unknown
from quota_verifier.lint.values import value_at
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SERVICE_ENVIRONMENT,
    Outside,
    Resource,
    Template,
    Unresolved,
    environments_of,
    policy_of,
    quota_managed_queues,
    target,
)

_NESTED_STACK = "AWS::CloudFormation::Stack"


def quota_managed_environments(template: Template) -> tuple[Resource, ...]:
    """The service environments of quota-managed queues, in the order they are named."""
    named = (found for queue in quota_managed_queues(template) for found in environments_of(template, queue))
    return _distinct(found for found in named if isinstance(found, Resource) and found.type == SERVICE_ENVIRONMENT)


def quota_policies(template: Template) -> tuple[Resource, ...]:
    """The scheduling policies of quota-managed queues."""
    named = (policy_of(template, queue) for queue in quota_managed_queues(template))
    return _distinct(found for found in named if isinstance(found, Resource))


def the_environment(template: Template, queue: Resource) -> Resource | Unknown | None:
    """The one environment of a queue; Unknown where the template does not tell, None where there is not one."""
    order = value_at(queue, "ServiceEnvironmentOrder")
    if isinstance(order, Unresolved):
        return unknown(queue, ("ServiceEnvironmentOrder",), order)
    found = environments_of(template, queue)
    if len(found) != 1:
        return None
    path = ("ServiceEnvironmentOrder", 0, "ServiceEnvironment")
    match found[0]:
        case Unresolved() as left_open:
            return unknown(queue, path, left_open)
        case Outside(name=name):
            return Unknown(queue, path, f"names {name!r}, which is not in this template")
        case Resource() as environment if environment.type == SERVICE_ENVIRONMENT:
            return environment
        case _:
            return None


def shares_may_be_elsewhere(template: Template, queue: Resource) -> bool:
    """Whether the queue may have shares besides those that name it here.

    Another stack can attach some, by an export or as a nested stack; and a share here may turn out to
    name this queue once it is deployed.
    """
    named = (target(template, value_at(share, "JobQueue"), JOB_QUEUE) for share in template.of_type(QUOTA_SHARE))
    if any(isinstance(found, Unresolved) for found in named):
        return True
    outputs = as_map((as_map(template.document.data) or {}).get("Outputs")) or {}
    exports = [output for output in outputs.values() if "Export" in (as_map(output) or {})]
    nested: list[Mapping[str, object]] = [stack.body for stack in template.of_type(_NESTED_STACK)]
    return any(queue.logical_id in names_in(part) for part in (*exports, *nested))


def _distinct(resources: Iterable[Resource]) -> tuple[Resource, ...]:
    return tuple({resource.logical_id: resource for resource in resources}.values())
