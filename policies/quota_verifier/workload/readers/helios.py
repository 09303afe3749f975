"""SenseTime Helios: one CSV a cluster, with CPU jobs among them (Hu et al., SC'21; HeliosData README)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import MISSING, csv_rows, local_ms, seconds, whole
from quota_verifier.workload.readers.helios_capacity import note_jobs_above_capacity
from quota_verifier.workload.readers.reader import GPUS, GROUPS, LOCAL_DATES, WINDOW, Reader
from quota_verifier.workload.readers.records import Account, TraceJob
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = ("job_id", "user", "vc", "gpu_num", "submit_time", "start_time", "end_time", "duration")
_RAN = "rows whose duration is not end_time minus start_time; the difference is used"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a Helios file. Jobs without a GPU are skipped, cancelled ones ran and stay. Raises InputError."""
    account = Account(dated=True)
    clock = LocalClock(time_zone(options.timezone or "UTC"))
    jobs = list(_jobs(path, clock, account))
    if options.capacity_file is not None:
        note_jobs_above_capacity(jobs, path.parent / options.capacity_file, clock, account)
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
    for where, cells in csv_rows(path, _COLUMNS, account):
        row: dict[str, str] = dict(zip(_COLUMNS, cells, strict=True))
        gpus = whole(row["gpu_num"])
        submit_ms = local_ms(row["submit_time"], clock)
        start_ms, end_ms = local_ms(row["start_time"], clock), local_ms(row["end_time"], clock)
        reason = _skip_reason(row, gpus, submit_ms, start_ms)
        if reason or gpus is None or submit_ms is None or start_ms is None:
            account.skip(where, reason)
        elif end_ms is None:
            _without_end(row, where, account)
        elif end_ms < start_ms:
            account.skip(where, "ends before it starts")
        else:
            if seconds(row["duration"]) != end_ms - start_ms:
                account.notes[_RAN] += 1
            yield TraceJob(
                id=row["job_id"],
                group=row["vc"],
                submit_ms=submit_ms,
                work_ms=end_ms - start_ms,
                size=gpus,
                where=where,
                queue_delay_ms=start_ms - submit_ms,
                user=row["user"],
            )
    clock.note(account.notes)


def _skip_reason(row: Mapping[str, str], gpus: int | None, submit_ms: int | None, start_ms: int | None) -> str:
    if gpus is None:
        return "gpu_num is no whole number"
    if gpus < 1:
        return "no GPU"
    if submit_ms is None:
        return "submit_time is no date"
    if start_ms is None:
        return "never started" if row["start_time"].strip() in MISSING else "start_time is no date"
    return "" if row["job_id"] and row["vc"] else "no job_id or vc"


def _without_end(row: Mapping[str, str], where: str, account: Account) -> None:
    if row["end_time"].strip() in MISSING:
        account.censored += 1
    else:
        account.skip(where, "end_time is no date")


READER = Reader(
    name="helios",
    summary="SenseTime Helios, CSV; group is the virtual cluster",
    read=read,
    needs=(LOCAL_DATES, GROUPS, GPUS),
    takes=("unit", "checkpoint", "capacity_file", *WINDOW),
)
