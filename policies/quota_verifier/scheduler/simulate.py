"""simulate(): a queue and a workload in, the records of a run out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from quota_verifier.model import EnvironmentUpdate, JobUpdate, Queue, ShareUpdate, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.checks import check_names
from quota_verifier.scheduler.engines import Engine, run_on_engine
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload import Workload

__all__ = ["Engine", "canonical_updates", "simulate"]


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

    The result does not depend on the order of the workload's rows (I9), nor on the engine: `auto` takes the
    compiled kernel for many jobs, where numba is installed. `until_ms` stops after that instant. `watch` is called
    with every event as it happens, by the reference engine; `progress` now and then with the number of jobs
    submitted. Raises InputError for a job or an update that names an unknown share or job, for a job without
    demand, for an update of a job before its submission, and for the kernel where it cannot be loaded.
    """
    check_names(queue, workload)
    return run_on_engine(
        engine,
        queue,
        workload,
        canonical_updates(workload.updates),
        assumptions or Assumptions(),
        timing or Timing(),
        until_ms,
        watch,
        progress,
    )


def canonical_updates(updates: Sequence[Update]) -> tuple[Update, ...]:
    """By time, then configuration before jobs, then by target and content; the order of rows decides nothing (I9)."""

    def key(update: Update) -> tuple[int, int, str, str]:
        match update:
            case EnvironmentUpdate():
                return update.at_ms, 0, "", _content(update)
            case ShareUpdate():
                return update.at_ms, 1, update.share, _content(update)
            case JobUpdate():
                return update.at_ms, 2, update.job, repr(update)

    return tuple(sorted(updates, key=key))


def _content(update: ShareUpdate | EnvironmentUpdate) -> str:
    """The update in words that do not depend on the order in which its limits were written."""
    limits = None if update.limits is None else dict(sorted(update.limits.items()))
    return repr(replace(update, limits=limits))
