"""How long starting and stopping took in a history. AWS promises neither (R2, R4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quota_verifier.aws.live.past_jobs import History, How, PastJob
from quota_verifier.scheduler import Delay, Timing

_LONGEST_STOP_MS = 600_000
"""SageMaker stops a training job within 120 s and then uploads what it made."""

_SAME_INSTANT_MS = 2_000
"""A preemptor is dispatched when its victim has stopped: within this."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Times in ms, each one that occurred: a low and a high one, and the one that a replay takes.

    Of startups the 10th and 90th percentile and the median; of stops the least, the 90th and the 25th percentile.
    """

    count: int
    low_ms: int
    used_ms: int
    high_ms: int


@dataclass(frozen=True, slots=True)
class MeasuredTiming:
    """What a history shows: `startup` by unit, from scheduledAt to startedAt of last runs.

    `stop` is how long jobs waited for the end of those that were preempted when they came: no stop took longer. None
    where no preemption shows it.
    """

    startup: Mapping[str, Measure]
    stop: Measure | None

    @property
    def timing(self) -> Timing:
        """The delays to replay with."""
        by_unit = {unit: measure.used_ms for unit, measure in self.startup.items()}
        default = min(by_unit.values(), default=0)
        apart = {unit: ms for unit, ms in by_unit.items() if ms != default}
        return Timing(Delay(default, apart), Delay(self.stop.used_ms if self.stop else 0))

    @property
    def spread_ms(self) -> int:
        """How far the middle 80 % of startups lie apart, of the unit where it is most."""
        return max((measure.high_ms - measure.low_ms for measure in self.startup.values()), default=0)


def measured_timing(history: History) -> MeasuredTiming:
    """What a history shows of startup and stop times."""
    startups: dict[str, list[int]] = {}
    for job in history.jobs:
        units = sorted(job.details.demand)
        for run in job.runs:
            if len(units) == 1 and run.scheduled_ms is not None and run.started_ms is not None:
                startups.setdefault(units[0], []).append(run.started_ms - run.scheduled_ms)
    stops = sorted(_stops(history.jobs))
    startup = {unit: _measure(values) for unit, values in sorted(startups.items())}
    return MeasuredTiming(startup, _stop(stops) if stops else None)


def _measure(values: Sequence[int]) -> Measure:
    low, median, high = np.percentile(values, [10, 50, 90], method="lower").tolist()
    return Measure(len(values), int(low), int(median), int(high))


def _stop(values: Sequence[int]) -> Measure:
    """Every value is at least the stop time, since the preemption cannot begin before the preemptor is there."""
    low, quarter, high = np.percentile(values, [0, 25, 90], method="lower").tolist()
    return Measure(len(values), int(low), int(quarter), int(high))


def _stops(jobs: Sequence[PastJob]) -> Iterator[int]:
    """For each run that was preempted while RUNNING: how long the job waited that started when it stopped."""
    came = sorted((job.runs[0].scheduled_ms, job.created_ms, job.id) for job in jobs if _tells_dispatch(job))
    at = np.array([scheduled for scheduled, _, _ in came], dtype=np.int64)
    for job in jobs:
        for run in job.runs:
            if run.how is not How.PREEMPTED or run.started_ms is None or run.stopped_ms is None:
                continue
            first, last = np.searchsorted(at, [run.stopped_ms, run.stopped_ms + _SAME_INSTANT_MS + 1]).tolist()
            waits = [
                run.stopped_ms - created
                for _, created, other in came[first:last]
                if other != job.id and run.started_ms < created <= run.stopped_ms
            ]
            yield from (wait for wait in [min(waits, default=_LONGEST_STOP_MS + 1)] if wait <= _LONGEST_STOP_MS)


def _tells_dispatch(job: PastJob) -> bool:
    """Whether the time of its first dispatch is known: the API keeps that of the last run alone."""
    return len(job.runs) == 1 and job.all_runs and job.runs[0].scheduled_ms is not None
