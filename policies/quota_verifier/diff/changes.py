"""What becomes of every resource: what a deployment updates in place, replaces, deletes and creates.

Which properties replace a resource is taken from the registry schemas (`quota_verifier.resource_schemas`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from quota_verifier.diff.exports import Export, exports
from quota_verifier.diff.pairs import BY_ID, Found, Pair, pair_resources
from quota_verifier.diff.sides import Side, StackPair, stack_pairs
from quota_verifier.diff.values import Context, Difference, canonical, difference, flattened, shown_value
from quota_verifier.resource_schemas import resource_schema


class Fate(StrEnum):
    """What a deployment does with a resource; RECREATED is one that has another logical id or stack."""

    KEPT = "kept"
    UPDATED = "updated"
    REPLACED = "replaced"
    RECREATED = "recreated"
    REMOVED = "removed"
    ADDED = "added"
    RETYPED = "retyped"

    @property
    def lives_on(self) -> bool:
        """Whether what is deployed stays the same resource."""
        return self in (Fate.KEPT, Fate.UPDATED)

    @property
    def deletes(self) -> bool:
        """Whether what is deployed goes."""
        return self in (Fate.REPLACED, Fate.RECREATED, Fate.REMOVED)


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """A plain value that changes, or of which only the deployment tells whether it does.

    `path` has units in place of indexes, as in `CapacityLimits[ml.g5.xlarge].MaxCapacity`; None is no value.
    """

    path: str
    old: object
    new: object
    difference: Difference
    create_only: bool

    @property
    def replaces(self) -> bool:
        """Whether it replaces the resource."""
        return self.create_only and self.difference is Difference.CHANGED

    @property
    def text(self) -> str:
        """`JobQueueType SAGEMAKER_TRAINING -> ECS`; a reference that is written as before is to another resource."""
        old, new = shown_value(self.old), shown_value(self.new)
        return f"{self.path} refers to another resource" if old == new else f"{self.path} {old} -> {new}"


@dataclass(frozen=True, slots=True)
class Change:
    """A resource, what becomes of it, and its properties that change."""

    pair: Pair
    fate: Fate
    properties: tuple[PropertyChange, ...] = ()

    @property
    def type(self) -> str:
        """The resource type."""
        return self.pair.resource.type

    @property
    def causes(self) -> tuple[PropertyChange, ...]:
        """The properties that replace it."""
        return tuple(found for found in self.properties if found.replaces)

    def both(self) -> tuple[Found, Found] | None:
        """Before and after; None where it is not on both sides."""
        old, new = self.pair.old, self.pair.new
        return None if old is None or new is None else (old, new)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides, their stacks, and the change of every Batch resource in either, by stack and logical id."""

    old: Side
    new: Side
    stacks: tuple[StackPair, ...]
    changes: tuple[Change, ...]
    old_exports: Mapping[str, Export] = field(repr=False)
    new_exports: Mapping[str, Export] = field(repr=False)

    def of_type(self, resource_type: str) -> tuple[Change, ...]:
        """The changes of resources of one type."""
        return tuple(change for change in self.changes if change.type == resource_type)

    def of_old(self, stack: str, logical_id: str) -> Change | None:
        """The change of a resource of OLD."""
        return self._first(lambda pair: pair.old, stack, logical_id)

    def of_new(self, stack: str, logical_id: str) -> Change | None:
        """The change of a resource of NEW."""
        return self._first(lambda pair: pair.new, stack, logical_id)

    def _first(self, side: Callable[[Pair], Found | None], stack: str, logical_id: str) -> Change | None:
        for change in self.changes:
            found = side(change.pair)
            if found is not None and found.is_called(stack, logical_id):
                return change
        return None


def compare(old: Side, new: Side) -> Comparison:
    """What becomes of every Batch resource between two sides. Raises InputError where they cannot be compared."""
    stacks = stack_pairs(old, new)
    pairs = pair_resources(stacks)
    known = [Change(pair, _fate(pair)) for pair in pairs]
    before = exports(pair.old for pair in stacks if pair.old)
    after = exports(pair.new for pair in stacks if pair.new)
    while True:
        judged = [_judged(change, known, before, after) for change in known]
        # A resource that is replaced changes what refers to it, which may replace that too.
        if [change.fate.lives_on for change in judged] == [change.fate.lives_on for change in known]:
            return Comparison(old, new, stacks, tuple(judged), before, after)
        known = judged


def _fate(pair: Pair) -> Fate:
    if pair.old is None:
        return Fate.ADDED
    if pair.new is None:
        return Fate.REMOVED
    if pair.old.resource.type != pair.new.resource.type:
        return Fate.RETYPED
    return Fate.KEPT if pair.by == BY_ID else Fate.RECREATED


def _judged(
    change: Change, known: Sequence[Change], before: Mapping[str, Export], after: Mapping[str, Export]
) -> Change:
    sides = change.both()
    if sides is None or change.fate is Fate.RETYPED:
        return change
    found = tuple(_property_changes(*sides, known, before, after))
    fate = change.fate
    if fate is not Fate.RECREATED:
        fate = Fate.UPDATED if found else Fate.KEPT
        fate = Fate.REPLACED if any(one.replaces for one in found) else fate
    return replace(change, fate=fate, properties=found)


def _property_changes(
    old: Found, new: Found, known: Sequence[Change], before: Mapping[str, Export], after: Mapping[str, Export]
) -> Iterator[PropertyChange]:
    create_only = resource_schema(new.resource.type).create_only
    was, now = (dict(flattened(dict(found.resource.properties))) for found in (old, new))
    contexts = _context(old, known, before, "old"), _context(new, known, after, "new")
    for path in sorted({*now, *was}):
        found = difference(was.get(path), now.get(path), *contexts)
        if found is not Difference.SAME:
            replaces = any(path == name or path.startswith((f"{name}.", f"{name}[")) for name in create_only)
            yield PropertyChange(path, was.get(path), now.get(path), found, replaces)


def _context(found: Found, known: Sequence[Change], exported: Mapping[str, Export], side: str) -> Context:
    def identity(stack: str, logical_id: str) -> str:
        for index, change in enumerate(known):
            one = change.pair.old if side == "old" else change.pair.new
            if one is not None and one.is_called(stack, logical_id):
                return f"#{index}" if change.fate.lives_on else f"{side} {stack} {logical_id}"
        return logical_id

    def value_of(name: str) -> str | None:
        if name not in exported:
            return None
        stack, value = exported[name].stack, exported[name].value
        return canonical(value, Context(stack.template, lambda one: identity(stack.name, one), lambda _: None))

    return Context(found.stack.template, lambda one: identity(found.stack.name, one), value_of)
