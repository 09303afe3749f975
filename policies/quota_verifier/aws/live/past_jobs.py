"""Jobs as the API remembers them: when they came, each of their runs, and how it ended.

Sources: API reference, DescribeServiceJob (attempts, preemptionSummary, times in ms since 1970). It keeps only the
latest preempted attempts, the time of dispatch of the last run alone, and no former priority.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast

from quota_verifier.aws.live.job_list import DISPATCHED, ServiceJob
from quota_verifier.errors import InputError
from quota_verifier.workload.readers.json_input import map_at, maps_at, read_json_documents, whole_at
from quota_verifier.workload.readers.records import Details
from quota_verifier.workload.readers.service_job_details import details_of, usage_of
from quota_verifier.workload.readers.service_jobs import service_jobs
from quota_verifier.workload.workload import Skipped


class How(StrEnum):
    """How a run came to its end."""

    PREEMPTED = "preempted"
    FAILED = "failed"
    SUCCEEDED = "succeeded"
    TERMINATED = "terminated"
    OPEN = "still running"


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run, in ms since 1970; None where it did not happen or is not remembered."""

    scheduled_ms: int | None
    started_ms: int | None
    stopped_ms: int | None
    how: How
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PastJob:
    """A job and its runs in order; `all_runs` says whether the API remembers every one of them."""

    id: str
    share: str
    status: str
    created_ms: int
    stopped_ms: int | None
    details: Details
    runs: tuple[PastRun, ...]
    preemptions: int
    all_runs: bool

    @property
    def ended(self) -> bool:
        """Whether it SUCCEEDED or FAILED."""
        return self.status in ("SUCCEEDED", "FAILED")

    @property
    def starts_ms(self) -> tuple[int, ...]:
        """When its runs started that are remembered."""
        return tuple(run.started_ms for run in self.runs if run.started_ms is not None)


@dataclass(frozen=True, slots=True)
class History:
    """The jobs of a queue by submission, those that cannot be used, and the last instant that is known of, in ms."""

    jobs: tuple[PastJob, ...]
    skipped: tuple[Skipped, ...]
    seen_ms: int
    source: str

    @property
    def origin_ms(self) -> int:
        """The first submission: where the time of a replay starts."""
        return self.jobs[0].created_ms


def read_history(path: str | Path) -> list[ServiceJob]:
    """The jobs of a file that `quota-shares import` wrote, or of other answers of the API. Raises InputError."""
    return list(service_jobs(read_json_documents(Path(path)), source=str(path)))


def history_of(described: Iterable[ServiceJob], source: str) -> History:
    """The history that descriptions of jobs tell. Raises InputError where no job can be used."""
    jobs: dict[str, PastJob] = {}
    skipped: list[Skipped] = []
    seen = 0
    for found in described:
        result = _past_job(found)
        if isinstance(result, Skipped):
            skipped.append(result)
        else:
            jobs[result.id] = result
            times = [result.created_ms, *(at for run in result.runs for at in _times(run))]
            seen = max(seen, result.stopped_ms or 0, *times)
    if not jobs:
        remedy = "; ".join(sorted({skip.reason for skip in skipped})) or "it is empty"
        raise InputError("the history has no job to use", source=source, remedy=remedy)
    ordered = sorted(jobs.values(), key=lambda job: (job.created_ms, job.id))
    return History(tuple(ordered), tuple(sorted(skipped, key=lambda skip: skip.where)), seen, source)


def _past_job(found: ServiceJob) -> PastJob | Skipped:
    name, share, demand = _id(found), str(found.get("quotaShareName") or ""), usage_of(found)
    created = whole_at(found, "createdAt")
    if created is None:
        return Skipped(f"job {name}", "no createdAt")
    if not share:
        return Skipped(f"job {name}", "no quotaShareName")
    if demand is None:
        return Skipped(f"job {name}", "no capacityUsage in whole instances")
    summary = map_at(found, "preemptionSummary")
    preempted = whole_at(summary, "preemptedAttemptCount") or 0
    remembered = maps_at(summary, "recentPreemptedAttempts")
    return PastJob(
        id=name,
        share=share,
        status=str(found.get("status")),
        created_ms=created,
        stopped_ms=whole_at(found, "stoppedAt"),
        details=details_of(found, demand),
        runs=tuple(sorted(_runs(found), key=_end)),
        preemptions=preempted,
        all_runs=len(remembered) >= preempted,
    )


def _runs(found: ServiceJob) -> Iterator[PastRun]:
    for attempt in maps_at(map_at(found, "preemptionSummary"), "recentPreemptedAttempts"):
        yield _attempt(attempt, How.PREEMPTED)
    scheduled, started, stopped = (whole_at(found, key) for key in ("scheduledAt", "startedAt", "stoppedAt"))
    for attempt in maps_at(found, "attempts"):
        if not _same_run(attempt, started, stopped):  # else it is the last run, told below in full
            yield _attempt(attempt, How.FAILED)
    reason = str(found.get("statusReason") or "")
    if found.get("status") == "SUCCEEDED":
        yield PastRun(scheduled, started, stopped, How.SUCCEEDED)
    elif found.get("status") in DISPATCHED:
        yield PastRun(scheduled, started, None, How.OPEN)
    elif found.get("status") == "FAILED" and (scheduled is not None or started is not None):
        how = How.TERMINATED if found.get("isTerminated") else How.FAILED
        last = PastRun(scheduled, started, stopped, how, reason)
        if not _was_preempted(found, stopped):
            yield last


def _same_run(attempt: ServiceJob, started: int | None, stopped: int | None) -> bool:
    ends, starts = whole_at(attempt, "stoppedAt"), whole_at(attempt, "startedAt")
    return (ends is not None and ends == stopped) or (starts is not None and starts == started)


def _was_preempted(found: ServiceJob, stopped: int | None) -> bool:
    """Whether the last run is among the preempted ones: the job had no retries left."""
    attempts = maps_at(map_at(found, "preemptionSummary"), "recentPreemptedAttempts")
    return any(whole_at(attempt, "stoppedAt") == stopped for attempt in attempts)


def _attempt(attempt: ServiceJob, how: How) -> PastRun:
    times = (whole_at(attempt, "startedAt"), whole_at(attempt, "stoppedAt"))
    return PastRun(None, *times, how, str(attempt.get("statusReason") or ""))


def _end(run: PastRun) -> tuple[bool, int]:
    return run.stopped_ms is None, run.stopped_ms or 0


def _times(run: PastRun) -> Iterator[int]:
    yield from (at for at in (run.scheduled_ms, run.started_ms, run.stopped_ms) if at is not None)


def _id(found: ServiceJob) -> str:
    return str(found.get("jobId") or cast("str", found.get("jobArn", "")).rpartition("/")[2])
