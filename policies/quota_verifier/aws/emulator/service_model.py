"""botocore's model of AWS Batch, as it is installed: operations and shapes as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, NotRequired, TypedDict, cast


class Member(TypedDict):
    """Where a shape stands in another; `location` is absent for what goes in the body."""

    shape: str
    location: NotRequired[str]
    locationName: NotRequired[str]


class Shape(TypedDict, total=False):
    """A type of the model; which keys there are depends on `type`."""

    type: str
    members: dict[str, Member]
    required: list[str]
    member: Member
    key: Member
    value: Member
    enum: list[str]
    min: int
    max: int
    pattern: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: HTTP method and path, and the names of its input and output shapes."""

    name: str
    method: str
    path: str
    input: str
    output: str


class _Http(TypedDict):
    method: str
    requestUri: str


class _Operation(TypedDict):
    http: _Http
    input: Member
    output: Member


class _Model(TypedDict):
    operations: dict[str, _Operation]
    shapes: dict[str, Shape]


@cache
def _model() -> _Model:
    loaders = cast("Any", import_module("botocore.loaders"))  # it has no types
    return loaders.create_loader().load_service_model("batch", "service-2")


def shape(name: str) -> Shape:
    """A shape by its name."""
    return _model()["shapes"][name]


@cache
def operation(name: str) -> Operation:
    """An operation by AWS's name."""
    told = _model()["operations"][name]
    http = told["http"]
    return Operation(name, http["method"], http["requestUri"], told["input"]["shape"], told["output"]["shape"])


@cache
def outside_body(name: str) -> tuple[tuple[str, str, str], ...]:
    """Member, location (`uri` or `querystring`) and name there of what an operation takes outside its body."""
    members = shape(operation(name).input).get("members", {})
    return tuple(
        (member, one["location"], one.get("locationName", member))
        for member, one in members.items()
        if "location" in one
    )
