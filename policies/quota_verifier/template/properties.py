"""Properties read strictly: the value that is wanted, or one message that says where and why not.

CloudFormation takes "4" for 4, and enumerations in any case; so does this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from quota_verifier.documents import as_list, as_map
from quota_verifier.errors import InputError
from quota_verifier.template.resources import NAME_PROPERTIES, Resource
from quota_verifier.template.unresolved import Unresolved, in_text
from quota_verifier.words import field_path, shown

E = TypeVar("E", bound=StrEnum)

LARGEST = 2**31 - 1
"""AWS's integers have 32 bits; the arithmetic of limits then fits 64."""

_WHOLE = re.compile(r"[-+]?[0-9]{1,300}")
_KINDS = {name: name.removesuffix("Name") for name in NAME_PROPERTIES.values()}


class _Absent:
    """The type of `ABSENT`."""


ABSENT: Final = _Absent()
"""The value of a property that is not written, or is AWS::NoValue."""


class Switch(StrEnum):
    """ENABLED or DISABLED: every State, and InSharePreemption."""

    ENABLED = "ENABLED"
    DISABLED = "DISABLED"


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a resource, or the resource's properties as a whole (empty path)."""

    resource: Resource
    value: object
    path: tuple[str | int, ...] = ()

    @property
    def absent(self) -> bool:
        """Whether the property is not there."""
        return self.value is ABSENT

    @property
    def where(self) -> str:
        """The resource and the property's path, as `InputError.where` takes it."""
        return ", ".join(part for part in (described(self.resource), field_path(self.path)) if part)

    def __getitem__(self, name: str) -> Property:
        """A property inside this one; absent where this one is."""
        inside = as_map(self.value)
        if inside is None and not self.absent:
            raise self.refused("a map is wanted here", "write a map of properties")
        return Property(self.resource, (inside or {}).get(name, ABSENT), (*self.path, name))

    def items(self) -> Iterator[Property]:
        """The items of a list; none where it is absent."""
        if self.absent:
            return
        listed = as_list(self.value)
        if listed is None:
            raise self.refused("a list is wanted here", "write a list")
        for index, item in enumerate(listed):
            yield Property(self.resource, item, (*self.path, index))

    def refused(self, problem: str, remedy: str = "") -> InputError:
        """An error at this property; a value that is missing or unresolved says so instead of `problem`."""
        if isinstance(self.value, Unresolved):
            problem, remedy = self.value.reason, self.value.remedy
        elif self.absent:
            problem = "is missing"
        return InputError(problem, source=self.resource.at(*self.path), where=self.where, remedy=remedy)


def properties(resource: Resource) -> Property:
    """All properties of `resource`."""
    return Property(resource, resource.properties)


def described(resource: Resource) -> str:
    """The logical id, with the construct path and the physical name where there are any."""
    path = resource.label if resource.label != resource.logical_id else ""
    name = resource.name
    called = f"{_kind(resource)} {name!r}" if isinstance(name, str) and name != resource.logical_id else ""
    more = ", ".join(part for part in (path, called) if part)
    return f"{resource.logical_id} ({more})" if more else resource.logical_id


def _kind(resource: Resource) -> str:
    words = {"JobQueue": "queue", "QuotaShare": "share", "SchedulingPolicy": "policy"}
    return words.get(resource.type.rpartition(":")[2], "environment")


def text(item: Property, remedy: str = "write a text") -> str:
    """A text that is not empty. Raises InputError with `remedy` otherwise."""
    value = item.value
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise item.refused(f"{shown(value)} is not a text", remedy)


def whole(item: Property, *, least: int, most: int = LARGEST) -> int:
    """A whole number from `least` to `most`. Raises InputError otherwise."""
    value = item.value
    remedy = f"write a whole number of {least} or more"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    written = in_text(value).strip() if isinstance(value, str | int) else ""
    if not _WHOLE.fullmatch(written):
        raise item.refused(f"{shown(value)} is not a whole number", remedy)
    number = int(written)
    if number < least:
        raise item.refused(f"{number} is below {least}", remedy)
    if number > most:
        raise item.refused(f"{number} is above {most}", f"write a whole number from {least} to {most}")
    return number


def choice(item: Property, kind: type[E], *, default: E | None = None) -> E:
    """A member of an enumeration, in any case; `default` where absent. Raises InputError otherwise."""
    if item.absent and default is not None:
        return default
    members = {member.value.casefold(): member for member in kind}
    known = list(members.values())
    member = members.get(item.value.casefold()) if isinstance(item.value, str) else None
    if member is None:
        choices = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else str(known[0])
        raise item.refused(f"{shown(item.value)} is not allowed", f"write {choices}")
    return member
