"""How messages quote values, name fields and suggest words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

_LONGEST = 60
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


def shown(value: object) -> str:
    """`value` as a message quotes it: short, in the file's words rather than Python's."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a map"
    if isinstance(value, list | tuple):
        return "a list"
    text = str(value)
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 3]}..."
    return repr(text) if isinstance(value, str) else text


def field_path(path: Iterable[str | int]) -> str:
    """`shares[1].limits["ml.g5.xlarge"]` for the keys and indexes of `path`."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif step.replace("-", "_").isidentifier():
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f'["{step}"]' if parts else step)
    return "".join(parts)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A remedy for a misspelt word: the nearest known one, else all of them."""
    words = list(known)
    by_case = {name.casefold(): name for name in words}
    near = difflib.get_close_matches(word.casefold(), list(by_case), n=1)
    return f"did you mean {by_case[near[0]]!r}?" if near else f"known are {', '.join(words)}"


def dotted_name(*parts: str) -> str:
    """The parts as a name that every tool takes: letters, digits, `_`, `.` and `-`.

    The CDK reads `::` and brackets in a name as its own.
    """
    return ".".join(_NOT_IN_A_NAME.sub("-", part).strip("-.") or "-" for part in parts)
