"""What stacks export to each other, and what they import (case C27).

CloudFormation neither changes nor removes an export while another stack imports it.
Source: AWS CloudFormation user guide, Fn::ImportValue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from quota_verifier.diff.sides import Stack
from quota_verifier.documents import as_list, as_map
from quota_verifier.template import Resource
from quota_verifier.template.intrinsics import resolve
from quota_verifier.template.parameters import values
from quota_verifier.template.resources import declared_parameters
from quota_verifier.template.scope import Scope
from quota_verifier.template.unresolved import Unresolved, in_text

_IMPORT = "Fn::ImportValue"


@dataclass(frozen=True, slots=True)
class Export:
    """An output that other stacks may import, by its name in the account and Region."""

    name: str
    stack: Stack
    value: object

    @property
    def resource(self) -> Resource | None:
        """The resource that it is the ARN or name of."""
        known = self.stack.template.resources
        return known.get(self.value.resource) if isinstance(self.value, Unresolved) else None


def exports(stacks: Iterable[Stack]) -> Mapping[str, Export]:
    """The exports of all stacks by name, evaluated as far as their templates tell."""
    return {found.name: found for stack in stacks for found in _exports(stack)}


def imports(stacks: Iterable[Stack]) -> Mapping[str, tuple[Stack, ...]]:
    """The stacks that import each name, in their order."""
    found: dict[str, list[Stack]] = {}
    for stack in stacks:
        for name in sorted(_imported(stack)):
            found.setdefault(name, []).append(stack)
    return {name: tuple(users) for name, users in found.items()}


def _exports(stack: Stack) -> Iterator[Export]:
    scope = _scope(stack)
    for body in _section(stack, "Outputs").values():
        output = as_map(body) or {}
        written = (as_map(output.get("Export")) or {}).get("Name")
        if written is not None:
            yield Export(in_text(resolve(written, scope)), stack, resolve(output.get("Value"), scope))


def _imported(stack: Stack) -> set[str]:
    """Every name that the template imports, wherever that is written."""
    if stack.file is not None:
        return set()
    scope = _scope(stack)
    found: set[str] = set()
    pending: list[object] = [stack.template.document.data]
    while pending:
        part = pending.pop()
        pending += as_list(part) or []
        for name, argument in (as_map(part) or {}).items():
            if name == _IMPORT:
                found.add(in_text(resolve(argument, scope)))
            pending.append(argument)
    return found


def _scope(stack: Stack) -> Scope:
    known = values(declared_parameters(stack.template.document), stack.values)
    logical_ids = frozenset(stack.template.resources)
    return Scope(known, _section(stack, "Mappings"), _section(stack, "Conditions"), logical_ids)


def _section(stack: Stack, name: str) -> Mapping[str, object]:
    return as_map((as_map(stack.template.document.data) or {}).get(name)) or {}
