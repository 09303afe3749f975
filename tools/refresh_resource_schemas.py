"""Rewrites the schemas of the Batch resources that the rules look at from those that cfn-lint ships.

Run it with the lint extra installed: `python tools/refresh_resource_schemas.py`. A test compares the file
with the installed cfn-lint, so an upgrade that changes a schema fails until this has been run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

TARGET = Path(__file__).parents[1] / "policies/quota_verifier/data/batch_resource_schemas.json"
REGION = "us-east-1"
TYPES = (
    "AWS::Batch::JobQueue",
    "AWS::Batch::QuotaShare",
    "AWS::Batch::SchedulingPolicy",
    "AWS::Batch::ServiceEnvironment",
)
_REFERENCE = "#/definitions/"


def schemas() -> dict[str, dict[str, object]]:
    """The part of each type's registry schema that rules and comparisons need."""
    return {name: _essence(PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, name).schema) for name in TYPES}


def _essence(schema: dict[str, Any]) -> dict[str, object]:
    properties: dict[str, object] = {}
    for name, body in sorted(schema["properties"].items()):
        properties.update(_flat(name, body, schema.get("definitions", {})))
    return {
        "required": sorted(schema.get("required", [])),
        "create_only": _names(schema, "createOnlyProperties"),
        "read_only": _names(schema, "readOnlyProperties"),
        "properties": properties,
    }


def _flat(path: str, body: dict[str, Any], definitions: dict[str, Any]) -> Iterator[tuple[str, dict[str, object]]]:
    """`path` and every path below it: `CapacityLimits`, `CapacityLimits[]`, `CapacityLimits[].MaxCapacity`."""
    if "$ref" in body:
        body = {**definitions[body["$ref"].removeprefix(_REFERENCE)], **body}
    facts: dict[str, object] = {"type": body["type"]}
    if "enum" in body:
        facts["values"] = sorted(body["enum"])
    elif "enumCaseInsensitive" in body:
        facts["values_in_any_case"] = sorted(value.upper() for value in body["enumCaseInsensitive"])
    if "patternProperties" in body:
        facts["any_key"] = True
    yield path, facts
    if "items" in body:
        yield from _flat(f"{path}[]", body["items"], definitions)
    for name, inner in sorted(body.get("properties", {}).items()):
        yield from _flat(f"{path}.{name}", inner, definitions)


def _names(schema: dict[str, Any], key: str) -> list[str]:
    return sorted(pointer.removeprefix("/properties/").replace("/", ".") for pointer in schema.get(key, []))


def main() -> None:
    """Write the schemas with the version that they came from."""
    document = {"source": f"cfn-lint {version('cfn-lint')}, registry schemas of {REGION}", "types": schemas()}
    TARGET.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{len(TYPES)} types -> {TARGET}")


if __name__ == "__main__":
    main()
