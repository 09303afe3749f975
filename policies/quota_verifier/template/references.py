"""Which resource a property means: by Ref, Fn::GetAtt, Fn::Sub, Fn::Join, by name or by ARN."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quota_verifier.documents import as_list, as_map
from quota_verifier.template.resources import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
)
from quota_verifier.template.unresolved import Unresolved, in_text

_ARN = re.compile(r"arn:[^/]+?:batch:[^/]*:(?P<kind>[a-z-]+)/(?P<name>.+)", re.DOTALL)
_ARN_KINDS = {
    "job-queue": JOB_QUEUE,
    "scheduling-policy": SCHEDULING_POLICY,
    "service-environment": SERVICE_ENVIRONMENT,
}


@dataclass(frozen=True, slots=True)
class Outside:
    """A resource that is named but not there: its name, or the id of one that a false condition leaves out."""

    name: str
    left_out: bool = False


Target = Resource | Outside | Unresolved


def target(template: Template, value: object, resource_type: str) -> Target | None:
    """The resource that `value` means, where a resource of `resource_type` is expected.

    A name or ARN means a resource of that type, a function whatever it refers to, so the type of the
    answer may differ. Outside where the template has no such resource, Unresolved where only the
    deployment tells, None for a value that cannot name anything.
    """
    if not isinstance(value, str | Unresolved) or value == "":
        return None
    name = physical_name(in_text(value), resource_type)
    for resource in template.of_type(resource_type):
        if resource.name is not None and in_text(resource.name) == name:
            return resource
    if isinstance(value, str):
        return Outside(name)
    if value.resource:
        return template.resources.get(value.resource, Outside(value.resource, left_out=True))
    # Region and account may be open while the name at the end of an ARN is plain.
    return value if "${" in name else Outside(name)


def physical_name(text: str, resource_type: str) -> str:
    """The name in an ARN of `resource_type`; `text` itself where it is no such ARN."""
    match = _ARN.fullmatch(text)
    if match is None:
        return text
    kind, name = match["kind"], match["name"]
    if resource_type == QUOTA_SHARE and kind == "job-queue":
        return name.rpartition("/quota-share/")[2]
    return name if _ARN_KINDS.get(kind) == resource_type else text


def shares_of(template: Template, queue: Resource) -> tuple[Resource, ...]:
    """The quota shares whose JobQueue means `queue`, in the order they are written."""
    return tuple(
        share
        for share in template.of_type(QUOTA_SHARE)
        if target(template, share.properties.get("JobQueue"), JOB_QUEUE) is queue
    )


def policy_of(template: Template, queue: Resource) -> Target | None:
    """The scheduling policy of a queue."""
    return target(template, queue.properties.get("SchedulingPolicyArn"), SCHEDULING_POLICY)


def environments_of(template: Template, queue: Resource) -> tuple[Target | None, ...]:
    """The service environments of a queue, as written in ServiceEnvironmentOrder."""
    order = as_list(queue.properties.get("ServiceEnvironmentOrder")) or []
    named = ((as_map(entry) or {}).get("ServiceEnvironment") for entry in order)
    return tuple(target(template, name, SERVICE_ENVIRONMENT) for name in named)


def is_quota_managed(template: Template, queue: Resource) -> bool:
    """Whether a job queue's policy has QuotaSharePolicy, or a quota share refers to the queue."""
    policy = policy_of(template, queue)
    has_policy = isinstance(policy, Resource) and "QuotaSharePolicy" in policy.properties
    return has_policy or bool(shares_of(template, queue))


def quota_managed_queues(template: Template) -> tuple[Resource, ...]:
    """The job queues under quota management, in the order they are written."""
    return tuple(queue for queue in template.of_type(JOB_QUEUE) if is_quota_managed(template, queue))
