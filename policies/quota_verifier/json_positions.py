"""Where the values of a JSON text stand, which the standard library does not tell.

Works on text that `json.loads` accepts; nothing is checked here again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

JsonPath = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t\n\r]*")
_PUNCTUATED = re.compile(r"[ \t\n\r]*[,:]?[ \t\n\r]*")
_ATOM = re.compile(r"[^\s,\]}]+")
_DECODER = json.JSONDecoder()


def offsets(text: str) -> dict[JsonPath, int]:
    """The offset of every value, of its key where it has one, by path."""
    found: dict[JsonPath, int] = {}
    for path, offset in _walk(text):
        found.setdefault(path, offset)
    return found


def first_duplicate(text: str) -> tuple[str, int]:
    """The first key that a map gives a second time, and the offset of that second time."""
    seen: set[JsonPath] = set()
    for path, offset in _walk(text):
        if path in seen:
            return str(path[-1]), offset
        seen.add(path)
    raise ValueError("no key stands twice")


def _walk(text: str) -> Iterator[tuple[JsonPath, int]]:
    """Every value's path and offset in reading order, without recursion."""
    at = _space(text, 0)
    yield (), at
    path: list[str | int] = []
    closers: list[str] = []
    at = _enter(text, at, path, closers)
    while closers:
        at = _after(text, at)
        if text[at] == closers[-1]:
            closers.pop()
            path.pop()
            at += 1
            continue
        start = at
        if closers[-1] == "}":
            key, end = _string(text, at)
            path[-1], at = key, _after(text, end)
        else:
            path[-1] = int(path[-1]) + 1
        yield tuple(path), start
        at = _enter(text, at, path, closers)


def _enter(text: str, at: int, path: list[str | int], closers: list[str]) -> int:
    """Step into the map or list at `at`, or over the plain value there."""
    if text[at] in "{[":
        path.append(-1)
        closers.append("}" if text[at] == "{" else "]")
        return at + 1
    if text[at] == '"':
        return _string(text, at)[1]
    atom = _ATOM.match(text, at)
    return atom.end() if atom else len(text)


def _string(text: str, at: int) -> tuple[str, int]:
    value, end = _DECODER.raw_decode(text, at)
    return str(value), end


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _after(text: str, at: int) -> int:
    match = _PUNCTUATED.match(text, at)
    return match.end() if match else at
