"""The job of a dry run, read as a workload file would be."""

from __future__ import annotations

from dataclasses import replace

from quota_verifier.documents import as_map, parse_document
from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue
from quota_verifier.workload import Workload
from quota_verifier.workload.build import workload_from_data
from quota_verifier.workload.options import TraceOptions

SOURCE = "--job"
NAME = "tried"
"""The id of a job that was given none."""


def read_job(text: str, queue: Queue, workload: Workload, at_ms: int | None, unit: str | None = None) -> Job:
    """The job that `text` describes in JSON or YAML, submitted at `at_ms`, by default at its `submit`.

    Its `submit` is a duration; its `instances` count `unit`, by default the queue's only one. Without an id it is
    called `tried`, or `tried-2` and so on where the workload has a job of that name. Raises InputError for the
    first mistake.
    """
    row = as_map(parse_document(text, source=SOURCE).data) if text.strip() else None
    if row is None:
        raise InputError("this is no job", source=SOURCE, remedy="write '{share: QS1, work: 1h, instances: 2}'")
    if "submit" in row and at_ms is not None:
        raise InputError("submit is given beside --at", source=SOURCE, where="submit", remedy="give one of the two")
    row = {"id": _free_name(workload), **row}
    try:
        found = workload_from_data({"jobs": [row]}, queue=queue, options=TraceOptions(unit=unit))
    except InputError as error:
        where = error.where.removeprefix("jobs[0]").removeprefix(".")
        raise InputError(error.problem, source=SOURCE, where=where, remedy=error.remedy) from None
    if "start" in found.rules:
        raise InputError("submit is a date", source=SOURCE, where="submit", remedy="write a duration such as 4h")
    job = found.jobs[0]
    return job if at_ms is None else replace(job, submit_ms=at_ms)


def _free_name(workload: Workload) -> str:
    taken = {job.id for job in workload.jobs}
    number = 1
    while (name := NAME if number == 1 else f"{NAME}-{number}") in taken:
        number += 1
    return name
