"""Updates that were made while a history happened, from a workload file that has them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quota_verifier.documents import as_list, as_map, load_document
from quota_verifier.errors import InputError
from quota_verifier.model import Queue, Update
from quota_verifier.workload import Workload, workload_from_data
from quota_verifier.workload.write import job_row


def read_updates(path: str, workload: Workload, queue: Queue) -> Sequence[Update]:
    """The `updates` of a workload file, of jobs of `workload` by their id or by a name that one alone has.

    Raises InputError for what is no update, and for jobs that the history does not have.
    """
    document = load_document(path)
    data = as_map(document.data) or {}
    if set(data) != {"updates"}:
        remedy = "write updates: [{at: 20s, job: NAME, priority: 4}] and nothing else"
        raise InputError("this file does not hold updates alone", source=path, remedy=remedy)
    ids = _ids(workload)
    rows = [_with_id(row, ids) for row in as_list(data["updates"]) or ()]
    jobs = [job_row(job) for job in workload.jobs]
    made = workload_from_data({"jobs": jobs, "updates": rows}, source=path, line_of=document.line_of, queue=queue)
    return made.updates


def _ids(workload: Workload) -> dict[str, str]:
    """The id of each job by its name, of the names that one job alone has, and by itself."""
    by_name: dict[str, list[str]] = {}
    for job in workload.jobs:
        by_name.setdefault(job.labels.get("name", ""), []).append(job.id)
    names = {name: ids[0] for name, ids in by_name.items() if name and len(ids) == 1}
    return {**names, **{job.id: job.id for job in workload.jobs}}


def _with_id(row: object, ids: Mapping[str, str]) -> object:
    named = as_map(row)
    if named is None or not isinstance(name := named.get("job"), str):
        return row
    return {**named, "job": ids.get(name, name)}
