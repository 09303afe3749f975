"""Workload files in YAML: one job a line, in flow style, as fast as JSON for traces of many jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|(\d+(\.\d+)?(ms|[wdhms]))+")
_NO_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words and durations need no quotes, but for those that some version of YAML takes for something else."""


def yaml_text(jobs: Sequence[Mapping[str, object]], updates: Sequence[Mapping[str, object]]) -> str:
    """A workload file with these rows."""
    lines = ["jobs:", *(f"- {_flow(row)}" for row in jobs)]
    if updates:
        lines += ["updates:", *(f"- {_flow(row)}" for row in updates)]
    return "\n".join(lines) + "\n"


def _flow(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _scalar(value)
        case Mapping():
            items = cast("Mapping[str, object]", value).items()
            return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in items) + "}"
        case list():
            return "[" + ", ".join(_flow(item) for item in cast("list[object]", value)) + "]"
        case _:
            return str(value)


def _scalar(text: str) -> str:
    if _WORD.fullmatch(text) and text.lower() not in _NO_WORDS:
        return text
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"
