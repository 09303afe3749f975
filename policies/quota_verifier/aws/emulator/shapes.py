"""Requests read, and answers written, by the types of botocore's model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, cast

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.aws.emulator.service_model import Member, Shape, operation, shape

Request = Mapping[str, Any]
"""A request's members, by name, of the types of botocore's model."""

Answer = dict[str, object]
"""An answer's members."""

_BITS = {"integer": 32, "long": 64}
_OTHERS = {"double": float, "float": float, "boolean": bool}
_EITHER_CASE = "ServiceJobRetryAction"
"""AWS's own examples write `Retry` where the model says `RETRY`."""

_NOT_YET_KNOWN = ("startedAt",)
"""The model requires it of every job; AWS's example of a waiting job goes without, and so do we."""

_BODY = TypeAdapter(dict[str, object])

Side = Literal["input", "output"]


def read_request(name: str, body: bytes, outside: Mapping[str, object]) -> Request:
    """The members of a request, from its JSON body and from what stands `outside` it (path and query).

    Members that the model does not know are dropped. Raises AwsError for the first mistake.
    """
    adapter = _adapter(name, "input")
    try:
        if outside:
            return adapter.validate_python({**_BODY.validate_json(body or b"{}"), **outside}, strict=True)
        return adapter.validate_json(body or b"{}", strict=True)
    except ValidationError as error:
        raise refusal(error) from None


def write_answer(name: str, answer: Answer) -> bytes:
    """An answer as JSON, with the members that the model knows. Raises ValidationError for what it forbids."""
    adapter = _adapter(name, "output")
    return adapter.dump_json(adapter.validate_python(answer, strict=True), exclude_none=True)


def refusal(error: ValidationError, prefix: str = "") -> AwsError:
    """The first mistake as AWS's error; `prefix` names the member that the checked data stands in."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(step) for step in (prefix, *first["loc"]) if step != "")
    said = first["msg"].replace("Field required", "must be given").replace("Input should", "should")
    return AwsError(f"{place}: {said}" if place else said)


@cache
def _adapter(name: str, side: Side) -> TypeAdapter[dict[str, Any]]:
    told = operation(name)
    return TypeAdapter(_type(told.input if side == "input" else told.output, side))


@cache
def _type(name: str, side: Side) -> Any:  # noqa: ANN401 (a type that is made at run time)
    """The type of a shape, as pydantic takes it. No shape of Batch that is served here holds itself."""
    told = shape(name)
    kind = told.get("type", "")
    if kind == "structure":
        return _structure(name, told, side)
    if kind == "list":
        return Annotated[list[_part(told.get("member"), side)], _length(told)]
    if kind == "map":
        return Annotated[dict[_part(told.get("key"), side), _part(told.get("value"), side)], _length(told)]
    if kind == "string":
        return Literal[_words(name, told)] if "enum" in told else Annotated[str, _length(told)]
    if kind in _BITS:
        bound = 1 << _BITS[kind] - 1
        return Annotated[int, Field(ge=-bound, lt=bound)]
    return _OTHERS[kind]


def _part(member: Member | None, side: Side) -> Any:  # noqa: ANN401 (as _type)
    return _type(member["shape"] if member else "", side)


def _structure(name: str, told: Shape, side: Side) -> Any:  # noqa: ANN401 (as _type)
    required = set(told.get("required", ()))
    if side == "output":
        required -= set(_NOT_YET_KNOWN)
    fields: dict[str, Any] = {}
    for member, one in told.get("members", {}).items():
        kind = _type(one["shape"], side)
        fields[member] = Required[kind] if member in required else NotRequired[kind | None]
    make = cast("Any", TypedDict)
    return make(name, fields)


def _words(name: str, told: Shape) -> tuple[str, ...]:
    words = told.get("enum", [])
    spellings = [words, [word.capitalize() for word in words], [word.lower() for word in words]]
    return tuple(word for spelling in spellings[: 3 if name == _EITHER_CASE else 1] for word in spelling)


def _length(told: Shape) -> Any:  # noqa: ANN401 (pydantic's own type of a Field is private)
    return Field(min_length=told.get("min"), max_length=told.get("max"), pattern=told.get("pattern"))
