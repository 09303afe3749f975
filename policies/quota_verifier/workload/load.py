"""Offered load: what a workload asks for, over what the environment could give in the same time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from quota_verifier.model import Queue
from quota_verifier.workload.columns import workload_columns
from quota_verifier.workload.workload import Workload


@dataclass(frozen=True, slots=True)
class UnitLoad:
    """Offered load of one unit: `instance_ms` of work on `capacity` instances over `span_ms`.

    `ratio` is their quotient, None where it says nothing: without capacity, or without a span of time.
    """

    unit: str
    instance_ms: int
    capacity: int
    span_ms: Fraction

    @property
    def ratio(self) -> Fraction | None:
        """Offered load, exactly; 1 is all that the capacity can do."""
        offered = self.capacity * self.span_ms
        return self.instance_ms / offered if offered else None

    @property
    def unstable(self) -> bool:
        """Whether more work comes than the capacity can do, so that waits grow as long as jobs come."""
        return self.instance_ms > self.capacity * self.span_ms and (self.span_ms > 0 or self.capacity == 0)


def arrival_span(workload: Workload) -> Fraction:
    """The time that the workload's submissions stand for, in ms; 0 where all come at once.

    N submissions have N - 1 gaps between them; the last job's gap is taken to be their mean, so the
    span is the time from first to last submission times N / (N - 1).
    """
    submit_ms = workload_columns(workload).submit_ms
    count = len(submit_ms)
    return Fraction(int(submit_ms[-1] - submit_ms[0]) * count, count - 1) if count > 1 else Fraction(0)


def is_burst(workload: Workload) -> bool:
    """Whether the jobs come within less time than one of them works on average.

    No queue is meant to keep up with that, and the waits are what such a workload is about.
    """
    work = workload_columns(workload).work_of_shapes()
    return arrival_span(workload) * len(workload.jobs) < sum(work.values())


def offered_load(workload: Workload, queue: Queue, span_ms: int | None = None) -> tuple[UnitLoad, ...]:
    """The offered load of each unit that the queue lists or a job asks for: sum(instances x work) / (capacity x span).

    `span_ms` is the time that the workload stands for, by default `arrival_span`, and none for a burst. Above
    1 a unit is unstable: waits then tell of the overload, not of the policy.
    """
    span = Fraction(span_ms or 0)
    if span_ms is None and not is_burst(workload):
        span = arrival_span(workload)
    work = dict.fromkeys(queue.units, 0)
    columns = workload_columns(workload)
    for code, work_ms in columns.work_of_shapes().items():
        for unit, count in columns.shapes[code].demand.items():
            work[unit] = work.get(unit, 0) + count * work_ms
    return tuple(UnitLoad(unit, ms, queue.environment.limit(unit), span) for unit, ms in work.items())


def instance_seconds(workload: Workload) -> Fraction:
    """Work of all jobs: instances times seconds, over all units."""
    return sum(instance_seconds_of_shares(workload).values(), Fraction(0))


def instance_seconds_of_shares(workload: Workload) -> dict[str, Fraction]:
    """Work of the jobs of each share that has any: instances times seconds, over all units."""
    columns = workload_columns(workload)
    work: dict[str, Fraction] = {}
    for code, work_ms in columns.work_of_shapes().items():
        share, demand = columns.shapes[code]
        work[share] = work.get(share, Fraction(0)) + Fraction(sum(demand.values()) * work_ms, 1_000)
    return work


def load_warnings(loads: tuple[UnitLoad, ...]) -> tuple[str, ...]:
    """One sentence for each unit that is offered more than it can do."""
    return tuple(_sentence(load) for load in loads if load.unstable)


def _sentence(load: UnitLoad) -> str:
    if load.ratio is None:
        return f"{load.unit} is offered work, but the environment has none of it"
    return (
        f"{load.unit} is offered {round(load.ratio * 100)} % of its capacity: the queue grows as long as jobs "
        "come, and waits say nothing about the policy"
    )
