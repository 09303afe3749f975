"""What the CloudFormation registry says of the Batch resources: properties, and which of them are create-only.

Kept as data so that neither cfn-lint nor a network is needed to check a rule's property paths.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import cast

from quota_verifier.errors import InputError
from quota_verifier.words import did_you_mean


@dataclass(frozen=True, slots=True)
class PropertySchema:
    """A property: its JSON type and, where the schema lists them, the values that it takes."""

    type: str
    values: tuple[str, ...] = ()
    any_case: bool = False
    any_key: bool = False


@dataclass(frozen=True, slots=True)
class ResourceSchema:
    """A resource type; properties by path, such as `CapacityLimits[].MaxCapacity`.

    A change of a create-only property replaces the resource; a read-only one cannot be written.
    """

    type: str
    properties: Mapping[str, PropertySchema]
    required: tuple[str, ...]
    create_only: tuple[str, ...]
    read_only: tuple[str, ...]


@cache
def _document() -> Mapping[str, object]:
    text = (files("quota_verifier") / "data" / "batch_resource_schemas.json").read_text(encoding="utf-8")
    return cast("Mapping[str, object]", json.loads(text))


def schemas_source() -> str:
    """Where the schemas came from: cfn-lint's version and the region."""
    return str(_document()["source"])


@cache
def resource_schemas() -> Mapping[str, ResourceSchema]:
    """The schemas by resource type."""
    types = cast("Mapping[str, Mapping[str, object]]", _document()["types"])
    return {name: _resource_schema(name, body) for name, body in types.items()}


def resource_schema(resource_type: str) -> ResourceSchema:
    """The schema of a type. Raises InputError for one that is not known."""
    known = resource_schemas()
    if resource_type not in known:
        raise InputError(f"unknown resource type {resource_type!r}", remedy=did_you_mean(resource_type, known))
    return known[resource_type]


def property_schema(resource_type: str, path: str) -> PropertySchema:
    """The schema of a property of a type. Raises InputError for one that the schema does not have.

    A map with keys of the user's own, such as `Tags`, has a text property under any key.
    """
    schema = resource_schema(resource_type)
    parent, _, key = path.rpartition(".")
    if path in schema.properties:
        return schema.properties[path]
    if key and parent in schema.properties and schema.properties[parent].any_key:
        return PropertySchema("string")
    raise InputError(f"{resource_type} has no property {path!r}", remedy=did_you_mean(path, [*schema.properties]))


def _resource_schema(name: str, body: Mapping[str, object]) -> ResourceSchema:
    properties = cast("Mapping[str, Mapping[str, object]]", body["properties"])
    lists = {key: tuple(cast("list[str]", body[key])) for key in ("required", "create_only", "read_only")}
    return ResourceSchema(name, {path: _property(facts) for path, facts in properties.items()}, **lists)


def _property(facts: Mapping[str, object]) -> PropertySchema:
    any_case = "values_in_any_case" in facts
    values = facts.get("values_in_any_case" if any_case else "values", ())
    return PropertySchema(
        type=str(facts["type"]),
        values=tuple(cast("list[str]", values)),
        any_case=any_case,
        any_key="any_key" in facts,
    )
