"""Acme of the Shanghai AI Lab: one CSV a cluster, Seren or Kalos (Hu et al., NSDI'24; AcmeTrace README).

The columns are those of Helios without virtual clusters; dates name their zone. Kalos counts `duration` from the
submission, so that it differs from end_time minus start_time in most rows.
"""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.flat import read_csv
from quota_verifier.workload.readers.helios import judged
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.reader import GPUS, GROUPS, WINDOW, Reader, need_group
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_COLUMNS = ("job_id", "user", "type", "gpu_num", "submit_time", "start_time", "end_time", "duration")
_GROUPS = ("type", "user")


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of an Acme file. Jobs without a GPU are skipped, cancelled ones ran and stay. Raises InputError."""
    need_group("acme", options, _GROUPS, str(path))
    account = Account(dated=True)
    clock = LocalClock(time_zone(options.timezone)) if options.timezone else None
    group = options.group_by or "type"

    def judge(cells: pl.DataFrame) -> pl.DataFrame:
        return judged(cells, clock, account, group=group).with_columns(rank=cells["type"])

    jobs = read_csv(path, _COLUMNS, judge, account)
    if clock is not None:
        clock.note(account.notes)
    elif jobs.is_empty():
        account.remarks.append("dates name no zone: name the time zone")
    return workload_from_trace(jobs, account, source=str(path), options=options, queue=queue, counted="GPUs")


READER = Reader(
    name="acme",
    summary="Acme of the Shanghai AI Lab, CSV; group is the type of job or the user, as group_by says",
    read=read,
    needs=(GROUPS, GPUS),
    takes=("timezone", "group_by", "priorities", "unit", "checkpoint", *WINDOW),
)
