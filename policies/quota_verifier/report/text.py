"""Reports as text: plain words in columns, no boxes, colour only where the output is a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TextIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_TRAILING_SPACES = re.compile(r" +$", re.MULTILINE)

WIDTH = 80
"""Columns where the output is no terminal: CI logs and files."""


def console(file: TextIO) -> Console:
    """A console that writes to `file`; everything is taken literally, nothing is coloured by guess."""
    return _console(file, None if file.isatty() else WIDTH)


def written(target: Console, parts: Iterable[RenderableType]) -> str:
    """What `target` makes of a report; no line ends in spaces."""
    with target.capture() as capture:
        for part in parts:
            target.print(Group(part), crop=False)  # a bare Text would lose its own wrapping
    return _TRAILING_SPACES.sub("", capture.get())


def rendered(parts: Iterable[RenderableType], width: int = WIDTH) -> str:
    """A report as plain text."""
    return written(_console(StringIO(), width), parts)


def title(name: str, source: str) -> Text:
    """The first line of a report: what it is about, and the file, on one line however long."""
    return Text.assemble((name, "bold"), f"  {source}" if source else "", no_wrap=True, overflow="ignore")


def heading(title: str, rest: str = "") -> Text:
    """A title, and what it says beside it."""
    return Text.assemble((title, "bold"), f" {rest}" if rest else "")


def columns(
    headings: Sequence[str], rows: Iterable[Sequence[str | Text]], *, left: int = 1, indent: int = 2
) -> RenderableType:
    """A table without lines; the first `left` columns are aligned to the left, the others to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=any(headings), header_style="dim")
    for place, title in enumerate(headings):
        table.add_column(title, justify="left" if place < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return Padding(table, (0, 0, 0, indent), expand=False)


def facts(rows: Iterable[tuple[str, str | Text]], indent: int = 2) -> RenderableType:
    """Names and what is to say about each, the names in a column of their own."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(Text(name, "dim"), value)
    return Padding(table, (0, 0, 0, indent), expand=False)


def row(cells: Sequence[str | Text], widths: Sequence[int], indent: int = 2) -> RenderableType:
    """One row of a table whose columns have given widths, but for the last, which takes the rest of the line."""
    table = Table.grid(padding=0)
    for width in widths:
        table.add_column(width=width, overflow="fold")
    table.add_column(overflow="fold")
    table.add_row(*cells)
    return Padding(table, (0, 0, 0, indent), expand=False)


def indented(text: str | Text, indent: int = 2) -> RenderableType:
    """A paragraph, moved to the right as a whole."""
    return Padding(text if isinstance(text, Text) else Text(text), (0, 0, 0, indent), expand=False)


def _console(file: TextIO, width: int | None) -> Console:
    return Console(file=file, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)
