"""Formats of one job a row: from blocks of cells to the frame of a trace, with every row accounted for.

A format gives its headings and a function that judges a block: the block's cells become the columns of a trace, and
`reason` says why a row is no job (null where it is one, CENSORED where its end is not known).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from quota_verifier.errors import InputError
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.lines import csv_frames
from quota_verifier.workload.readers.records import Account, TraceJob, trace_frame

CENSORED = "the end is not known"
"""The reason of a row that is counted as censored in place of skipped."""

Judge: TypeAlias = "Callable[[pl.DataFrame], pl.DataFrame]"


def read_rows(blocks: Iterable[pl.DataFrame], judge: Judge, account: Account) -> pl.DataFrame:
    """The jobs of all blocks in one frame; rows with a reason go to the account."""
    parts = [accounted(judge(block), account) for block in blocks]
    return pl.concat(parts) if parts else trace_frame(())


def accounted(judged: pl.DataFrame, account: Account) -> pl.DataFrame:
    """The rows without a reason, by the columns of a trace and `note`; the others go to the account."""
    jobs = judged.filter(pl.col("reason").is_null())
    if len(jobs) < len(judged):
        censored = pl.col("reason") == CENSORED
        account.censored += judged.select(censored.sum()).item()
        account.skip_rows(judged.filter(pl.col("reason").is_not_null() & ~censored))
    return jobs.select(name for name in (*TraceJob._fields, "note") if name in judged.columns)


def read_csv(path: Path, headings: Sequence[str], judge: Judge, account: Account) -> pl.DataFrame:
    """The jobs of a CSV file, whose cells under `headings` are the text columns that `judge` gets.

    Blank rows and rows of another width are skipped and counted. Raises InputError for a heading that the
    file lacks, and for a file that is no CSV.
    """
    return read_rows(whole_cells(csv_frames(path), path, headings, account), judge, account)


def whole_cells(
    frames: Iterable[pl.DataFrame],
    path: Path,
    headings: Sequence[str],
    account: Account,
    optional: Sequence[str] = (),
) -> Iterator[pl.DataFrame]:
    """Blocks of the cells of `read_csv` with the place `where` of each row, whole rows alone.

    The first row is the header; `optional` headings that it lacks are empty.
    """
    header: list[str] | None = None
    for rows in frames:
        block = rows
        if header is None:
            header = [cell.strip() for cell in rows["cells"][0]]
            block = rows.slice(1)
            _check_header(header, headings, path)
        yield _whole_rows(block, header, (*headings, *optional), account)
    if header is None:
        _check_header([], headings, path)


def named_cells(block: pl.DataFrame, header: Sequence[str], names: Sequence[str]) -> list[pl.Expr]:
    """The cells under some headings, without the spaces around them; empty text for a heading that is not there."""
    return [
        pl.col("cells").list.get(header.index(name)).str.strip_chars().alias(name)
        if name in header
        else pl.lit("").alias(name)
        for name in names
    ]


def _check_header(header: Sequence[str], headings: Sequence[str], path: Path) -> None:
    missing = [name for name in headings if name not in header]
    if missing:
        raise InputError(
            f"there is no column {missing[0]!r}",
            source=f"{path}:1",
            remedy=f"the columns of this format are {', '.join(headings)}",
        )


def _whole_rows(block: pl.DataFrame, header: Sequence[str], names: Sequence[str], account: Account) -> pl.DataFrame:
    width = pl.col("cells").list.len()
    blank = pl.col("cells").list.join("").str.strip_chars() == ""
    faults = block.select(
        where(),
        reason=first_reason(
            (blank, "blank row"),
            (width != len(header), pl.format("row of {} cells in place of {}", width, pl.lit(len(header)))),
        ),
    )
    faulty = faults["reason"].is_not_null()
    if faulty.any():
        account.skip_rows(faults.filter(faulty))
        block = block.filter(~faulty)
    return block.select(where(), *named_cells(block, header, names))


def where() -> pl.Expr:
    """`line 5` for the row of line 5."""
    return pl.format("line {}", "line").alias("where")


def first_reason(*cases: tuple[pl.Expr | pl.Series, str | pl.Expr]) -> pl.Expr:
    """The text of the first case that holds, null where none does; a comparison with null does not hold."""
    return pl.coalesce(
        *(
            pl.when(pl.lit(case) if isinstance(case, pl.Series) else case).then(
                pl.lit(text) if isinstance(text, str) else text
            )
            for case, text in cases
        ),
        pl.lit(None, pl.String),
    )
