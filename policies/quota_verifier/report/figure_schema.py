"""JSON schemas of figures, made from their dataclasses as `figures.plain` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from types import NoneType, UnionType
from typing import cast, get_args, get_origin, get_type_hints

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

from quota_verifier.figures import Distribution, ShareLedger, UnitLedger
from quota_verifier.figures.distribution import STATISTICS

Schema = dict[str, object]


@dataclass(frozen=True, slots=True)
class FigureOf:
    """Annotates a field of a document that holds `owner`, a figures dataclass, as plain data."""

    owner: type

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> Schema:
        """What pydantic asks for."""
        return figure_schema(self.owner)


def figure_schema(owner: type) -> Schema:
    """The schema of a figures dataclass; the fields of its `group` stand beside its own."""
    if not is_dataclass(owner):
        raise TypeError(f"{owner} is no figures dataclass")
    hints = get_type_hints(owner)
    properties: Schema = {}
    nested: Schema = {}
    for field in fields(owner):
        if field.name == "group":
            nested = cast("Schema", figure_schema(hints["group"])["properties"])
        elif _in_seconds(owner, field.name) and hints[field.name] is not str:
            properties[field.name.removesuffix("_ms")] = _nullable({"type": "number"}, hints[field.name])
        else:
            properties[field.name] = _schema(hints[field.name])
    properties.update(nested)
    about = (owner.__doc__ or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
    return {"type": "object", "description": about, "properties": properties, "required": list(properties)}


def _in_seconds(owner: type, name: str) -> bool:
    return name.endswith("_ms") or owner in (ShareLedger, UnitLedger) or (owner is Distribution and name in STATISTICS)


def _nullable(schema: Schema, hint: object) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]} if NoneType in get_args(hint) else schema


def _schema(hint: object) -> Schema:
    if isinstance(hint, UnionType):
        (inner,) = (part for part in get_args(hint) if part is not NoneType)
        return _nullable(_schema(inner), hint)
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if get_origin(hint) is Mapping:
        return {"type": "object", "additionalProperties": _schema(get_args(hint)[1])}
    if isinstance(hint, type) and is_dataclass(hint):
        return figure_schema(hint)
    return {"type": {int: "integer", str: "string", Fraction: "number"}[cast("type", hint)]}
