"""Workloads from random draws, the same for the same seed on every machine (see `draws`)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter

from quota_verifier.documents import DataPath
from quota_verifier.durations import LONGEST_MS
from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue
from quota_verifier.validation import field_path
from quota_verifier.workload.arrivals import submissions
from quota_verifier.workload.check import Place, check_workload, unknown_name
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
    spec: GenerateSpec,
    queue: Queue | None = None,
    *,
    seed: int | None = None,
    place: Place | None = None,
) -> Workload:
    """The workload that `spec` describes; `seed` replaces the spec's own.

    `place` says where a path of the spec stands in its file, for messages. Raises InputError for shares and
    units that `queue` does not have, where no job arrives, and where there are more than MOST_JOBS.
    """
    seed = spec.seed if seed is None else seed
    place = place or _in_spec
    demands = [_demand(kind, seed, queue, place(("classes", index))) for index, kind in enumerate(spec.classes)]
    for index, kind in enumerate(spec.classes):
        _check_names(kind, index, queue, place)
    merged = heapq.merge(
        *(_jobs(kind, spec, seed, demand) for kind, demand in zip(spec.classes, demands, strict=True)),
        key=attrgetter("submit_ms", "id"),
    )
    jobs = tuple(islice(merged, spec.jobs or MOST_JOBS + 1))
    source, where = place(())
    if not jobs:
        raise InputError("no job arrives in time", source=source, where=where, remedy="raise the rate or the duration")
    if len(jobs) > MOST_JOBS:
        raise InputError(
            f"these are more than {MOST_JOBS} jobs", source=source, where=where, remedy="lower the rate or the duration"
        )
    return check_workload(Workload(jobs, source=source, rules={"seed": str(seed)}), queue)


def _in_spec(path: DataPath) -> tuple[str, str]:
    return "", field_path(("generate", *path))


def _check_names(kind: JobClass, index: int, queue: Queue | None, place: Place) -> None:
    if queue is None:
        return
    shares = [share.name for share in queue.shares]
    strange = [unit for unit in kind.demand or (kind.unit,) if unit is not None and unit not in queue.units]
    if kind.share not in shares:
        field, (problem, remedy) = "share", unknown_name("share", kind.share, shares)
    elif strange:
        field, (problem, remedy) = "unit", unknown_name("unit", strange[0], queue.units)
    else:
        return
    source, where = place(("classes", index, "demand" if field == "unit" and kind.demand else field))
    raise InputError(problem, source=source, where=where, remedy=remedy)


def _jobs(kind: JobClass, spec: GenerateSpec, seed: int, demand_of: Callable[[], dict[str, int]]) -> Iterator[Job]:
    """The jobs of one class in order of submission."""
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


def _demand(kind: JobClass, seed: int, queue: Queue | None, place: tuple[str, str]) -> Callable[[], dict[str, int]]:
    fixed = kind.demand
    if fixed is not None:
        return lambda: fixed
    try:
        unit = unit_in_play(queue, (), kind.unit)
    except InputError as error:
        source, where = place
        raise InputError(error.problem, source=source, where=where, remedy="give the class a unit") from None
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
