"""Files checked against pydantic models, and the one message that a mistake gets.

Every reader of queue, workload and policy files goes through `validate_file`, so that a mistake reads
the same everywhere: FILE:LINE, the field, what is wrong, what would be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from quota_verifier.documents import DataPath, Document, LineOf
from quota_verifier.errors import InputError
from quota_verifier.words import did_you_mean, field_path, shown

M = TypeVar("M", bound=BaseModel)


class FileModel(BaseModel):
    """Base of what may stand in a file: an unknown key is an error, nothing is changed afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def validate_document(model_type: type[M], document: Document) -> M:
    """The model that `document` describes. Raises InputError for the first mistake in it."""
    return validate_file(model_type, document.data, document.source, document.line_of)


def validate_file(model_type: type[M], data: object, source: str, lines: LineOf | None = None) -> M:
    """The model that `data` describes; `lines` turns a data path into a line of `source`.

    Raises InputError for the first mistake: FILE:LINE, the field's path, what is wrong and what
    would be right. An InputError raised by a validator keeps its own problem and remedy.
    """
    try:
        return model_type.model_validate(data)
    except ValidationError as error:
        raise input_error(error, model_type, data, source, lines) from None


def input_error(
    error: ValidationError,
    model_type: type[BaseModel],
    data: object,
    source: str,
    lines: LineOf | None = None,
) -> InputError:
    """What `error` says of `data`, as the one error that bad input raises."""
    first = _most_telling(error.errors(include_url=False), data)
    path = _path(first, data)
    problem, remedy = _sentence(first, path, model_type)
    place = f"{source}:{lines(path)}" if lines and source else source
    return InputError(problem, source=place, where=field_path(path), remedy=remedy)


def _most_telling(errors: list[ErrorDetails], data: object) -> ErrorDetails:
    """The first error, but the unknown key rather than the key missing for it, and a union's best branch."""
    first = errors[0]
    if first["type"] == "missing":
        siblings = [e for e in errors if e["type"] == "extra_forbidden" and e["loc"][:-1] == first["loc"][:-1]]
        return siblings[0] if siblings else first
    branch = _branch(first, data)
    if branch is None:
        return first
    same = [e for e in errors if e["loc"][: len(branch)] == branch]
    return max(same, key=lambda e: len(_path(e, data)))


def _branch(error: ErrorDetails, data: object) -> tuple[int | str, ...] | None:
    """Where the union stands whose branches pydantic tried, or None outside unions."""
    loc = error["loc"]
    for count, (_, value) in enumerate(_steps(error, data)):
        if value is _BRANCH:
            return loc[:count]
    return None


_BRANCH = object()


def _steps(error: ErrorDetails, data: object) -> Iterator[tuple[int | str, object]]:
    """Each step of pydantic's location with the value there; `_BRANCH` for what is not in the data."""
    here = data
    last = len(error["loc"]) - 1
    for count, step in enumerate(error["loc"]):
        if isinstance(here, Mapping) and step in here:
            here = cast("Mapping[int | str, object]", here)[step]
            yield step, here
        elif isinstance(here, Sequence) and not isinstance(here, str) and isinstance(step, int):
            here = cast("Sequence[object]", here)[step]
            yield step, here
        elif count == last and error["type"] == "missing":
            yield step, None
        else:
            yield step, _BRANCH


def _path(error: ErrorDetails, data: object) -> DataPath:
    return tuple(step for step, value in _steps(error, data) if value is not _BRANCH)


def _sentence(error: ErrorDetails, path: DataPath, model_type: type[BaseModel]) -> tuple[str, str]:
    kind, context = error["type"], error.get("ctx", {})
    if isinstance(raised := context.get("error"), InputError):
        return raised.problem, raised.remedy
    if kind == "extra_forbidden":
        key = str(path[-1])
        return f"unknown key {key!r}", did_you_mean(key, _known_keys(model_type, error["loc"][:-1]))
    if kind == "missing":
        return "is missing", f"add {path[-1]!r}" if path else ""
    if "error" in context:  # a validator's own ValueError
        return str(context["error"]), ""
    words = {"value": shown(error["input"]), "said": error["msg"], **context}
    problem, remedy = _WORDED.get(kind, ("{value}: {said}", ""))
    return problem.format_map(words), remedy.format_map(words)


_NOT_WHOLE = ("{value} is not a whole number", "write a number such as 4")
_NOT_A_NUMBER = ("{value} is not a number", "write a number such as 0.5")
_NOT_TEXT = ("{value} is not text", "write it in quotes")
_NOT_A_LIST = ("{value} is not a list", "write a list, one item a line, each after a dash")
_NOT_A_MAP = ("{value} is not a map", "write key: value pairs")
_NOT_A_SWITCH = ("{value} is neither true nor false", "write true or false")
_WORDED: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _NOT_WHOLE),
    **dict.fromkeys(("float_type", "float_parsing", "decimal_type", "decimal_parsing"), _NOT_A_NUMBER),
    **dict.fromkeys(("finite_number",), _NOT_A_NUMBER),
    **dict.fromkeys(("string_type",), _NOT_TEXT),
    **dict.fromkeys(("list_type", "tuple_type"), _NOT_A_LIST),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), _NOT_A_MAP),
    **dict.fromkeys(("bool_type", "bool_parsing"), _NOT_A_SWITCH),
    **dict.fromkeys(("enum", "literal_error"), ("{value} is not allowed", "write {expected}")),
    "greater_than_equal": ("{value} is below {ge}", "write {ge} or more"),
    "greater_than": ("{value} is not above {gt}", "write more than {gt}"),
    "less_than_equal": ("{value} is above {le}", "write {le} or less"),
    "less_than": ("{value} is not below {lt}", "write less than {lt}"),
    "too_short": ("has {actual_length} items", "give at least {min_length}"),
    "too_long": ("has more than {max_length} items", "give at most {max_length}"),
    "string_too_short": ("{value} is too short", "give at least {min_length} characters"),
    "string_too_long": ("{value} is too long", "give at most {max_length} characters"),
    "string_pattern_mismatch": ("{value} does not match {pattern}", ""),
}


def _known_keys(model_type: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    """The fields of the model that stands at pydantic's location `loc`."""
    models: list[type[BaseModel]] = [model_type]
    for step in loc:
        fields = [model.model_fields[str(step)] for model in models if str(step) in model.model_fields]
        if fields:
            models = [model for info in fields for model in _models_in(info.annotation)]
        elif named := [model for model in models if model.__name__ == step]:
            models = named  # pydantic names the branch of a union by its model
    fields = (item for model in models for item in model.model_fields.items())
    return list(dict.fromkeys(info.alias or name for name, info in fields))


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401 (an annotation may be anything)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
