"""Microsoft Philly as one flat CSV: `timestamp,duration,num_gpus,gpu_time,cluster` (Jeon et al., ATC'19).

The file names no jobs and is in no order, so ids are numbers in the order of submission, duration, GPUs
and cluster: the same jobs get the same ids, whatever the order of the rows.
"""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import date_column, seconds_column, whole_column
from quota_verifier.workload.readers.flat import first_reason, read_csv
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.reader import GPUS, GROUPS, LOCAL_DATES, WINDOW, Reader
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = ("timestamp", "duration", "num_gpus", "gpu_time", "cluster")
_GPU_TIME = "rows whose gpu_time is not duration times num_gpus; duration is used"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a flat Philly file. Raises InputError."""
    account = Account(dated=True, rules={"ids": "by submission, duration, GPUs, cluster"})
    clock = LocalClock(time_zone(options.timezone or "UTC"))
    jobs = read_csv(path, _COLUMNS, lambda cells: _judged(cells, clock, account), account)
    clock.note(account.notes)
    return workload_from_trace(_numbered(jobs), account, source=str(path), options=options, queue=queue, counted="GPUs")


def _judged(cells: pl.DataFrame, clock: LocalClock, account: Account) -> pl.DataFrame:
    jobs = cells.select(
        "where",
        group="cluster",
        submit_ms=date_column(cells["timestamp"], clock),
        work_ms=seconds_column(cells["duration"]),
        size=whole_column(cells["num_gpus"]),
    ).with_columns(
        reason=first_reason(
            (pl.col("submit_ms").is_null(), "timestamp is no date"),
            (pl.col("work_ms").is_null(), "duration is no number"),
            (pl.col("size").is_null(), "num_gpus is no whole number"),
            (pl.col("group") == "", "no cluster"),
            (pl.col("work_ms") < 0, "negative duration"),
            (pl.col("size") < 1, "no GPU"),
        )
    )
    gpu_time = pl.lit(seconds_column(cells["gpu_time"]))
    differs = gpu_time.ne_missing(pl.col("work_ms") * pl.col("size")) & pl.col("reason").is_null()
    account.notes[_GPU_TIME] += jobs.select(differs.sum()).item()
    return jobs


def _numbered(jobs: pl.DataFrame) -> pl.DataFrame:
    width = len(str(len(jobs)))
    numbers = pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(width)
    ordered = jobs.sort("submit_ms", "work_ms", "size", "group")
    return ordered.with_columns(id=numbers, where=numbers)


READER = Reader(
    name="philly",
    summary="Microsoft Philly, flat CSV; group is the virtual cluster",
    read=read,
    needs=(LOCAL_DATES, GROUPS, GPUS),
    takes=("unit", "checkpoint", *WINDOW),
)
