"""Workloads from random draws, the same for the same seed on every machine (see `draws`)."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate, islice
from operator import attrgetter

from quota_verifier.documents import DataPath
from quota_verifier.errors import InputError
from quota_verifier.model import Failure, Job, Queue, RetryRule
from quota_verifier.validation import field_path
from quota_verifier.workload.arrivals import submissions
from quota_verifier.workload.check import Place, check_workload, unknown_name
from quota_verifier.workload.demand import unit_in_play
from quota_verifier.workload.drawn import length_draw, number_draw
from quota_verifier.workload.draws import stream
from quota_verifier.workload.generate_spec import MOST_JOBS, GenerateSpec, JobClass
from quota_verifier.workload.workload import Workload


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
    work = length_draw(kind.work, stream(seed, kind.name, "work"))
    priority = number_draw(kind.priority, lambda: stream(seed, kind.name, "priority"))
    failures = _failures(kind, seed)
    rules = tuple(RetryRule(rule.action, rule.on_status_reason) for rule in kind.retry_rules)
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
            failures=failures(),
            retry_rules=rules,
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
    sizes = 1 if kind.instances is None else kind.instances
    if isinstance(sizes, int):
        plain = {unit: sizes}
        return lambda: plain
    size = number_draw(sizes, lambda: stream(seed, kind.name, "instances"))
    return lambda: {unit: size()}


def _failures(kind: JobClass, seed: int) -> Callable[[], tuple[Failure, ...]]:
    """The runs of a job that go wrong before one that does not, at most as many as it has attempts."""
    if not kind.fails:
        return tuple
    source = stream(seed, kind.name, "fails")
    upto = list(accumulate(row.chance for row in kind.fails))
    after = [
        length_draw(row.after, stream(seed, kind.name, "fails", str(number))) for number, row in enumerate(kind.fails)
    ]

    def drawn() -> tuple[Failure, ...]:
        failures: list[Failure] = []
        left = kind.attempts
        while left:
            row = bisect_right(upto, source.random())
            if row == len(upto):
                break
            failures.append(Failure(after[row](), kind.fails[row].reason))
            left -= not kind.fails[row].is_capacity_error
        return tuple(failures)

    return drawn
