"""Job history from AWS Batch: pages of ListServiceJobs, or answers of DescribeServiceJob.

A page may be empty and still have successors, and a list holds RUNNING jobs alone unless each status was
asked for. Times are milliseconds since 1970 (API reference, ServiceJobSummary).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

from quota_verifier.durations import LONGEST_MS
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.json_input import maps_at, read_json_documents, whole_at
from quota_verifier.workload.readers.reader import WINDOW, Reader
from quota_verifier.workload.readers.records import Account, Details, TraceJob, trace_frame
from quota_verifier.workload.readers.service_job_details import details_of, usage_of
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

ServiceJob = Mapping[str, object]

_ENDED = frozenset({"SUCCEEDED", "FAILED"})
_EARLIEST_MS = 1_000_000_000_000
"""September 2001, long before AWS Batch: a smaller time is in seconds."""


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of a file of pages or jobs. Raises InputError."""
    pages = list(read_json_documents(path))
    jobs = list(service_jobs(pages, source=str(path)))
    account = Account()
    last = _flat(pages)[-1:]
    if last and last[0].get("nextToken"):
        account.remarks.append("the last page has a nextToken: the list is not complete")
    return workload_from_service_jobs(jobs, source=str(path), options=options, queue=queue, account=account)


def service_jobs(pages: Iterable[object], *, source: str = "") -> Iterator[ServiceJob]:
    """Every job of all pages, in order; a page is an answer of ListServiceJobs, a job, or a list of either.

    Raises InputError for anything else.
    """
    for page in _flat(pages, source):
        if "jobSummaryList" not in page:
            yield page
            continue
        jobs = maps_at(page, "jobSummaryList")
        if jobs != page["jobSummaryList"]:
            raise InputError("jobSummaryList is not a list of jobs", source=source)
        yield from jobs


def workload_from_service_jobs(
    jobs: Iterable[ServiceJob],
    *,
    source: str,
    options: TraceOptions,
    queue: Queue | None = None,
    account: Account | None = None,
) -> Workload:
    """The workload of service jobs as the API describes them; a job listed twice counts once.

    Raises InputError where no job can be used.
    """
    account = account or Account()
    account.dated = True
    account.rules["work"] = "stoppedAt minus startedAt, which the API tells of the last run"
    once: dict[str, ServiceJob] = {}
    for job in jobs:
        name = _name(job)
        if name in once:
            account.merged += 1
        once[name] = max(once.get(name, job), job, key=_completeness)
    if once and all(job.get("status") == "RUNNING" for job in once.values()):
        account.remarks.append("every job is RUNNING: ListServiceJobs tells other jobs by status alone")
    details: dict[str, Details] = {}
    records = [record for job in once.values() if (record := _record(job, options, account, details)) is not None]
    found = trace_frame(records)
    return workload_from_trace(found, account, source=source, options=options, queue=queue, details=details)


def _flat(pages: Iterable[object], source: str = "") -> list[ServiceJob]:
    found: list[ServiceJob] = []
    for page in pages:
        if isinstance(page, list):
            found.extend(_flat(cast("list[object]", page), source))
        elif isinstance(page, Mapping) and ({"jobSummaryList", "jobArn", "jobId"} & page.keys()):
            found.append(cast("ServiceJob", page))
        else:
            raise InputError(
                "neither a page of ListServiceJobs nor a service job",
                source=source,
                remedy="give answers of ListServiceJobs or DescribeServiceJob",
            )
    return found


def _name(job: ServiceJob) -> str:
    return str(job.get("jobId") or str(job.get("jobArn")).rpartition("/")[2])


def _completeness(job: ServiceJob) -> tuple[int, int]:
    """A job may move from one list to the next while they are fetched: its latest state tells most."""
    return sum(key in job for key in ("startedAt", "stoppedAt")), len(job)


def _record(job: ServiceJob, options: TraceOptions, account: Account, details: dict[str, Details]) -> TraceJob | None:
    name, status = _name(job), str(job.get("status") or "")
    created, started, stopped = (whole_at(job, key) for key in ("createdAt", "startedAt", "stoppedAt"))
    share = str(job.get("quotaShareName") or "")
    demand = usage_of(job)
    reason = ""
    if created is None or created < _EARLIEST_MS:
        reason = "no createdAt" if created is None else "createdAt is not in milliseconds since 1970"
    elif max(created, started or 0, stopped or 0) > LONGEST_MS:
        reason = "a time later than any schedule"
    elif started is None or started < created:
        reason = f"never started ({status})" if status else "no startedAt"
    elif stopped is None or (status and status not in _ENDED):
        account.censored += 1
        return None
    elif stopped < started:
        reason = "ends before it starts"
    elif demand is None:
        reason = "no capacityUsage in whole instances"
    elif not share and options.shares is None:
        reason = "no quotaShareName"
    else:
        dispatched = min(whole_at(job, "scheduledAt") or started, LONGEST_MS)
        details[f"job {name}"] = details_of(job, demand)
        return TraceJob(
            id=name,
            group=share,
            submit_ms=created,
            work_ms=stopped - started,
            size=0,
            where=f"job {name}",
            queue_delay_ms=dispatched - created,
        )
    account.skip(f"job {name}", reason)
    return None


READER = Reader(
    name="service-jobs",
    summary="pages of ListServiceJobs or answers of DescribeServiceJob, JSON; group is the quota share",
    read=read,
    takes=("shares", "checkpoint", *WINDOW),
)
