"""Alibaba's jobs on spot GPUs, 2026: one CSV of jobs of type HP or Spot (Duan et al., ASPLOS'26).

A job is a gang of `worker_num` workers that are read to ask for `gpu_request` GPUs each. Times are seconds from the
first submission; waits are not told.
"""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import seconds_column, whole_column
from quota_verifier.workload.readers.flat import first_reason, read_csv
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.reader import GPUS, GROUPS, WINDOW, Reader, need_group
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = (
    "job_name", "organization", "gpu_model", "gpu_request", "worker_num", "submit_time", "duration", "job_type",
)  # fmt: skip
_GROUPS = ("organization", "job_type")


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a job list; jobs without a GPU are skipped. Raises InputError."""
    need_group("alibaba-spot", options, _GROUPS, str(path))
    account = Account(rules={"size": "worker_num times gpu_request"})
    group = options.group_by or "organization"
    jobs = read_csv(path, _COLUMNS, lambda cells: _judged(cells, group, options.recording_start), account)
    return workload_from_trace(jobs, account, source=str(path), options=options, queue=queue, counted="GPUs")


def _judged(cells: pl.DataFrame, group: str, recording_start: str | None) -> pl.DataFrame:
    submit_ms, work_ms = seconds_column(cells["submit_time"]), seconds_column(cells["duration"])
    gpus, workers = whole_column(cells["gpu_request"]), whole_column(cells["worker_num"])
    kind = pl.col("job_type")
    return cells.select(
        "where",
        id="job_name",
        group=group,
        submit_ms=submit_ms,
        work_ms=work_ms,
        size=gpus * workers,
        rank="job_type",
        model="gpu_model",
        reason=first_reason(
            (gpus.is_null() | workers.is_null(), "gpu_request or worker_num is no whole number"),
            (gpus < 1, "no GPU"),
            (workers < 1, "no worker"),
            (cells["submit_time"].eq_missing(recording_start), "submitted before the recording started"),
            (submit_ms.is_null() | (submit_ms < 0).fill_null(False), "no submit_time"),
            (work_ms.is_null(), "duration is no number"),
            (work_ms < 0, "negative duration"),
            (~kind.is_in(["HP", "Spot"]), "job_type is neither HP nor Spot"),
            ((pl.col("job_name") == "") | (pl.col("organization") == ""), "no job_name or organization"),
        ),
    )


READER = Reader(
    name="alibaba-spot",
    summary="Alibaba's jobs on spot GPUs, 2026, CSV; group is the organization or the job type, as group_by says",
    read=read,
    needs=(GROUPS, GPUS),
    takes=("group_by", "priorities", "unit", "units", "checkpoint", "recording_start", *WINDOW),
)
