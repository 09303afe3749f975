"""Measures that every job has a value of: waits, turnarounds, slowdowns, lost work, owed capacity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from quota_verifier.figures.columns import Ints, Mask
from quota_verifier.figures.distribution import LEFT_OUT, STATISTICS, UNBOUNDED, distribution, exact_sum
from quota_verifier.figures.groups import size_class
from quota_verifier.figures.measures import SLOWDOWN_SCALE
from quota_verifier.policy.bounds import Bound, Value
from quota_verifier.policy.claims import MeasureClaim
from quota_verifier.policy.measured import Measured, nothing_measured
from quota_verifier.policy.view import RunView
from quota_verifier.policy.wording import limit_text, plural, value_text


def over_jobs(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge a claim on a measure of which every job in `members` has one value."""
    values = _values(view, claim)
    jobs: Ints = np.flatnonzero(members & view.arrived & (values != LEFT_OUT))
    if not len(jobs):
        return nothing_measured("none of the jobs that did work succeeded, or were kept from it")
    judged = _judge(claim, values[jobs])
    worst = int(jobs[judged.worst])
    return _measured(view, claim, judged, worst, _instant(view, claim, worst))


def owed_capacity(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge a claim on how long jobs were owed their share's own capacity; one value for each start."""
    job, since, wait = view.owed_by_members(members)
    if not len(job):
        return nothing_measured("none of the jobs started or was owed capacity")
    judged = _judge(claim, wait)
    return _measured(view, claim, judged, int(job[judged.worst]), int(since[judged.worst]))


def _values(view: RunView, claim: MeasureClaim) -> Ints:
    match claim.measure:
        case "wait":
            return view.of_jobs.wait
        case "turnaround":
            return view.of_jobs.turnaround
        case "slowdown":
            return view.of_jobs.slowdown
        case "starvation":
            return view.of_jobs.longest_wait
        case "lost_work":
            return view.of_jobs.lost
        case _:
            raise AssertionError(f"{claim.measure} is no measure of single jobs")


@dataclass(frozen=True, slots=True)
class _Judged:
    """The number compared, and of the single values: the worst one's place, and how many break the bound."""

    value: Value | None
    worst: int
    worst_value: Value | None
    count: int
    breaking: int
    never: int


def _judge(claim: MeasureClaim, values: Ints) -> _Judged:
    scale = SLOWDOWN_SCALE if claim.measure == "slowdown" else 1
    worst = int(np.argmin(values) if claim.bound.is_lower else np.argmax(values))
    worst_value = int(values[worst])
    return _Judged(
        value=_scaled(_number(claim, values), scale),
        worst=worst,
        worst_value=_scaled(None if worst_value == UNBOUNDED else worst_value, scale),
        count=len(values),
        breaking=_breaking(claim.bound, values, scale),
        never=int((values == UNBOUNDED).sum()),
    )


def _number(claim: MeasureClaim, values: Ints) -> Value | None:
    """The statistic that the claim names; for every job, the value that is hardest on the bound."""
    if claim.part == "total":
        return exact_sum(values)
    figures = distribution(values)
    for name in STATISTICS:
        if name == claim.part:
            return figures.statistic(name)
    if claim.bound.is_lower or (claim.bound.operator == "==" and claim.bound.holds(figures.max)):
        return figures.min
    return figures.max


def _scaled(value: Value | None, scale: int) -> Value | None:
    return value if value is None or scale == 1 else Fraction(value, scale)


def _breaking(bound: Bound, values: Ints, scale: int) -> int:
    """How many values break the bound by themselves; they are whole, so the limit may be rounded."""
    limit = Fraction(bound.limit or 0) * scale
    low, high = math.floor(limit), math.ceil(limit)
    match bound.operator:
        case "<=":
            broken = values > low
        case "<":
            broken = values >= high
        case ">=":
            broken = values < high
        case ">":
            broken = values <= low
        case "==":
            broken = values != low if low == high else values >= 0
    return int(broken.sum())


def _measured(view: RunView, claim: MeasureClaim, judged: _Judged, job: int, at_ms: int) -> Measured:
    bound = claim.bound
    return Measured(
        holds=bound.holds(judged.value),
        value=judged.value,
        text=value_text(judged.value, bound.kind, bound.limit),
        kind=bound.kind,
        detail=_detail(view, claim, judged, job),
        job=view.run.jobs[job].id,
        at_ms=at_ms,
    )


def _detail(view: RunView, claim: MeasureClaim, judged: _Judged, job: int) -> str:
    """How many of the jobs break the bound by themselves, and which of them is worst."""
    if claim.subject.job is not None:
        return ""
    bound = claim.bound
    counted = plural(judged.count, "start" if claim.measure == "reclaimed_within" else "job")
    parts = [counted]
    if judged.breaking and claim.part != "total":
        away = "above" if bound.is_upper else "below" if bound.is_lower else "other than"
        limit = limit_text(bound)
        never = f", {judged.never} never {_NEVER.get(claim.measure, 'started')}" if judged.never else ""
        parts = [f"{judged.breaking} of {counted} {away} {limit}{never}"]
    edge = "least" if bound.is_lower else "worst"
    parts.append(f"{edge} {view.run.jobs[job].id}: {value_text(judged.worst_value, bound.kind, bound.limit)}")
    if claim.measure == "starvation":
        parts.append(f"size class {size_class(view.run.jobs[job].instances)}")
    return "; ".join(parts)


_NEVER = {"turnaround": "ended", "slowdown": "ended", "starvation": "stopped waiting"}


def _instant(view: RunView, claim: MeasureClaim, job: int) -> int:
    """The instant to look at: when the wait began, or work was last lost."""
    if claim.measure == "lost_work":
        return next(reversed(view.preempted_at(job)), view.run.jobs[job].submit_ms)
    if claim.measure == "starvation":
        return view.longest_wait_since(job)
    return view.run.jobs[job].submit_ms
