"""JSON traces: large, so read without the line of every value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from quota_verifier.errors import InputError
from quota_verifier.workload.sources import read_source

Fields = Mapping[str, object]
"""A JSON map."""

_SPACE = re.compile(r"\s*")


def read_json_documents(path: Path) -> Iterator[object]:
    """The JSON documents of a file: one, or several one after another, as appended answers are.

    Raises InputError with FILE:LINE:COLUMN where the text is not JSON.
    """
    text = read_source(path)
    decoder = json.JSONDecoder()
    at = _after_space(text, 0)
    if at == len(text):
        raise InputError("the file is empty", source=str(path))
    while at < len(text):
        try:
            document, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            problem = f"malformed JSON: {error.msg[:1].lower()}{error.msg[1:]}"
            raise InputError(problem, source=f"{path}:{error.lineno}:{error.colno}") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"malformed JSON: {error}", source=str(path)) from None
        yield document
        at = _after_space(text, end)


def read_json(path: Path) -> object:
    """The one JSON document of a file. Raises InputError where there are several, or none."""
    documents = list(read_json_documents(path))
    if len(documents) > 1:
        raise InputError(f"the file holds {len(documents)} JSON documents", source=str(path), remedy="keep one")
    return documents[0]


def map_at(fields: Fields, key: str) -> Fields:
    """The map at `key`; an empty one where there is something else."""
    value = fields.get(key)
    return cast("Fields", value) if isinstance(value, Mapping) else {}


def maps_at(fields: Fields, key: str) -> list[Fields]:
    """The maps in the list at `key`; none where there is something else."""
    return [cast("Fields", item) for item in items_at(fields, key) if isinstance(item, Mapping)]


def items_at(fields: Fields, key: str) -> list[object]:
    """The list at `key`; an empty one where there is something else."""
    value = fields.get(key)
    return cast("list[object]", value) if isinstance(value, list) else []


def whole_at(fields: Fields, key: str) -> int | None:
    """The whole number at `key`; None where there is something else."""
    value = fields.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
