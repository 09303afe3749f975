"""Predicted and real starts and preemptions of the same jobs, compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quota_verifier.aws.live.past_jobs import History, PastJob
from quota_verifier.aws.live.replay import horizon_ms
from quota_verifier.scheduler.run import UNKNOWN, Run

Prediction = tuple[int | None, int | None, int]
"""When a job first became RUNNING and when it last did, in ms from the first submission, and its preemptions."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A job that a replay tells wrong; starts in ms from the first submission, None for one that never came."""

    job: str
    name: str
    share: str
    real: Prediction
    predicted: Prediction


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far a replay is from what happened.

    `wrong` counts jobs whose first or last start is off by more than the tolerance, or whose preemptions differ;
    `preemptions_off` sums the latter. Errors are in ms over all starts that are compared.
    """

    predictions: tuple[Prediction, ...]
    wrong: int
    preemptions_off: int
    starts: int
    total_ms: int
    mean_ms: int
    median_ms: int
    p95_ms: int
    worst_ms: int
    misses: tuple[Miss, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        """The smaller the better: jobs told wrong, then preemptions, then the sum of all errors."""
        return self.wrong, self.preemptions_off, self.total_ms


def likeness(history: History, run: Run, tolerance_ms: int) -> Likeness:
    """How well `run`, a replay of `history` up to its horizon, tells what happened."""
    end = horizon_ms(history)
    predicted = _predictions(run, end)
    errors: list[int] = []
    misses: list[Miss] = []
    preemptions_off = 0
    for job, told in zip(history.jobs, predicted, strict=True):
        real = _real(job, history)
        off = [abs(_or_end(a, end) - _or_end(b, end)) for a, b in _compared(job, real, told)]
        differing = abs(real[2] - told[2])
        errors += off
        preemptions_off += differing
        never = any((a is None) != (b is None) for a, b in _compared(job, real, told))
        if differing or never or max(off) > tolerance_ms:
            misses.append(Miss(job.id, job.details.labels.get("name", ""), job.share, real, told))
    median, p95 = np.percentile(np.array(errors, dtype=np.int64), [50, 95], method="higher").tolist()
    return Likeness(
        predictions=tuple(predicted),
        wrong=len(misses),
        preemptions_off=preemptions_off,
        starts=len(errors),
        total_ms=sum(errors),
        mean_ms=sum(errors) // len(errors),
        median_ms=int(median),
        p95_ms=int(p95),
        worst_ms=max(errors),
        misses=tuple(misses),
    )


def _real(job: PastJob, history: History) -> Prediction:
    starts = [at - history.origin_ms for at in job.starts_ms]
    return (starts[0], starts[-1], job.preemptions) if starts else (None, None, job.preemptions)


def _compared(job: PastJob, real: Prediction, told: Prediction) -> list[tuple[int | None, int | None]]:
    """Pairs of starts. The first is not known of a job with more preempted runs than the API remembers."""
    last = (real[1], told[1])
    return [(real[0], told[0]), last] if job.all_runs else [last]


def _predictions(run: Run, end: int) -> Sequence[Prediction]:
    """One for each job of the run, in its order, which is that of the history."""
    starts: list[list[int]] = [[] for _ in run.jobs]
    for span in run.spans:
        if span.run != UNKNOWN and span.run <= end:
            starts[span.job].append(span.run)
    return [
        (min(times, default=None), max(times, default=None), outcome.preemptions)
        for times, outcome in zip(starts, run.outcomes, strict=True)
    ]


def _or_end(at: int | None, end: int) -> int:
    """A start that never came counts as one at the end of what is known."""
    return end if at is None else at
