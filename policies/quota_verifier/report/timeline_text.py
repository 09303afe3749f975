"""A timeline laid out for a report: long sentences go on below where they began."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from quota_verifier.report.text import indented, row

_USAGE = "= "


def timeline_lines(text: str, indent: int) -> Iterator[RenderableType]:
    """The lines of a timeline, moved to the right, each sentence kept in its column."""
    lines = text.splitlines()
    usage = next((line for line in lines if line.startswith(" ") and line.lstrip().startswith(_USAGE)), None)
    column = 0 if usage is None else len(usage) - len(usage.lstrip())
    for line in lines:
        if column and not line.startswith("..."):
            yield row((line[:column], line[column:]), (column,), indent)
        else:
            yield indented(line, indent)
