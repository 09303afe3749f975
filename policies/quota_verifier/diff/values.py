"""What a property was and is, compared the way CloudFormation does: by the value that the functions give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from quota_verifier.documents import as_list, as_map
from quota_verifier.resource_schemas import resource_schemas
from quota_verifier.template import Resource, Template, Unresolved
from quota_verifier.template.references import physical_name
from quota_verifier.template.unresolved import in_text

_IMPORT = "${Fn::ImportValue("
_REFERENCE = re.compile(r"\$\{Fn::ImportValue\([^()]*\)\}|\$\{([A-Za-z0-9]+)(?:\.([^}]*))?\}")


class Difference(Enum):
    """Whether a value changes; OPEN where only the deployment tells."""

    SAME = "same"
    CHANGED = "changed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Context:
    """What the references in one stack of a side are to.

    `identity` stands for a resource by logical id, `exported` for an imported value by the export's name;
    either gives equal texts for both sides where the resource stays the same one.
    """

    template: Template
    identity: Callable[[str], str]
    exported: Callable[[str], str | None]


def flattened(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """The plain values inside `value` by path; limits by unit, as in `CapacityLimits[ml.g5.xlarge].MaxCapacity`."""
    if (inside := as_map(value)) is not None:
        for name, part in inside.items():
            yield from flattened(part, f"{path}.{name}" if path else name)
    elif (items := as_list(value)) is not None:
        for index, item in enumerate(items):
            unit = (as_map(item) or {}).get("CapacityUnit")
            yield from flattened(item, f"{path}[{unit if isinstance(unit, str) else index}]")
    else:
        yield path, value


def difference(old: object, new: object, before: Context, after: Context) -> Difference:
    """Whether a plain value changes. A reference changes with the resource that it is to."""
    if canonical(old, before) == canonical(new, after):
        return Difference.SAME
    if _arn_of(old, new, after.template) or _arn_of(new, old, before.template):
        return Difference.SAME
    return Difference.OPEN if _is_open(old, before) or _is_open(new, after) else Difference.CHANGED


def _is_open(value: object, context: Context) -> bool:
    """Whether a value is made of what neither a resource nor an export of the side tells."""
    if not isinstance(value, Unresolved) or value.resource:
        return False
    name = value.expression.removeprefix(_IMPORT).removesuffix(")}")
    return not value.expression.startswith(_IMPORT) or context.exported(name) is None


def canonical(value: object, context: Context) -> str | None:
    """`value` as text. Ref and Fn::GetAtt of the ARN give the same for the resources that we know."""

    def known(match: re.Match[str]) -> str:
        if match[0].startswith(_IMPORT):
            return context.exported(match[0][len(_IMPORT) : -2]) or match[0]
        resource = context.template.resources.get(match[1])
        if resource is None:
            return match[0]
        attribute = "" if _is_arn(resource, match[2]) else f".{match[2]}"
        return f"${{{context.identity(match[1])}{attribute}}}"

    if value is None:
        return None
    return _REFERENCE.sub(known, in_text(value)) if isinstance(value, Unresolved) else in_text(value)


def _is_arn(resource: Resource, attribute: str | None) -> bool:
    schema = resource_schemas().get(resource.type)
    return attribute is None or (schema is not None and attribute in schema.read_only)


def _arn_of(literal: object, reference: object, template: Template) -> bool:
    """Whether an ARN in text is that of the resource, of a fixed name, that a reference of `template` is to."""
    if not isinstance(reference, Unresolved) or (isinstance(literal, Unresolved) and literal.resource):
        return False
    resource = template.resources.get(reference.resource)
    if resource is None or resource.name is None or literal is None:
        return False
    name = physical_name(in_text(literal), resource.type)
    return name != in_text(literal) and name == in_text(resource.name)


def shown_value(value: object) -> str:
    """A value as a change shows it; `none` where there is none."""
    return "none" if value is None else in_text(value)
