"""SenseTime Helios: one CSV a cluster, with CPU jobs among them (Hu et al., SC'21; HeliosData README)."""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import date_column, missing_column, seconds_column, whole_column
from quota_verifier.workload.readers.flat import CENSORED, first_reason, read_csv
from quota_verifier.workload.readers.helios_capacity import note_jobs_above_capacity
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.reader import GPUS, GROUPS, LOCAL_DATES, WINDOW, Reader
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = ("job_id", "user", "vc", "gpu_num", "submit_time", "start_time", "end_time", "duration")
_RAN = "rows whose duration is not end_time minus start_time; the difference is used"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a Helios file. Jobs without a GPU are skipped, cancelled ones ran and stay. Raises InputError."""
    account = Account(dated=True)
    clock = LocalClock(time_zone(options.timezone or "UTC"))
    jobs = read_csv(path, _COLUMNS, lambda cells: judged(cells, clock, account, group="vc"), account)
    clock.note(account.notes)
    if options.capacity_file is not None:
        note_jobs_above_capacity(jobs, path.parent / options.capacity_file, clock, account)
    return workload_from_trace(jobs, account, source=str(path), options=options, queue=queue, counted="GPUs")


def judged(cells: pl.DataFrame, clock: LocalClock | None, account: Account, *, group: str) -> pl.DataFrame:
    """A block of a file with the columns of Helios as jobs; the column `group` is the group."""
    start_ms, end_ms = (date_column(cells[name], clock) for name in ("start_time", "end_time"))
    submit_ms = date_column(cells["submit_time"], clock)
    jobs = cells.select(
        "where",
        "user",
        id="job_id",
        group=group,
        submit_ms=submit_ms,
        work_ms=end_ms - start_ms,
        size=whole_column(cells["gpu_num"]),
        queue_delay_ms=start_ms - submit_ms,
    ).with_columns(
        reason=first_reason(
            (pl.col("size").is_null(), "gpu_num is no whole number"),
            (pl.col("size") < 1, "no GPU"),
            (submit_ms.is_null(), "submit_time is no date"),
            (start_ms.is_null() & missing_column(cells["start_time"]), "never started"),
            (start_ms.is_null(), "start_time is no date"),
            ((pl.col("id") == "") | (pl.col("group") == ""), f"no job_id or {group}"),
            (end_ms.is_null() & missing_column(cells["end_time"]), CENSORED),
            (end_ms.is_null(), "end_time is no date"),
            (pl.col("work_ms") < 0, "ends before it starts"),
        )
    )
    differs = pl.lit(seconds_column(cells["duration"])).ne_missing(pl.col("work_ms")) & pl.col("reason").is_null()
    account.notes[_RAN] += jobs.select(differs.sum()).item()
    return jobs


READER = Reader(
    name="helios",
    summary="SenseTime Helios, CSV; group is the virtual cluster",
    read=read,
    needs=(LOCAL_DATES, GROUPS, GPUS),
    takes=("unit", "checkpoint", "capacity_file", *WINDOW),
)
