"""Alibaba's GPU pods of 2023: one CSV of pods that may share a GPU (Weng et al., ATC'23; cluster-trace-gpu-v2023).

A pod that asks for part of a GPU gets an instance of its own: service jobs do not share instances. Times are seconds
from the trace's start.
"""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import missing_column, seconds_column, whole_column
from quota_verifier.workload.readers.flat import CENSORED, first_reason, read_csv
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.reader import GPUS, GROUPS, WINDOW, Reader
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = (
    "name", "num_gpu", "gpu_milli", "gpu_spec", "qos", "pod_phase", "creation_time", "deletion_time", "scheduled_time",
)  # fmt: skip
_MILLI = 1_000
_LAST = "running pods deleted at the last instant of the trace, when the recording ended; that time is their end"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a pod list; pods without a GPU are skipped, pending ones are censored. Raises InputError."""
    account = Account(rules={"size": "num_gpu times gpu_milli"})
    pods = read_csv(path, _COLUMNS, _judged, account)
    end_ms = pl.col("submit_ms") + pl.col("queue_delay_ms") + pl.col("work_ms")
    account.notes[_LAST] = pods.select((pl.col("note") & (end_ms == end_ms.max())).sum()).item() if len(pods) else 0
    return workload_from_trace(
        pods, account, source=str(path), options=options, queue=queue, counted="GPUs", parts=_MILLI
    )


def _judged(cells: pl.DataFrame) -> pl.DataFrame:
    created, deleted, scheduled = (
        seconds_column(cells[name]) for name in ("creation_time", "deletion_time", "scheduled_time")
    )
    gpus, milli = whole_column(cells["num_gpu"]), whole_column(cells["gpu_milli"])
    spec = cells["gpu_spec"]
    return cells.select(
        "where",
        id="name",
        group="qos",
        submit_ms=created,
        work_ms=deleted - scheduled,
        size=gpus * milli,
        queue_delay_ms=scheduled - created,
        rank="qos",
        model=spec.set(missing_column(spec), ""),
        note=pl.col("pod_phase") == "Running",
        reason=first_reason(
            (gpus.is_null(), "num_gpu is no whole number"),
            (gpus < 1, "no GPU"),
            (milli.is_null() | ((milli < 1) | (milli > _MILLI)).fill_null(False), "gpu_milli is not 1 to 1000"),
            ((gpus > 1) & (milli != _MILLI), "several GPUs, each in part"),
            (created.is_null() | (created < 0).fill_null(False), "no creation_time"),
            ((pl.col("name") == "") | (pl.col("qos") == ""), "no name or qos"),
            (missing_column(cells["scheduled_time"]) & (pl.col("pod_phase") == "Pending"), CENSORED),
            (scheduled.is_null(), "no scheduled_time"),
            (missing_column(cells["deletion_time"]), CENSORED),
            (deleted.is_null(), "deletion_time is no number"),
            (deleted < scheduled, "ends before it starts"),
            (scheduled < created, "starts before it was created"),
        ),
    )


READER = Reader(
    name="alibaba-pods",
    summary="Alibaba's GPU pods of 2023, CSV; group is the QoS",
    read=read,
    needs=(GROUPS, GPUS),
    takes=("priorities", "unit", "units", "checkpoint", *WINDOW),
)
