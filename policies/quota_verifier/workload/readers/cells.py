"""Cells of trace files: numbers, local dates, and the rows of a CSV file by heading."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path

from quota_verifier.durations import LONGEST_MS
from quota_verifier.errors import InputError
from quota_verifier.workload.instants import LocalClock
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.sources import read_source

MISSING = frozenset({"", "None", "none", "null", "NULL", "NaN", "nan", "NaT", "-"})
"""How traces write a value that they do not know."""
_LONGEST = LONGEST_MS // 1_000
_MOST = 999_999_999


@lru_cache(maxsize=1 << 16)
def seconds(text: str) -> int | None:
    """Seconds, with or without decimals, in milliseconds (half to even below that).

    None for no number, and for more than any schedule takes.
    """
    exact = _decimal(text)
    if exact is None or not -_LONGEST <= exact <= _LONGEST:
        return None
    return int((exact * 1_000).to_integral_value(ROUND_HALF_EVEN))


@lru_cache(maxsize=1 << 12)
def whole(text: str) -> int | None:
    """A whole number of at most nine digits, also as `8.0`; None for anything else."""
    exact = _decimal(text)
    return int(exact) if exact is not None and -_MOST <= exact <= _MOST and exact == int(exact) else None


def _decimal(text: str) -> Decimal | None:
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return None
    return exact if exact.is_finite() else None


def local_ms(text: str, clock: LocalClock) -> int | None:
    """A local date in milliseconds since 1970 UTC; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return clock.ms(moment) if moment.tzinfo is None else clock.zoned_ms(moment)


def csv_rows(path: Path, headings: Sequence[str], account: Account) -> Iterator[tuple[str, list[str]]]:
    """The cells under `headings`, in their order, with the place of each row.

    Blank rows and rows of another width are skipped and counted. Raises InputError for a heading that the
    file lacks, and for a file that is no CSV.
    """
    reader = csv.reader(io.StringIO(read_source(path)))
    try:
        header = [cell.strip() for cell in next(reader, list[str]())]
        missing = [name for name in headings if name not in header]
        if missing:
            raise InputError(
                f"there is no column {missing[0]!r}",
                source=f"{path}:1",
                remedy=f"the columns of this format are {', '.join(headings)}",
            )
        indexes = [header.index(name) for name in headings]
        width = len(header)
        for cells in reader:
            if len(cells) == width and (cells[0] or any(cells)):
                yield f"line {reader.line_num}", [cells[index] for index in indexes]
            else:
                _skip(cells, width, f"line {reader.line_num}", account)
    except csv.Error as error:
        raise InputError(f"malformed CSV: {error}", source=f"{path}:{reader.line_num}") from None


def _skip(cells: Sequence[str], width: int, where: str, account: Account) -> None:
    blank = not any(cell.strip() for cell in cells)
    account.skip(where, "blank row" if blank else f"row of {len(cells)} cells in place of {width}")
