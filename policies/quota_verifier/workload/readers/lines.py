"""Lines of a text file as frames of cells, block by block: `line` (its number, from 1) and `cells` (a list of text)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from quota_verifier.errors import InputError
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.sources import text_blocks

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

_ROWS = 1 << 16


def csv_frames(path: Path, separator: str = ",", *, quotes: bool = True) -> Iterator[pl.DataFrame]:
    """The rows of a CSV file, each at the line that it starts at. Raises InputError where it is no CSV.

    As long as a file has no quotes, every separator separates and every line is a row; from the first block that
    has one, the rows are those of Python's csv module. Without `quotes` a quote is a character like others.
    """
    blocks = text_blocks(path)
    line = 1
    for block in blocks:
        if quotes and ('"' in block or "\r" in block):
            yield from _quoted(chain((block,), blocks), line, separator, str(path))
            return
        frame = _numbered(block, line).select("line", pl.col("text").str.split(separator).alias("cells"))
        line += len(frame)
        yield frame


def word_frames(path: Path, comment: str) -> Iterator[pl.DataFrame]:
    """The words of each line, as between spaces and tabs; with the text of lines that start with `comment`.

    A third column, `text`, holds the comment and is null on other lines; empty lines are left out.
    """
    line = 1
    for block in text_blocks(path, "latin-1"):
        frame = _numbered(block, line).with_columns(pl.col("text").str.strip_chars())
        line += len(frame)
        noted = pl.col("text").str.starts_with(comment)
        yield frame.filter(pl.col("text") != "").select(
            "line",
            pl.when(noted).then("text").alias("text"),
            pl.when(~noted).then("text").str.extract_all(r"\S+").alias("cells"),
        )


def _numbered(block: str, first: int) -> pl.DataFrame:
    lines = pl.Series("text", [block.removesuffix("\n")]).str.split("\n").explode()
    return lines.to_frame().with_row_index("line", first)


def _quoted(blocks: Iterator[str], first: int, separator: str, source: str) -> Iterator[pl.DataFrame]:
    lines_of_text = (line for block in blocks for line in io.StringIO(block))
    reader = csv.reader(lines_of_text, strict=True, delimiter=separator)
    rows = _csv_rows(reader, first, source)
    while some := list(islice(rows, _ROWS)):
        lines, cells = zip(*some, strict=True)
        yield pl.DataFrame({"line": lines, "cells": cells}, schema={"line": pl.UInt32, "cells": pl.List(pl.String)})


def _csv_rows(reader: CsvReader, first: int, source: str) -> Iterator[tuple[int, list[str]]]:
    line = first
    try:
        for cells in reader:
            yield line, cells
            line = first + reader.line_num
    except csv.Error as error:
        raise InputError(f"malformed CSV: {error}", source=f"{source}:{line}") from None
