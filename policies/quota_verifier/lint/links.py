"""How resources of a template hang together: what a property refers to, and what waits for what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from quota_verifier.documents import DataPath, as_list, as_map
from quota_verifier.lint.values import items_at, value_at
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Resource,
    Target,
    Template,
    Unresolved,
    quota_managed_queues,
    target,
)

_PLACEHOLDER = re.compile(r"\$\{([^!}][^}.]*)")


@dataclass(frozen=True, slots=True)
class Link:
    """A property that has to name another resource: its value, the type that is wanted, what it means."""

    resource: Resource
    path: DataPath
    value: object
    wanted: str
    target: Target | None


def links(template: Template) -> Iterator[Link]:
    """The links of every share, and of every quota-managed queue to its policy and environments."""
    for share in template.of_type(QUOTA_SHARE):
        yield _link(template, share, ("JobQueue",), JOB_QUEUE)
    for queue in quota_managed_queues(template):
        yield _link(template, queue, ("SchedulingPolicyArn",), SCHEDULING_POLICY)
        entries = items_at(queue, "ServiceEnvironmentOrder")
        for index in range(0 if isinstance(entries, Unresolved) else len(entries)):
            path = ("ServiceEnvironmentOrder", index, "ServiceEnvironment")
            yield _link(template, queue, path, SERVICE_ENVIRONMENT)


def _link(template: Template, resource: Resource, path: DataPath, wanted: str) -> Link:
    value = value_at(resource, *path)
    return Link(resource, path, value, wanted, target(template, value, wanted))


def names_in(body: object) -> set[str]:
    """Every name that Ref, Fn::GetAtt or Fn::Sub in `body` refers to."""
    found: set[str] = set()
    pending = [body]
    while pending:
        part = pending.pop()
        if (listed := as_list(part)) is not None:
            pending += listed
        for name, argument in (as_map(part) or {}).items():
            found |= _names_of(name, argument)
            pending.append(argument)
    return found


def _names_of(function: str, argument: object) -> set[str]:
    listed = as_list(argument)
    if function == "Ref" and isinstance(argument, str):
        return {argument}
    if function == "Fn::GetAtt":
        first = argument.partition(".")[0] if isinstance(argument, str) else (listed or [None])[0]
        return {first} if isinstance(first, str) else set()
    if function == "Fn::Sub":
        text = listed[0] if listed else argument
        return set(_PLACEHOLDER.findall(text)) if isinstance(text, str) else set()
    return set()


def dependencies(template: Template) -> Mapping[str, frozenset[str]]:
    """The resources that each resource waits for at creation, and that wait for it at deletion (case C26).

    Edges come from functions in the resource and from DependsOn, as CloudFormation has them.
    """
    known = template.resources.keys()
    return {
        logical_id: frozenset((names_in(resource.body.get("Properties")) | _depends_on(resource)) & known)
        for logical_id, resource in template.resources.items()
    }


def _depends_on(resource: Resource) -> set[str]:
    written = resource.body.get("DependsOn")
    listed = as_list(written) or [written]
    return {name for name in listed if isinstance(name, str)}


def waits_for(edges: Mapping[str, frozenset[str]], waiting: str, awaited: str) -> bool:
    """Whether `waiting` is created after `awaited`, directly or through others."""
    seen: set[str] = set()
    pending = [waiting]
    while pending:
        name = pending.pop()
        if name == awaited:
            return True
        if name not in seen:
            seen.add(name)
            pending += edges.get(name, frozenset())
    return False
