"""Microsoft Philly in its original form: a JSON list of jobs with their attempts (philly-traces README).

Attempts of one job may use different numbers of GPUs. The job gets the largest number, and as much work as keeps
its GPU time: the sum over attempts of GPUs times duration, divided by its GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.workload.instants import LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import MISSING, local_ms
from quota_verifier.workload.readers.json_input import items_at, maps_at, read_json
from quota_verifier.workload.readers.reader import GPUS, GROUPS, LOCAL_DATES, WINDOW, Reader
from quota_verifier.workload.readers.records import Account, TraceJob, trace_frame
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_DROPPED = "attempts left out of their job: start or end unknown, end before start, or no GPU"
_RESIZED = "jobs whose attempts differ in GPUs; they get the largest number and keep their GPU time"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a Philly job log. Raises InputError."""
    account = Account(dated=True, rules={"work": "GPU time of all attempts, divided by the most GPUs of one"})
    jobs = trace_frame(_jobs(path, LocalClock(time_zone(options.timezone or "UTC")), account))
    return workload_from_trace(jobs, account, source=str(path), options=options, queue=queue, counted="GPUs")


class _Attempt(NamedTuple):
    start_ms: int
    end_ms: int
    gpus: int


def _jobs(path: Path, clock: LocalClock, account: Account) -> Iterator[TraceJob]:
    log = read_json(path)
    if not isinstance(log, list):
        raise InputError("the job log is not a list", source=str(path), remedy="write a list of jobs")
    for index, job in enumerate(cast("list[object]", log)):
        if not isinstance(job, Mapping):
            account.skip(f"item {index + 1}", "not a job")
        elif (record := _job(cast("Mapping[str, object]", job), clock, account)) is not None:
            yield record
    clock.note(account.notes)


def _job(job: Mapping[str, object], clock: LocalClock, account: Account) -> TraceJob | None:
    name, group = _text(job, "jobid"), _text(job, "vc")
    where = f"job {name}"
    submit_ms = _moment(job, "submitted_time", clock)
    attempts = maps_at(job, "attempts")
    if not name or not group or submit_ms is None:
        account.skip(where, "no jobid, vc or submitted_time")
        return None
    if attempts and _moment(attempts[-1], "start_time", clock) is not None and _open(attempts[-1]):
        account.censored += 1
        return None
    ran = [known for attempt in attempts if (known := _attempt(attempt, clock)) is not None]
    if not ran:
        account.skip(where, "no attempt with start, end and GPUs" if attempts else "never started")
        return None
    account.notes[_DROPPED] += len(attempts) - len(ran)
    size = max(attempt.gpus for attempt in ran)
    account.notes[_RESIZED] += any(attempt.gpus != size for attempt in ran)
    gpu_ms = sum(attempt.gpus * (attempt.end_ms - attempt.start_ms) for attempt in ran)
    return TraceJob(
        id=name,
        group=group,
        submit_ms=submit_ms,
        work_ms=gpu_ms // size,
        size=size,
        where=where,
        queue_delay_ms=ran[0].start_ms - submit_ms if _attempt(attempts[0], clock) else None,
        user=_text(job, "user"),
    )


def _attempt(attempt: Mapping[str, object], clock: LocalClock) -> _Attempt | None:
    start_ms, end_ms = _moment(attempt, "start_time", clock), _moment(attempt, "end_time", clock)
    gpus = sum(len(items_at(machine, "gpus")) for machine in maps_at(attempt, "detail"))
    if start_ms is None or end_ms is None or end_ms < start_ms or gpus < 1:
        return None
    return _Attempt(start_ms, end_ms, gpus)


def _text(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    return "" if value is None or str(value).strip() in MISSING else str(value).strip()


def _open(attempt: Mapping[str, object]) -> bool:
    return not _text(attempt, "end_time")


def _moment(values: Mapping[str, object], key: str, clock: LocalClock) -> int | None:
    text = _text(values, key)
    return local_ms(text, clock) if text else None


READER = Reader(
    name="philly-json",
    summary="Microsoft Philly, original job log in JSON; group is the virtual cluster",
    read=read,
    needs=(LOCAL_DATES, GROUPS, GPUS),
    takes=("unit", "checkpoint", *WINDOW),
)
