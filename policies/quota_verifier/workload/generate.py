"""Workloads from random draws, the same for the same seed on every machine (see `draws`)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from itertools import islice

from quota_verifier.durations import LONGEST_MS
from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue
from quota_verifier.validation import did_you_mean
from quota_verifier.workload.arrivals import submissions
from quota_verifier.workload.check import check_workload
from quota_verifier.workload.demand import unit_in_play
from quota_verifier.workload.draws import Choice, exponential, lognormal, stream, uniform
from quota_verifier.workload.generate_spec import (
    MOST_JOBS,
    Constant,
    Exponential,
    GenerateSpec,
    JobClass,
    LogNormal,
    Uniform,
)
from quota_verifier.workload.workload import Workload

_Draw = Callable[[], int]


def generate_workload(
    spec: GenerateSpec, *, queue: Queue | None = None, seed: int | None = None, source: str = "generate"
) -> Workload:
    """The workload that `spec` describes; `seed` replaces the spec's own.

    Raises InputError for shares and units that `queue` does not have, where no job arrives, and
    where there are more than MOST_JOBS.
    """
    seed = spec.seed if seed is None else seed
    for kind in spec.classes:
        _check_share(kind, queue, source)
    merged = heapq.merge(
        *(_jobs(kind, spec, seed, queue, source) for kind in spec.classes), key=lambda job: (job.submit_ms, job.id)
    )
    jobs = tuple(islice(merged, spec.jobs or MOST_JOBS + 1))
    if not jobs:
        raise InputError("no job arrives in time", source=source, remedy="raise the rate or the duration")
    if len(jobs) > MOST_JOBS:
        raise InputError(
            f"these are more than {MOST_JOBS} jobs", source=source, remedy="lower the rate or the duration"
        )
    return check_workload(Workload(jobs, source=source, rules={"seed": str(seed)}), queue)


def _check_share(kind: JobClass, queue: Queue | None, source: str) -> None:
    if queue is None or any(share.name == kind.share for share in queue.shares):
        return
    raise InputError(
        f"the queue has no share {kind.share!r}",
        source=source,
        where=f"class {kind.name!r}: share",
        remedy=did_you_mean(kind.share, [share.name for share in queue.shares]),
    )


def _jobs(kind: JobClass, spec: GenerateSpec, seed: int, queue: Queue | None, source: str) -> Iterator[Job]:
    """The jobs of one class in order of submission."""
    demand_of = _demand(kind, seed, queue, source)
    work, priority = _work(kind, seed), _priority(kind, seed)
    labels = {"class": kind.name, **kind.labels}
    for number, submit_ms in enumerate(submissions(kind, seed, spec.duration), 1):
        yield Job(
            id=f"{kind.name}-{number:06d}",
            share=kind.share,
            submit_ms=submit_ms,
            work_ms=work(),
            demand=demand_of(),
            priority=priority(),
            attempts=kind.attempts,
            preemption_retries=kind.preemption_retries,
            timeout_ms=kind.timeout,
            checkpoint_ms=kind.checkpoint,
            labels=labels,
        )


def _demand(kind: JobClass, seed: int, queue: Queue | None, source: str) -> Callable[[], dict[str, int]]:
    fixed = kind.demand
    if fixed is not None:
        return lambda: fixed
    try:
        unit = unit_in_play(queue, (), kind.unit)
    except InputError as error:
        raise InputError(
            error.problem, source=source, where=f"class {kind.name!r}", remedy="give the class a unit"
        ) from None
    sizes = kind.instances
    if sizes is None or isinstance(sizes, int):
        plain = {unit: sizes or 1}
        return lambda: plain
    choice, source_of_sizes = Choice(sizes), stream(seed, kind.name, "instances")
    return lambda: {unit: choice.draw(source_of_sizes)}


def _priority(kind: JobClass, seed: int) -> _Draw:
    priorities = kind.priority
    if isinstance(priorities, int):
        return lambda: priorities
    choice, source = Choice(priorities), stream(seed, kind.name, "priority")
    return lambda: choice.draw(source)


def _work(kind: JobClass, seed: int) -> _Draw:
    source = stream(seed, kind.name, "work")
    match kind.work:
        case int(ms) | Constant(value=ms):
            return lambda: ms
        case Exponential(mean=mean, min=low, max=high):
            return lambda: _within(exponential(source, mean), low, high)
        case LogNormal(median=median, p95=p95, min=low, max=high):
            return lambda: _within(lognormal(source, median, p95), low, high)
        case Uniform(min=low, max=high):
            return lambda: uniform(source, low, high)


def _within(ms: float, low: int | None, high: int | None) -> int:
    """A draw in whole milliseconds, at least 1 and inside its bounds."""
    return max(low or 1, min(int(min(ms, LONGEST_MS) + 0.5), high or LONGEST_MS))
