"""What a deployed queue runs at this moment, as a workload: for the dry run of one more job.

A simulation starts empty. So the jobs that hold capacity are submitted when they were dispatched, by which they are
dispatched again; those that wait come in their order at the present moment. Where the model would not have it so,
a warning says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quota_verifier.aws.live.client import SOURCE, BatchClient, asking
from quota_verifier.aws.live.job_list import DISPATCHED, WAITING, ServiceJob, described, job_ids, summaries
from quota_verifier.aws.live.past_jobs import PastJob, history_of
from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue
from quota_verifier.scheduler import Assumptions, Timing, simulate
from quota_verifier.scheduler.run import Run
from quota_verifier.workload import Workload
from quota_verifier.workload.instants import iso_date
from quota_verifier.workload.readers.json_input import map_at, whole_at
from quota_verifier.workload.workload import Skipped

_MOST_ENDED = 500
"""Ended jobs that are looked at for how long jobs work."""

DAY_MS = 86_400_000
"""SageMaker's longest run where a job sets no timeout (MaxRuntimeInSeconds)."""


@dataclass(frozen=True, slots=True)
class Present:
    """A deployed queue at an instant: its jobs, and how long jobs of each share worked lately, in ms.

    `skipped` are jobs of which the API does not tell what they ask for.
    """

    queue: Queue
    now_ms: int
    jobs: tuple[PastJob, ...]
    skipped: tuple[Skipped, ...]
    worked: Mapping[str, Sequence[int]]


def present(client: BatchClient, queue: Queue) -> Present:
    """The jobs of `queue`, whose source is its ARN, that wait or hold capacity now. Raises InputError."""
    with asking(queue.source):
        snapshot = client.get_job_queue_snapshot(jobQueue=queue.source)
    now = whole_at(map_at(snapshot, "queueUtilization"), "lastUpdatedAt")
    now = whole_at(map_at(snapshot, "frontOfQueue"), "lastUpdatedAt") if now is None else now
    if now is None:
        raise InputError("the snapshot of the queue tells no time", source=SOURCE, where=queue.source)
    found = list(described(client, job_ids(client, queue.source, (*WAITING, *DISPATCHED))))
    history = history_of(found, queue.source) if found else None
    jobs = tuple(job for job in history.jobs if not job.ended) if history else ()
    skipped = history.skipped if history else ()
    worked = _worked(summaries(client, queue.source, "SUCCEEDED", _MOST_ENDED))
    # A job may have been dispatched after the snapshot was taken.
    now = max([now, *(_dispatched(job) for job in jobs if job.status in DISPATCHED)])
    return Present(queue, now, jobs, skipped, worked)


def _worked(ended: Iterator[ServiceJob]) -> dict[str, list[int]]:
    worked: dict[str, list[int]] = {}
    for job in ended:
        started, stopped = whole_at(job, "startedAt"), whole_at(job, "stoppedAt")
        if started is not None and stopped is not None and stopped > started:
            worked.setdefault(str(job.get("quotaShareName")), []).append(stopped - started)
    return {share: sorted(times) for share, times in sorted(worked.items())}


def state_of(here: Present, timing: Timing, expected_ms: int | None) -> tuple[Workload, int]:
    """The workload that leads to the present state, and the present on its time axis, where one more job may come.

    `expected_ms` is how long each job works in all; by default the median of its share's ended jobs that worked
    longer than it has by now, else its timeout.
    """
    running = sorted((job for job in here.jobs if job.status in DISPATCHED), key=_dispatched)
    waiting = sorted((job for job in here.jobs if job.status in WAITING), key=lambda job: (job.created_ms, job.id))
    origin = min([*map(_dispatched, running), here.now_ms])
    present_ms = here.now_ms - origin + 1
    jobs = [_running(job, here, origin, timing, expected_ms) for job in running]
    jobs += [
        _job(job, present_ms + place, expected_ms or _whole_work(job, here, 0)) for place, job in enumerate(waiting)
    ]
    rule = "the median of the share's ended jobs that worked longer than that, else the timeout"
    rules = {
        "start": iso_date(origin),
        "now": iso_date(here.now_ms),
        "work": rule if expected_ms is None else "as --expect says, of every job",
    }
    workload = Workload(tuple(jobs), source=here.queue.source, skipped=here.skipped, rules=rules)
    return workload, present_ms + len(waiting)


def differences(here: Present, workload: Workload, timing: Timing, assumptions: Assumptions) -> Iterator[str]:
    """Where the model's present is not AWS's: jobs that it would let wait, and jobs that it would start."""
    run = simulate(here.queue, workload, assumptions=assumptions, timing=timing)
    status = {job.id: job.status for job in here.jobs}
    now = max((job.submit_ms for job in workload.jobs), default=0)
    running = set(_running_at(run, now))
    for job in workload.jobs:
        if job.id in running and status[job.id] in WAITING:
            yield f"AWS has {job.id} ({job.share}) {status[job.id]}, and by the model it would start now"
        if job.id not in running and status[job.id] in DISPATCHED:
            yield f"AWS has {job.id} ({job.share}) {status[job.id]}, and by the model it would wait"


def _running_at(run: Run, at_ms: int) -> Iterator[str]:
    for span in run.spans:
        if span.start <= at_ms and not 0 <= span.stop <= at_ms:
            yield run.jobs[span.job].id


def _dispatched(job: PastJob) -> int:
    scheduled = job.runs[-1].scheduled_ms if job.runs else None
    return job.created_ms if scheduled is None else scheduled


def _running(job: PastJob, here: Present, origin: int, timing: Timing, expected_ms: int | None) -> Job:
    at = _dispatched(job)
    started = job.runs[-1].started_ms
    has_run = 0 if started is None else max(0, here.now_ms - started)
    left = (expected_ms or _whole_work(job, here, has_run)) - has_run
    # In the simulation it is RUNNING a startup after its dispatch, whenever that was in truth.
    has_run_there = max(0, here.now_ms - at - timing.startup.of(job.details.demand))
    return _job(job, at - origin, has_run_there + max(1, left))


def _whole_work(job: PastJob, here: Present, has_run: int) -> int:
    longer = [ms for ms in here.worked.get(job.share, ()) if ms > has_run]
    if longer:
        return int(np.percentile(longer, 50, method="lower"))
    return max(job.details.timeout_ms or DAY_MS, has_run + 1)


def _job(job: PastJob, submit_ms: int, work_ms: int) -> Job:
    asked = job.details
    return Job(
        id=job.id,
        share=job.share,
        submit_ms=submit_ms,
        work_ms=work_ms,
        demand=asked.demand,
        priority=asked.priority,
        preemption_retries=_retries_left(job),
        labels=asked.labels,
    )


def _retries_left(job: PastJob) -> int | None:
    retries = job.details.preemption_retries
    return None if retries is None else max(0, retries - job.preemptions)
