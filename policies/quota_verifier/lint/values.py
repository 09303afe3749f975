"""Property values read tolerantly: what a rule can use, or why it cannot.

Three answers: the value; Unresolved where the deployment decides it; None where it is missing or
written in a way that another rule or cfn-lint reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quota_verifier.documents import DataPath, as_list, as_map
from quota_verifier.template import Resource, Unresolved

_WHOLE = re.compile(r"\s*[-+]?[0-9]{1,300}\s*")


def value_at(resource: Resource, *path: str | int) -> object:
    """The value of a property; None where it, or something around it, is not there or null."""
    here: object = resource.properties
    for step in path:
        if isinstance(here, Unresolved):
            return here
        if isinstance(step, int):
            listed = as_list(here) or []
            here = listed[step] if step < len(listed) else None
        else:
            here = (as_map(here) or {}).get(step)
    return here


def values_at(resource: Resource, path: str) -> Iterator[tuple[DataPath, object]]:
    """Every value of a property such as `CapacityLimits[].MaxCapacity`, with its place.

    A part that the deployment decides stands for all that is in it; an empty list has no values.
    """
    found: list[tuple[DataPath, object]] = [((), resource.properties)]
    for step in path.replace("[]", ".[]").split("."):
        found = [inner for place, value in found for inner in _inside(place, value, step)]
    yield from found


def _inside(place: DataPath, value: object, step: str) -> Iterator[tuple[DataPath, object]]:
    if isinstance(value, Unresolved):
        yield place, value
    elif step == "[]":
        yield from (((*place, index), item) for index, item in enumerate(as_list(value) or []))
    else:
        yield (*place, step), (as_map(value) or {}).get(step)


def items_at(resource: Resource, *path: str | int) -> Unresolved | tuple[object, ...]:
    """The items of a list; none where it is not there or no list."""
    value = value_at(resource, *path)
    return value if isinstance(value, Unresolved) else tuple(as_list(value) or ())


def whole(value: object) -> int | Unresolved | None:
    """A whole number as CloudFormation takes it: 4, "4" or 4.0."""
    if isinstance(value, Unresolved):
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    return value if isinstance(value, int) else None


def text(value: object) -> str | Unresolved | None:
    """A text that is not empty; a number is one."""
    if isinstance(value, Unresolved):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def word(value: object) -> str | Unresolved | None:
    """A member of an enumeration, which CloudFormation takes in any case, in AWS's spelling."""
    found = text(value)
    return found.upper() if isinstance(found, str) else found


def called(resource: Resource) -> str:
    """What messages call a resource: its physical name, else its logical id."""
    return resource.name if isinstance(resource.name, str) and resource.name else resource.logical_id
