"""When the jobs of a class are submitted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from quota_verifier.durations import UNITS
from quota_verifier.workload.drawn import number_draw
from quota_verifier.workload.draws import exponential, stream
from quota_verifier.workload.generate_spec import Burst, JobClass, Profile

_ONE = Burst(jobs=1)


def submissions(kind: JobClass, seed: int, horizon_ms: int | None) -> Iterator[int]:
    """Submit times of the class's jobs in ms, in order, each before its end and before the horizon."""
    ends = [end for end in (kind.end, horizon_ms) if end is not None]
    return islice(_until(_bursts(kind, seed), min(ends, default=None)), kind.count)


def _until(times: Iterator[int], end: int | None) -> Iterator[int]:
    for time in times:
        if end is not None and time >= end:
            return
        yield time


def _bursts(kind: JobClass, seed: int) -> Iterator[int]:
    """Each arrival as its jobs; one burst is over before the next starts."""
    burst = kind.burst or _ONE
    size = number_draw(burst.jobs, lambda: stream(seed, kind.name, "burst"))
    free = 0
    for arrival in _arrivals(kind, seed):
        first, jobs = max(arrival, free), size()
        for number in range(jobs):
            yield first + number * burst.spacing
        free = first + (jobs - 1) * burst.spacing


def _arrivals(kind: JobClass, seed: int) -> Iterator[int]:
    if kind.process == "fixed":
        if kind.every is not None:
            return count(kind.start, kind.every)
        return (kind.start + int(number * kind.interval_ms) for number in count())
    if kind.profile is None:
        return _poisson(kind, seed, kind.interval_ms)
    return _thinned(kind, seed, kind.profile)


def _poisson(kind: JobClass, seed: int, interval_ms: float) -> Iterator[int]:
    source = stream(seed, kind.name, "arrivals")
    time = float(kind.start)
    while True:
        time += exponential(source, interval_ms)
        yield int(time)


def _thinned(kind: JobClass, seed: int, profile: Profile) -> Iterator[int]:
    """A Poisson process of changing rate: arrivals at the highest rate, of which each stays by chance.

    The mean rate over a week is the class's own.
    """
    hours, days = profile.hours, profile.days
    peak = (max(hours) * len(hours) / sum(hours)) * (max(days) * len(days) / sum(days))
    source = stream(seed, kind.name, "profile")
    for time in _poisson(kind, seed, kind.interval_ms / peak):
        in_week = time + profile.at_start
        hour = hours[in_week // UNITS["h"] % len(hours)]
        day = days[in_week // UNITS["d"] % len(days)]
        if source.random() * max(hours) * max(days) < hour * day:
            yield time
