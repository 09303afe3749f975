"""What a workload must satisfy before it can be simulated on a queue: names that exist, demands of something."""

from __future__ import annotations

from collections.abc import Iterable

from quota_verifier.errors import InputError
from quota_verifier.model import Job, JobUpdate, Queue, ShareUpdate
from quota_verifier.workload import Workload
from quota_verifier.workload.job_list import JobList


def check_names(queue: Queue, workload: Workload) -> None:
    """Raises InputError for the first job or update that does not fit the queue or the workload."""
    shares = [share.name for share in queue.shares]
    _check_jobs(workload, shares)
    submitted = _submissions(workload)
    for update in workload.updates:
        where = f"update at {update.at_ms} ms"
        if isinstance(update, ShareUpdate) and update.share not in shares:
            raise _unknown(workload, where, f"share {update.share!r}", ", ".join(shares))
        if isinstance(update, JobUpdate):
            submit_ms = submitted.get(update.job)
            if submit_ms is None:
                raise _unknown(workload, where, f"job {update.job!r}", "the id of a job of the workload")
            if update.at_ms < submit_ms:
                raise InputError(
                    f"job {update.job!r} is submitted only at {submit_ms} ms",
                    source=workload.source,
                    where=where,
                    remedy="update it after its submission, or give it the priority from the start",
                )


def _check_jobs(workload: Workload, shares: Iterable[str]) -> None:
    known = set(shares)
    for job in _one_of_each_kind(workload):
        if job.share not in known:
            raise _unknown(workload, f"job {job.id!r}", f"share {job.share!r}", ", ".join(shares))
        if min(job.demand.values(), default=0) < 1:
            raise InputError(
                "asks for no instances",
                source=workload.source,
                where=f"job {job.id!r}: demand",
                remedy="at least 1 instance of a unit",
            )


def _one_of_each_kind(workload: Workload) -> Iterable[Job]:
    """The jobs, or where they are in columns the first job of each share and demand."""
    if isinstance(workload.jobs, JobList):
        columns = workload.jobs.columns
        return (columns.job(row) for row in columns.first_rows())
    return workload.jobs


def _submissions(workload: Workload) -> dict[str, int]:
    """When the jobs are submitted that updates name."""
    names = {update.job for update in workload.updates if isinstance(update, JobUpdate)}
    if isinstance(workload.jobs, JobList):
        columns = workload.jobs.columns
        return {name: int(columns.submit_ms[row]) for name, row in columns.rows_of(names).items()}
    return {job.id: job.submit_ms for job in workload.jobs if job.id in names} if names else {}


def _unknown(workload: Workload, where: str, what: str, known: str) -> InputError:
    return InputError(f"unknown {what}", source=workload.source, where=where, remedy=f"known: {known}")
