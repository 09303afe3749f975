"""YAML and JSON files as plain data, with the line of every value for messages.

Both forms give the same data: maps with text keys, lists, text, whole numbers, floats, booleans, None.
YAML follows the 1.2 core schema, so `on`, `no`, `1:30` and `2024-01-01` stay text.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, cast

from quota_verifier import json_positions, yaml_nodes
from quota_verifier.errors import InputError
from quota_verifier.yaml_nodes import Tags

DataPath = tuple[str | int, ...]
"""Where a value stands in the data: keys and list indexes from the root."""

LineOf = Callable[[DataPath], int]
"""The 1-based line of a value; of the nearest enclosing one where the value itself has none."""

ColumnOf = Callable[[DataPath], int]
"""The 1-based column of a value in that line."""

_NO_TAGS: Tags = {}
_READS_AS_JSON = re.compile(r"\s*[\[{]")
_CLOSED_AFTER_COMMA = re.compile(r",\s*[\]}]")


def as_map(value: object) -> dict[str, object] | None:
    """`value` where it is a map of a document, else None."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """`value` where it is a list of a document, else None."""
    return cast("list[object]", value) if isinstance(value, list) else None


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, and where: `line_of(("shares", 0, "limits"))` is the line of that key."""

    data: object
    source: str
    line_of: LineOf
    column_of: ColumnOf

    def at(self, path: DataPath = ()) -> str:
        """`FILE:LINE` of the value at `path`, as `InputError.source` takes it."""
        return f"{self.source}:{self.line_of(path)}"


def load_document(path: str | Path, *, tags: Tags = _NO_TAGS) -> Document:
    """Read one YAML or JSON file; `tags` gives a meaning to YAML tags such as `!Ref`.

    Raises InputError with FILE:LINE:COLUMN for a file that is missing, not UTF-8, empty, malformed,
    holds several documents, or gives one key of a map twice.
    """
    return parse_document(read_text(path), source=str(path), tags=tags)


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file. Raises InputError where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("no such file", source=str(path)) from None
    except IsADirectoryError:
        raise InputError("this is a directory", source=str(path), remedy="name a file in it") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start + 1} is not UTF-8 text", source=str(path), remedy="save it as UTF-8"
        ) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=str(path)) from None


def parse_document(text: str, *, source: str, tags: Tags = _NO_TAGS) -> Document:
    """Read `text` as JSON where it is JSON, else as YAML; `source` names it in messages.

    A source that ends in `.json` must be JSON. Raises InputError as `load_document` does.
    """
    if not text.strip():
        raise InputError("the file is empty", source=source)
    if source.endswith(".json"):
        return _from_json(text, source)
    if _READS_AS_JSON.match(text):
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            pass  # a YAML map in braces
        else:
            return _from_json(text, source)
    return _from_yaml(text, source, tags)


def dump_yaml(data: object) -> str:
    """`data` as YAML that `parse_document` reads back alike: keys in their order, lines of 110."""
    return yaml_nodes.dump(data)


def _from_yaml(text: str, source: str, tags: Tags) -> Document:
    data, root = yaml_nodes.load(text, source=source, tags=tags)
    return Document(
        data, source, functools.partial(yaml_nodes.line_of, root), functools.partial(yaml_nodes.column_of, root)
    )


class _DuplicateKeyError(Exception):
    """Some map of a JSON text gives one key twice."""


def _from_json(text: str, source: str) -> Document:
    try:
        data: object = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        _refuse_json(error, source)
    except _DuplicateKeyError:
        key, offset = json_positions.first_duplicate(text)
        raise _malformed(source, text, offset, f"the key {key!r} stands twice in one map") from None
    except RecursionError:
        raise InputError("nested too deeply", source=source) from None
    except ValueError as error:  # a number beyond Python's digit limit, or NaN
        raise InputError(f"malformed JSON: {error}", source=source) from None

    @functools.cache
    def offsets() -> Mapping[DataPath, int]:
        return json_positions.offsets(text)

    def offset_of(path: DataPath) -> int:
        known = offsets()
        while path and path not in known:
            path = path[:-1]
        return known[path]

    def line_of(path: DataPath) -> int:
        return text.count("\n", 0, offset_of(path)) + 1

    def column_of(path: DataPath) -> int:
        offset = offset_of(path)
        return offset - text.rfind("\n", 0, offset)

    return Document(data, source, line_of, column_of)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _DuplicateKeyError
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON knows")


def _refuse_json(error: json.JSONDecodeError, source: str) -> NoReturn:
    # Python versions word and place a trailing comma differently; one wording for all.
    comma = error.doc.rfind(",", 0, error.pos + 1)
    if comma >= 0 and (closed := _CLOSED_AFTER_COMMA.match(error.doc, comma)):
        raise _malformed(
            source, error.doc, comma, f"malformed JSON: a comma before the closing {closed[0][-1]}"
        ) from None
    problem = f"malformed JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    raise _malformed(source, error.doc, error.pos, problem) from None


def _malformed(source: str, text: str, offset: int, problem: str) -> InputError:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return InputError(problem, source=f"{source}:{line}:{column}")
