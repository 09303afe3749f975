"""Which resource of OLD is which of NEW: by logical id, else by name, construct path or role (case C28).

CloudFormation goes by stack and logical id alone: a resource that has another one is deleted and created.
The other ways to pair only let a report say what a person would call it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from quota_verifier.diff.sides import Stack, StackPair
from quota_verifier.resource_schemas import resource_schemas
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, Resource, target
from quota_verifier.template.unresolved import in_text

BY_ID = "logical id"
"""How a resource is paired that CloudFormation itself takes for the same one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A resource in a stack of one side."""

    stack: Stack
    resource: Resource

    def is_called(self, stack: str, logical_id: str) -> bool:
        """Whether this is the resource of that stack and logical id."""
        return self.stack.name == stack and self.resource.logical_id == logical_id


@dataclass(frozen=True, slots=True)
class Pair:
    """A resource before and after, and what the two have in common; None where it was not, or is not, there."""

    old: Found | None
    new: Found | None
    by: str = ""

    @property
    def subject(self) -> Found:
        """The resource that findings are about: that of NEW, or one that is gone."""
        found = self.new or self.old
        if found is None:
            raise AssertionError("a pair of nothing")
        return found

    @property
    def resource(self) -> Resource:
        """The resource of the subject."""
        return self.subject.resource

    @property
    def moved(self) -> bool:
        """Whether another stack has it now."""
        return self.old is not None and self.new is not None and self.old.stack.name != self.new.stack.name


def pair_resources(stacks: Sequence[StackPair]) -> tuple[Pair, ...]:
    """Every Batch resource of both sides, once: by stack and logical id, then as `_WAYS` tell; sorted by place."""
    found: list[Pair] = []
    gone: list[Found] = []
    come: list[Found] = []
    for stack in stacks:
        before, after = _resources(stack.old), _resources(stack.new)
        for logical_id in sorted({*before, *after}):
            old, new = before.get(logical_id), after.get(logical_id)
            if not any(found and found.resource.type in resource_schemas() for found in (old, new)):
                continue
            if old and new:
                found.append(Pair(old, new, BY_ID))
            elif old:
                gone.append(old)
            elif new:
                come.append(new)
    for way, identity in _WAYS:
        for old, new in list(_matches(gone, come, identity)):
            gone.remove(old)
            come.remove(new)
            found.append(Pair(old, new, way))
    found += [Pair(old, None) for old in gone] + [Pair(None, new) for new in come]
    return tuple(sorted(found, key=lambda pair: (pair.subject.stack.name, pair.resource.logical_id)))


def _resources(stack: Stack | None) -> dict[str, Found]:
    if stack is None:
        return {}
    return {key: Found(stack, found) for key, found in stack.template.resources.items()}


def _matches(
    gone: Sequence[Found], come: Sequence[Found], identity: Callable[[Found], Hashable | None]
) -> Iterator[tuple[Found, Found]]:
    """Those of either list that alone have the same identity."""
    before, after = _by_identity(gone, identity), _by_identity(come, identity)
    for key, olds in before.items():
        news = after.get(key, [])
        if len(olds) == 1 == len(news):
            yield olds[0], news[0]


def _by_identity(
    found: Sequence[Found], identity: Callable[[Found], Hashable | None]
) -> dict[tuple[str, Hashable], list[Found]]:
    groups: dict[tuple[str, Hashable], list[Found]] = {}
    for one in found:
        if (key := identity(one)) is not None:
            groups.setdefault((one.resource.type, key), []).append(one)
    return groups


def _name(found: Found) -> Hashable | None:
    """The physical name; of a share, which is unique in its queue alone, with what its queue is called."""
    name = found.resource.name
    if name is None:
        return None
    return in_text(name), _queue_of(found) if found.resource.type == QUOTA_SHARE else ""


def _queue_of(found: Found) -> str:
    queue = target(found.stack.template, found.resource.properties.get("JobQueue"), JOB_QUEUE)
    return queue.label if isinstance(queue, Resource) else ""


def _share_name(found: Found) -> Hashable | None:
    """The name of a share whatever its queue, for shares that follow a queue to another place."""
    name = found.resource.name
    return in_text(name) if found.resource.type == QUOTA_SHARE and name is not None else None


def _construct_path(found: Found) -> Hashable | None:
    return found.resource.construct_path or None


def _role(found: Found) -> Hashable | None:
    """Its type and stack, for what there is one of; a share is known by its name alone."""
    return None if found.resource.type == QUOTA_SHARE else found.stack.name


_WAYS: tuple[tuple[str, Callable[[Found], Hashable | None]], ...] = (
    ("name", _name),
    ("name", _share_name),
    ("construct path", _construct_path),
    ("role", _role),
)
