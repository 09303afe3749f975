"""A queue with what AWS wants to know besides, though no scheduling depends on it: policy, priority, tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quota_verifier.documents import as_map
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.template.properties import Property, properties, text, whole
from quota_verifier.template.queues import build_queue
from quota_verifier.template.reader import read_contents, read_queue
from quota_verifier.template.references import environments_of, policy_of, quota_managed_queues, shares_of
from quota_verifier.template.resources import Resource, Template

DEFAULT_PRIORITY = 1
"""Of a queue file, as in AWS's examples. A quota-managed queue competes with no other, so it decides nothing."""

HIGHEST_PRIORITY = 1000

Tags = Mapping[str, str]
_NO_PARAMETERS: Mapping[str, str] = {}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_TAG = re.compile(r"[\w\s.:/=+@-]*")


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is to be created: the queue, the name of its scheduling policy, its priority (0-1000), and tags.

    `share_tags` are by the share's name.
    """

    queue: Queue
    policy_name: str
    priority: int = DEFAULT_PRIORITY
    policy_tags: Tags = field(default_factory=dict[str, str])
    environment_tags: Tags = field(default_factory=dict[str, str])
    queue_tags: Tags = field(default_factory=dict[str, str])
    share_tags: Mapping[str, Tags] = field(default_factory=dict[str, Tags])


def read_declaration(
    path: str | Path, *, parameters: Mapping[str, str] = _NO_PARAMETERS, queue: str | None = None
) -> Declaration:
    """The declaration of the one queue of a file, or of the one called `queue`.

    A resource without a name has its logical id for one. Raises InputError as `read_queue` does, and for
    names, tags and policies that cannot be created with the queue.
    """
    chosen = read_queue(path, parameters=parameters, queue=queue)
    found = _in_template(chosen, read_contents(path, parameters=parameters))
    declaration = _declared(chosen, *found) if found else Declaration(chosen, f"{chosen.name}-policy")
    for what, name in _names(declaration):
        if not _NAME.fullmatch(name):
            remedy = "write 1 to 128 letters, digits, hyphens and underscores"
            raise InputError(f"{name!r} is no name that AWS takes", source=str(path), where=what, remedy=remedy)
    return declaration


def _in_template(queue: Queue, contents: tuple[Template | Queue, ...]) -> tuple[Template, Resource] | None:
    """Where `queue` was read from; None for a queue file."""
    for template in contents:
        if isinstance(template, Template):
            for resource in quota_managed_queues(template):
                if resource.label == queue.source and build_queue(template, resource) == queue:
                    return template, resource
    return None


def _declared(queue: Queue, template: Template, resource: Resource) -> Declaration:
    item = properties(resource)
    policy = properties(_policy(template, resource, item))
    (environment,) = environments_of(template, resource)
    assert isinstance(environment, Resource)  # noqa: S101 (the queue has been built from it)
    shares = [properties(share) for share in shares_of(template, resource)]
    return Declaration(
        queue,
        policy.resource.logical_id if policy["Name"].absent else text(policy["Name"]),
        whole(item["Priority"], least=0, most=HIGHEST_PRIORITY),
        policy_tags=_tags(policy["Tags"]),
        environment_tags=_tags(properties(environment)["Tags"]),
        queue_tags=_tags(item["Tags"]),
        share_tags={text(share["QuotaShareName"]): _tags(share["Tags"]) for share in shares},
    )


def _policy(template: Template, resource: Resource, queue: Property) -> Resource:
    policy = policy_of(template, resource)
    if not isinstance(policy, Resource) or "QuotaSharePolicy" not in policy.properties:
        raise queue["SchedulingPolicyArn"].refused(
            "names no scheduling policy of this template that has a QuotaSharePolicy",
            "declare an AWS::Batch::SchedulingPolicy with QuotaSharePolicy, and refer to its Arn",
        )
    if policy.condition is not None:
        raise properties(policy).refused(f"whether it is there {policy.condition.reason}", policy.condition.remedy)
    return policy


def _tags(item: Property) -> dict[str, str]:
    if item.absent:
        return {}
    written = as_map(item.value)
    if written is None:
        raise item.refused("a map of tags is wanted here", "write a map of texts")
    found: dict[str, str] = {}
    for key, value in written.items():
        tag = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(tag, str) or not _TAG.fullmatch(tag) or not _TAG.fullmatch(key):
            raise item[key].refused("is no tag that AWS takes", "write letters, digits, spaces and _.:/=+-@")
        found[key] = tag
    return found


def _names(declaration: Declaration) -> Iterator[tuple[str, str]]:
    queue = declaration.queue
    yield "job queue", queue.name
    yield "service environment", queue.environment.name
    yield "scheduling policy", declaration.policy_name
    for share in queue.shares:
        yield "quota share", share.name
