"""Microsoft Philly as one flat CSV: `timestamp,duration,num_gpus,gpu_time,cluster` (Jeon et al., ATC'19).

The file names no jobs and is in no order, so ids are numbers in the order of submission, duration, GPUs
and cluster: the same jobs get the same ids, whatever the order of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import csv_rows, local_ms, seconds, whole
from quota_verifier.workload.readers.reader import GPUS, GROUPS, LOCAL_DATES, WINDOW, Reader
from quota_verifier.workload.readers.records import Account, TraceJob
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = ("timestamp", "duration", "num_gpus", "gpu_time", "cluster")


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a flat Philly file. Raises InputError."""
    account = Account(dated=True, rules={"ids": "by submission, duration, GPUs, cluster"})
    jobs = _jobs(path, LocalClock(time_zone(options.timezone or "UTC")), account)
    return workload_from_trace(
        jobs,
        account,
        source=str(path),
        options=options,
        queue=queue,
        per_instance=options.gpus_per_instance or 1,
        counted="GPUs",
    )


def _jobs(path: Path, clock: LocalClock, account: Account) -> Iterator[TraceJob]:
    rows: list[tuple[int, int, int, str]] = []
    for where, (timestamp, duration, num_gpus, gpu_time, cluster) in csv_rows(path, _COLUMNS, account):
        submit_ms, work_ms, gpus = local_ms(timestamp, clock), seconds(duration), whole(num_gpus)
        if submit_ms is None or work_ms is None or gpus is None or not cluster:
            account.skip(where, _fault(submit_ms, work_ms, gpus))
        elif work_ms < 0 or gpus < 1:
            account.skip(where, "negative duration" if work_ms < 0 else "no GPU")
        else:
            rows.append((submit_ms, work_ms, gpus, cluster))
            if seconds(gpu_time) != work_ms * gpus:
                account.notes["rows whose gpu_time is not duration times num_gpus; duration is used"] += 1
    rows.sort()
    clock.note(account.notes)
    width = len(str(len(rows)))
    for number, (submit_ms, work_ms, gpus, cluster) in enumerate(rows, 1):
        name = f"{number:0{width}d}"
        yield TraceJob(name, cluster, submit_ms, work_ms, gpus, name)


def _fault(submit_ms: int | None, work_ms: int | None, gpus: int | None) -> str:
    if submit_ms is None:
        return "timestamp is no date"
    if work_ms is None:
        return "duration is no number"
    return "num_gpus is no whole number" if gpus is None else "no cluster"


READER = Reader(
    name="philly",
    summary="Microsoft Philly, flat CSV; group is the virtual cluster",
    read=read,
    needs=(LOCAL_DATES, GROUPS, GPUS),
    takes=("unit", "checkpoint", *WINDOW),
)
