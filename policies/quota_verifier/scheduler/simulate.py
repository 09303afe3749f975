"""simulate(): a queue and a workload in, the records of a run out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from quota_verifier.errors import InputError
from quota_verifier.model import EnvironmentUpdate, JobUpdate, Queue, ShareUpdate, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.reference.engine import run_reference
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload import Workload

Engine = Literal["auto", "reference"]


def simulate(
    queue: Queue,
    workload: Workload,
    *,
    assumptions: Assumptions | None = None,
    timing: Timing | None = None,
    until_ms: int | None = None,
    engine: Engine = "auto",
    watch: Callable[[Event], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Run `workload` through `queue` by rules R1-R21.

    The result does not depend on the order of the workload's rows (I9). `until_ms` stops after that instant.
    `watch` is called with every event as it happens, `progress` now and then with the number of jobs
    submitted. Raises InputError for a job or an update that names an unknown share or job, for a job without
    demand, and for an update of a job before its submission.
    """
    _check(queue, workload)
    return run_reference(
        queue,
        workload.jobs,
        _in_canonical_order(workload.updates),
        assumptions or Assumptions(),
        timing or Timing(),
        until_ms,
        watch,
        progress,
    )


def _check(queue: Queue, workload: Workload) -> None:
    shares = {share.name for share in queue.shares}
    known = ", ".join(share.name for share in queue.shares)
    jobs = {job.id: job for job in workload.jobs}
    for job in workload.jobs:
        if job.share not in shares:
            raise _unknown(workload, f"job {job.id!r}", f"share {job.share!r}", known)
        if not job.demand or min(job.demand.values()) < 1:
            raise InputError(
                "asks for no instances",
                source=workload.source,
                where=f"job {job.id!r}: demand",
                remedy="at least 1 instance of a unit",
            )
    for update in workload.updates:
        where = f"update at {update.at_ms} ms"
        if isinstance(update, ShareUpdate) and update.share not in shares:
            raise _unknown(workload, where, f"share {update.share!r}", known)
        if isinstance(update, JobUpdate):
            job = jobs.get(update.job)
            if job is None:
                raise _unknown(workload, where, f"job {update.job!r}", "the id of a job of the workload")
            if update.at_ms < job.submit_ms:
                raise InputError(
                    f"job {job.id!r} is submitted only at {job.submit_ms} ms",
                    source=workload.source,
                    where=where,
                    remedy="update it after its submission, or give it the priority from the start",
                )


def _unknown(workload: Workload, where: str, what: str, known: str) -> InputError:
    return InputError(f"unknown {what}", source=workload.source, where=where, remedy=f"known: {known}")


def _in_canonical_order(updates: Sequence[Update]) -> tuple[Update, ...]:
    """By time, then configuration before jobs, then by target; the order of rows decides nothing (I9)."""

    def key(update: Update) -> tuple[int, int, str, str]:
        match update:
            case EnvironmentUpdate():
                return update.at_ms, 0, "", repr(update)
            case ShareUpdate():
                return update.at_ms, 1, update.share, repr(update)
            case JobUpdate():
                return update.at_ms, 2, update.job, repr(update)

    return tuple(sorted(updates, key=key))
