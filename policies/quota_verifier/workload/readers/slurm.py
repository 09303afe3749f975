"""Slurm's accounting: what `sacct --parsable2` prints, with any fields in any order (sacct(1)).

Job steps (`123.batch`, `123.extern`, `123.0`) are parts of their job. Each task of an array and each component of a
heterogeneous job is a job. With `--duplicates` a job that was requeued stands there once for each run: its first
submission and its last run count, since what preempted or broke the earlier runs is the scheduler's, not the job's.
"""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import date_column, seconds_column
from quota_verifier.workload.readers.flat import CENSORED, accounted, first_reason, read_rows, whole_cells
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.lines import csv_frames
from quota_verifier.workload.readers.reader import GPUS, GROUPS, LOCAL_DATES, WINDOW, Reader, need_group
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_NEEDED = ("JobID", "State", "Submit", "Start", "End")
_OPTIONAL = ("User", "QOS", "ElapsedRaw", "AllocTRES", "ReqTRES")
_GROUPS = {"account": "Account", "user": "User", "partition": "Partition", "qos": "QOS"}
_GPUS = r"(?:^|,)gres/gpu=([0-9]+)"
_TYPED_GPUS = r"(?:^|,)gres/gpu:[^=,]+=([0-9]+)"
_MODEL = r"(?:^|,)gres/gpu:([^=,]+)="
_UNKNOWN = ["", "Unknown", "None"]
_OPEN = ["PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "RESIZING", "STAGE_OUT", "STOPPED"]
_COMPONENTS = "components of heterogeneous jobs, each read as a job"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of sacct's output; jobs without a GPU are skipped, those that have not ended censored.

    Raises InputError.
    """
    need_group("slurm", options, tuple(_GROUPS), str(path))
    account = Account(
        dated=True,
        rules={
            "work": "ElapsedRaw, else End minus Start, of the last run of a job",
            "size": "gres/gpu of AllocTRES, else ReqTRES",
        },
    )
    clock = LocalClock(time_zone(options.timezone or "UTC"))
    group = _GROUPS[options.group_by] if options.group_by else None
    names = dict.fromkeys((*_NEEDED, *((group,) if group else ())))
    frames = csv_frames(path, "|", quotes=False)
    cells = whole_cells(frames, path, tuple(names), account, tuple(name for name in _OPTIONAL if name not in names))
    runs = read_rows(cells, lambda block: _judged(block, group, clock, account), account)
    clock.note(account.notes)
    jobs = accounted(_last_runs(runs, account), account)
    account.notes[_COMPONENTS] = jobs.select(pl.col("id").str.contains("+", literal=True).sum()).item()
    if not runs.select((pl.col("size") > 0).any()).item():
        account.remarks.append("no row tells GPUs in AllocTRES or ReqTRES: add AllocTRES to sacct's --format")
    return workload_from_trace(jobs, account, source=str(path), options=options, queue=queue, counted="GPUs")


def _judged(cells: pl.DataFrame, group: str | None, clock: LocalClock, account: Account) -> pl.DataFrame:
    """The runs of a block; what keeps a run from being a job is its `note`, since only the last run of a job counts."""
    steps = cells["JobID"].str.contains(".", literal=True)
    account.merged += int(steps.sum())
    rows = cells.filter(~steps)
    submit_ms, start_ms, end_ms = (date_column(rows[name], clock) for name in ("Submit", "Start", "End"))
    elapsed_ms = seconds_column(rows["ElapsedRaw"])
    state = pl.col("State").str.split(" ").list.first()
    start_unknown, end_unknown = pl.col("Start").is_in(_UNKNOWN), pl.col("End").is_in(_UNKNOWN)
    sizes = rows.select(size=pl.coalesce(_gpus("AllocTRES"), _gpus("ReqTRES"))).to_series()
    return rows.select(
        "where",
        id="JobID",
        group=group or pl.lit(""),
        submit_ms=submit_ms,
        work_ms=elapsed_ms.zip_with(elapsed_ms.is_not_null(), end_ms - start_ms),
        size=sizes,
        queue_delay_ms=start_ms - submit_ms,
        user="User",
        rank="QOS",
        model=pl.coalesce(pl.col(name).str.extract(_MODEL) for name in ("AllocTRES", "ReqTRES")).fill_null(""),
        note=first_reason(
            (pl.lit(sizes).fill_null(0) < 1, "no GPU"),
            (state.is_in(_OPEN), CENSORED),
            (start_unknown & (state == "CANCELLED"), "cancelled before it started"),
            (start_unknown, "never started"),
            (start_ms.is_null(), "Start is no date"),
            (end_unknown, CENSORED),
            (end_ms.is_null(), "End is no date"),
            (end_ms < start_ms, "ends before it starts"),
        ),
        reason=first_reason((pl.col("JobID") == "", "no JobID"), (submit_ms.is_null(), "Submit is no date")),
    )


def _gpus(name: str) -> pl.Expr:
    """GPUs of a list of trackable resources: the total, or else the sum over types."""
    total = pl.col(name).str.extract(_GPUS).cast(pl.Int64, strict=False)
    typed = pl.col(name).str.extract_all(_TYPED_GPUS).list.eval(pl.element().str.extract(r"([0-9]+)$"))
    summed = typed.list.eval(pl.element().cast(pl.Int64, strict=False)).list.sum()
    found = pl.coalesce(total, summed)
    return pl.when(found > 0).then(found)


def _last_runs(runs: pl.DataFrame, account: Account) -> pl.DataFrame:
    """One row for each job, submitted when it was first, with its last run; the other rows are merged into it."""
    start_ms = pl.col("submit_ms") + pl.col("queue_delay_ms")
    ordered = runs.sort("submit_ms", start_ms, "work_ms", "size", "where", nulls_last=True)
    last = pl.exclude("id", "submit_ms", "queue_delay_ms").last()
    jobs = ordered.group_by("id", maintain_order=True).agg(
        last, pl.col("submit_ms").min(), queue_delay_ms=(start_ms - pl.col("submit_ms").min()).first()
    )
    account.merged += len(runs) - len(jobs)
    return jobs.with_columns(
        reason="note", queue_delay_ms=pl.when(pl.col("queue_delay_ms") >= 0).then("queue_delay_ms")
    )


READER = Reader(
    name="slurm",
    summary="Slurm's accounting, from sacct --parsable2; group is account, user, partition or qos, as group_by says",
    read=read,
    needs=(LOCAL_DATES, GROUPS, GPUS),
    takes=("group_by", "priorities", "unit", "units", "checkpoint", *WINDOW),
)
