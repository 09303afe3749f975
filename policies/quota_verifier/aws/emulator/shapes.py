"""botocore's model of AWS Batch as checks: requests are read by it, and answers written by it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, cast

from botocore.model import ListShape, MapShape, OperationModel, ServiceModel, Shape, StringShape, StructureShape
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from quota_verifier.aws.emulator.errors import AwsError

Request = Mapping[str, Any]
"""A request's members, by name, as botocore's model types them."""

Answer = dict[str, object]
"""An answer's members."""

_INTEGER_BITS = {"integer": 32, "long": 64}
_EITHER_CASE = "ServiceJobRetryAction"
"""AWS's own examples write `Retry` where the model says `RETRY`."""

_NOT_YET_KNOWN = ("startedAt",)
"""The model requires it of every job; AWS's example of a waiting job goes without, and so do we."""


@cache
def service_model() -> ServiceModel:
    """Botocore's model of AWS Batch, as it is installed."""
    from botocore.session import get_session

    return get_session().get_service_model("batch")


def operation_model(operation: str) -> OperationModel:
    """The model of one operation."""
    return service_model().operation_model(operation)


def read_request(operation: str, body: bytes, uri: Mapping[str, object]) -> Request:
    """The members of a request, from its JSON body and from `uri` (path and query).

    Members that the model does not know are dropped. Raises AwsError for the first mistake.
    """
    adapter = _adapter(operation, "input")
    try:
        if uri:
            given = TypeAdapter(dict[str, object]).validate_json(body or b"{}", strict=True)
            return adapter.validate_python({**given, **uri}, strict=True)
        return adapter.validate_json(body or b"{}", strict=True)
    except ValidationError as error:
        raise _refusal(error) from None


def check_request(operation: str, request: object) -> Request:
    """The members of a request that is data already. Raises AwsError for the first mistake."""
    try:
        return _adapter(operation, "input").validate_python(request, strict=True)
    except ValidationError as error:
        raise _refusal(error) from None


def write_answer(operation: str, answer: Answer) -> bytes:
    """An answer as JSON, with the members that the model knows. Raises ValidationError for one that it forbids."""
    adapter = _adapter(operation, "output")
    return adapter.dump_json(adapter.validate_python(answer, strict=True), exclude_none=True)


@cache
def _adapter(operation: str, side: Literal["input", "output"]) -> TypeAdapter[dict[str, Any]]:
    model = operation_model(operation)
    shape = model.input_shape if side == "input" else model.output_shape
    if shape is None:
        return TypeAdapter(dict[str, Any])
    known: dict[str, object] = {}
    return TypeAdapter(_type(shape, side, known))


def _type(shape: Shape, side: str, known: dict[str, object]) -> Any:  # noqa: ANN401 (a type built at run time)
    """The type of a shape, as pydantic takes it."""
    if isinstance(shape, StructureShape):
        if shape.name not in known:
            known[shape.name] = _structure(shape, side, known)
        return known[shape.name]
    if isinstance(shape, ListShape):
        return Annotated[list[_type(shape.member, side, known)], _length(shape)]
    if isinstance(shape, MapShape):
        return Annotated[dict[_type(shape.key, side, known), _type(shape.value, side, known)], _length(shape)]
    if isinstance(shape, StringShape):
        return _text(shape)
    if shape.type_name in _INTEGER_BITS:
        bound = 1 << _INTEGER_BITS[shape.type_name] - 1
        return Annotated[int, Field(ge=-bound, lt=bound)]
    return {"double": float, "float": float, "boolean": bool}[shape.type_name]


def _structure(shape: StructureShape, side: str, known: dict[str, object]) -> object:
    fields: dict[str, object] = {}
    for name, member in shape.members.items():
        is_required = name in shape.required_members and not (side == "output" and name in _NOT_YET_KNOWN)
        kind = _type(member, side, known)
        fields[name] = Required[kind] if is_required else NotRequired[kind | None]
    return TypedDict(shape.name, fields)  # type: ignore[misc, operator]


def _text(shape: StringShape) -> object:
    if not shape.enum:
        return Annotated[str, _length(shape)]
    allowed = list(shape.enum)
    if shape.name == _EITHER_CASE:
        allowed += [text for word in shape.enum for text in (word.capitalize(), word.lower())]
    return Literal[tuple(allowed)]  # type: ignore[valid-type]


def _length(shape: Shape) -> Any:  # noqa: ANN401 (pydantic's Field has no public type)
    metadata = cast("Mapping[str, Any]", shape.metadata)
    return Field(min_length=metadata.get("min"), max_length=metadata.get("max"), pattern=metadata.get("pattern"))


def _refusal(error: ValidationError) -> AwsError:
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    if first["type"] == "missing":
        return AwsError(f"{place}: must not be null")
    problem = first["msg"].removeprefix("Input should").removeprefix("Input ").strip()
    problem = problem if first["msg"] == problem else f"should {problem}"
    return AwsError(f"{place}: {problem}" if place else problem)
