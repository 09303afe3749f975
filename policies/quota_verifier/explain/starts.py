"""When a job starts: the first instant from T on at which it holds capacity, under one profile and under others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from quota_verifier.explain.moment import span_at
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.run import UNKNOWN, Run, State


@dataclass(frozen=True, slots=True)
class Start:
    """`at_ms` is when the job started, None where it never does; `already` that it had it at T.

    `ended_ms` and `end` tell what became of a job that is over at T, or never starts: it FAILED, was
    REJECTED, or waits still.
    """

    at_ms: int | None
    already: bool
    ended_ms: int | None = None
    end: str = ""


@dataclass(frozen=True, slots=True)
class Under:
    """The start under a profile, named by how it differs from the first one; nothing for the first itself."""

    profile: tuple[str, ...]
    start: Start


@dataclass(frozen=True, slots=True)
class Interval:
    """The starts under several profiles, the profile in force first."""

    starts: tuple[Under, ...]

    @property
    def earliest(self) -> Under:
        """The profile under which the job starts first; the first of several."""
        return min(self.starts, key=lambda under: _order(under.start))

    @property
    def latest(self) -> Under:
        """The profile under which the job starts last, or never; the first of several."""
        return max(self.starts, key=lambda under: _order(under.start))

    @property
    def turned(self) -> tuple[Under, ...]:
        """The profiles under which it starts at another time than under the profile in force."""
        first = self.starts[0].start
        return tuple(under for under in self.starts if under.start != first)


def start_of_job(run: Run, job: int, at_ms: int) -> Start:
    """When a job starts from `at_ms` on, or since when it holds capacity then.

    A job that is being stopped at `at_ms` starts when it starts again.
    """
    spans = [span for span in run.spans if span.job == job]
    now = span_at(spans, at_ms)
    if now is not None and not UNKNOWN < now.stop <= at_ms:
        return Start(now.start, already=True)
    later = next((span.start for span in spans if span.start > at_ms), None)
    if later is not None:
        return Start(later, already=False)
    outcome = run.outcomes[job]
    if outcome.state is State.SUCCEEDED:
        return Start(spans[-1].start, already=True, ended_ms=outcome.end, end=outcome.state)
    ended = None if outcome.end == UNKNOWN else outcome.end
    detail = f": {outcome.detail}" if outcome.detail else ""
    return Start(None, already=False, ended_ms=ended, end=f"{outcome.state}{detail}")


def interval(
    first: Run,
    job: int,
    at_ms: int,
    others: Iterable[Assumptions],
    simulated: Callable[[Assumptions], Run],
) -> Interval:
    """The starts of a job in the run `first` and under other assumptions."""
    base = first.assumptions.as_choices()
    starts = [Under((), start_of_job(first, job, at_ms))]
    for assumptions in others:
        changed = tuple(f"{id}={choice}" for id, choice in assumptions.as_choices().items() if base[id] != choice)
        starts.append(Under(changed, start_of_job(simulated(assumptions), job, at_ms)))
    return Interval(tuple(starts))


def _order(start: Start) -> float:
    return float("inf") if start.at_ms is None else start.at_ms
