"""Every job of a queue as DescribeServiceJob tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import cast

from quota_verifier.aws.live.client import WORKERS, BatchClient, asking, every

ServiceJob = Mapping[str, object]

WAITING = ("SUBMITTED", "PENDING", "RUNNABLE")
DISPATCHED = ("SCHEDULED", "STARTING", "RUNNING")
ENDED = ("SUCCEEDED", "FAILED")
STATUSES = (*WAITING, *DISPATCHED, *ENDED)
"""In the order of a job's life: one that moves on while lists are fetched comes again, not never."""

_PAGE = 100
_AT_ONCE = 64


def job_ids(client: BatchClient, queue: str, statuses: Iterable[str] = STATUSES) -> list[str]:
    """The ids of a queue's jobs in these statuses, each once; ListServiceJobs tells RUNNING ones unless asked (C56).

    `queue` is a name or an ARN. Of a job without an id it is the ARN. Raises InputError.
    """
    found: dict[str, None] = {}
    for status in statuses:
        jobs = summaries(client, queue, status)
        found.update(dict.fromkeys(str(job.get("jobId") or job.get("jobArn")) for job in jobs))
    return list(found)


def summaries(client: BatchClient, queue: str, status: str, most: int | None = None) -> Iterator[ServiceJob]:
    """The summaries of a queue's jobs in one status, newest first; `most` of them at the most. Raises InputError."""
    request: dict[str, object] = {"jobQueue": queue, "jobStatus": status, "maxResults": _PAGE}
    return islice(every(client, "list_service_jobs", "jobSummaryList", **request), most)


def described(
    client: BatchClient, ids: Iterable[str], progress: Callable[[int], None] | None = None
) -> Iterator[ServiceJob]:
    """The full description of each job, in the order of `ids`; a few requests at a time. Raises InputError."""

    def describe(job: str) -> ServiceJob:
        with asking(job):
            answer = client.describe_service_job(jobId=job)
        return cast("ServiceJob", {key: value for key, value in answer.items() if key != "ResponseMetadata"})

    done = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for some in _groups(ids):
            for job in pool.map(describe, some):
                yield job
                done += 1
                if progress is not None:
                    progress(done)


def _groups(ids: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """A few at a time, so that an error stops the rest."""
    rest = iter(ids)
    while some := tuple(islice(rest, _AT_ONCE)):
        yield some
