"""ListServiceJobs: one filter at a time, newest first."""

from __future__ import annotations

from collections.abc import Callable

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.aws.emulator.job_view import summary
from quota_verifier.aws.emulator.paging import page_size, position, token
from quota_verifier.aws.emulator.records import ServiceJob
from quota_verifier.aws.emulator.shapes import Answer, Request

Wanted = Callable[[ServiceJob], bool]

_BY_SHARE = ("QUOTA_SHARE_NAME", "SHARE_IDENTIFIER")
"""The filters beside which a jobStatus counts; beside the others it is ignored (API reference)."""


def list_jobs(account: Account, request: Request) -> Answer:
    """ListServiceJobs; without a status or filter the RUNNING jobs."""
    if not request.get("jobQueue"):
        raise AwsError("jobQueue: must be given")
    jobs = account.queue(request["jobQueue"]).scheduler.jobs
    wanted, size, start = _wanted(request), page_size(request), position(request)
    index = len(jobs) - 1 if start is None else start
    if not -1 <= index < max(len(jobs), 1):
        raise AwsError("nextToken: this token is not valid")
    found: list[ServiceJob] = []
    while index >= 0 and len(found) < size:
        if wanted(jobs[index]):
            found.append(jobs[index])
        index -= 1
    rest = next((i for i in range(index, -1, -1) if wanted(jobs[i])), None)
    return {"jobSummaryList": [summary(job) for job in found], "nextToken": None if rest is None else token(rest)}


def _wanted(request: Request) -> Wanted:
    status, filters = request.get("jobStatus"), request.get("filters") or ()
    if not filters:
        asked = status or "RUNNING"
        return lambda job: job.status == asked
    if len(filters) > 1:
        raise AwsError("filters: only one filter can be given at a time")
    name, values = filters[0].get("name"), filters[0].get("values")
    if not name or not values:
        raise AwsError("filters.0: name and values must be given")
    matches = _filter(name, values)
    if name in _BY_SHARE and status is not None:
        return lambda job: job.status == status and matches(job)
    return matches


def _filter(name: str, values: list[str]) -> Wanted:
    match name:
        case "JOB_NAME":
            return _named_like([value.lower() for value in values])
        case "QUOTA_SHARE_NAME":
            return lambda job: job.share in values
        case "SHARE_IDENTIFIER":
            return lambda _job: False  # jobs of a quota-managed queue have none
        case "AFTER_CREATED_AT" | "BEFORE_CREATED_AT":
            if len(values) != 1 or not (values[0].isascii() and values[0].isdigit()):
                raise AwsError(f"filters.0.values: {name} takes one time in milliseconds since 1970")
            at = int(values[0])
            return (lambda job: job.created_at > at) if name.startswith("AFTER") else lambda job: job.created_at < at
        case _:
            raise AwsError(f"filters.0.name: {name} is not a filter of service jobs")


def _named_like(globs: list[str]) -> Wanted:
    """Whatever the case of the letters; an asterisk at the end stands for more text."""
    exact = {glob for glob in globs if not glob.endswith("*")}
    starts = tuple(glob[:-1] for glob in globs if glob.endswith("*"))
    return lambda job: (name := job.name.lower()) in exact or (bool(starts) and name.startswith(starts))
