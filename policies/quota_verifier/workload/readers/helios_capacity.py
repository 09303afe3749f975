"""GPUs of each Helios virtual cluster by day: `date,vcA,vcB,...,total`."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Mapping
from pathlib import Path

from quota_verifier.errors import InputError
from quota_verifier.workload.instants import LocalClock
from quota_verifier.workload.readers.cells import local_ms, whole
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.sources import read_source

_ABOVE = "jobs that ask for more GPUs than their virtual cluster has on the day of submission"


def note_jobs_above_capacity(jobs: pl.DataFrame, path: Path, clock: LocalClock, account: Account) -> None:
    """Count the jobs that their virtual cluster could never have run; a day counts from its local midnight on.

    A cluster that the file does not name, and the time before its first day, count as unknown. Raises InputError.
    """
    days, capacity = _capacity(path, clock)
    for submit_ms, group, size in jobs.select("submit_ms", "group", "size").iter_rows():
        day = bisect_right(days, submit_ms) - 1
        gpus = capacity[day].get(group) if day >= 0 else None
        if gpus is not None and size > gpus:
            account.notes[_ABOVE] += 1


def _capacity(path: Path, clock: LocalClock) -> tuple[list[int], list[Mapping[str, int]]]:
    reader = csv.reader(io.StringIO(read_source(path)))
    header = [cell.strip() for cell in next(reader, list[str]())]
    if header[:1] != ["date"]:
        raise InputError("there is no column 'date'", source=f"{path}:1", remedy="write date,vcA,vcB,total")
    rows: list[tuple[int, Mapping[str, int]]] = []
    for cells in reader:
        if not cells:
            continue
        day = local_ms(cells[0], clock)
        counts = [whole(cell) for cell in cells[1:]]
        if day is None or None in counts or len(cells) != len(header):
            raise InputError(
                "the row is not a date and one whole number for each cluster",
                source=f"{path}:{reader.line_num}",
                remedy="write it as 2020-09-01,8,0,8",
            )
        rows.append((day, {name: count or 0 for name, count in zip(header[1:], counts, strict=True)}))
    rows.sort(key=lambda row: row[0])
    return [day for day, _ in rows], [counts for _, counts in rows]
