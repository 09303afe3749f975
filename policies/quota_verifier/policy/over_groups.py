"""Measures of a group of jobs, or of capacity, that have one value in all."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from quota_verifier.cost import Prices, held_time, lost_time, priced
from quota_verifier.durations import format_duration
from quota_verifier.figures.columns import Ints, Mask, state_is
from quota_verifier.figures.distribution import exact_sum
from quota_verifier.policy.bounds import Value
from quota_verifier.policy.claims import MeasureClaim
from quota_verifier.policy.measured import Measured, nothing_measured
from quota_verifier.policy.view import RunView
from quota_verifier.policy.wording import plural, value_text
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.run import State


def preemptions(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge a count of preemptions: suffered in all or by kind, caused, or the most of one job."""
    of_jobs = view.of_jobs
    suffered = of_jobs.cross_share + of_jobs.in_share
    match claim.part:
        case "cross_share":
            values = of_jobs.cross_share
        case "in_share":
            values = of_jobs.in_share
        case "caused":
            values = of_jobs.caused_cross_share + of_jobs.caused_in_share
        case _:
            values = suffered
    chosen = np.where(members, values, 0)
    value = int(chosen.max()) if claim.part == "max" else int(chosen.sum())
    return _about_worst(view, claim, value, chosen, verb="caused" if claim.part == "caused" else "preempted")


def thrash(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge the count of preemptions that hit a job which had been preempted before."""
    suffered = np.where(members, view.of_jobs.cross_share + view.of_jobs.in_share, 0)
    again = np.maximum(suffered - 1, 0)
    return _about_worst(view, claim, int(again.sum()), suffered, verb="preempted")


def _about_worst(view: RunView, claim: MeasureClaim, value: int, by_job: Ints, *, verb: str) -> Measured:
    worst = int(np.argmax(by_job))
    times = int(by_job[worst])
    job = view.run.jobs[worst]
    hit = int((by_job > 0).sum())
    at = view.preempted_at(worst) if verb == "preempted" else view.preempts_at(worst)
    detail = f"{plural(hit, 'job')} {verb}" + (f", {job.id} {times} times" if times > 1 else "")
    return Measured(
        holds=claim.bound.holds(value),
        value=value,
        text=value_text(value, "count"),
        kind="count",
        detail=detail if hit else "",
        job=job.id if hit else None,
        at_ms=at[-1] if at else None,
    )


def disruption_ratio(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge work lost over work delivered; nothing lost is 0 whatever was delivered."""
    lost, delivered = exact_sum(view.of_jobs.lost[members]), exact_sum(view.of_jobs.delivered[members])
    value = Fraction(lost, delivered) if delivered else (None if lost else Fraction(0))
    by_job = np.where(members, view.of_jobs.lost, 0)
    worst = int(np.argmax(by_job))
    at = view.preempted_at(worst) if lost else []
    return Measured(
        holds=claim.bound.holds(value),
        value=value,
        text="no work delivered" if value is None else value_text(value, "ratio", claim.bound.limit),
        kind="ratio",
        detail=f"{format_duration(lost)} instance-time lost, {format_duration(delivered)} delivered",
        job=view.run.jobs[worst].id if lost else None,
        at_ms=at[-1] if at else None,
    )


def capacity(view: RunView, claim: MeasureClaim, _: Mask) -> Measured:
    """Judge `utilization` or `idle_reserved`: instance-time over that of the capacity, or of a share's own limit."""
    share, unit = claim.subject.share, claim.subject.unit
    part = whole = 0
    if share is None:
        for total in view.books.units:
            if unit in (None, total.unit):
                part += total.used if claim.measure == "utilization" else total.idle_reserved
                whole += total.capacity
    else:
        for row in view.books.shares:
            if row.share == share and unit in (None, row.unit):
                part += row.used if claim.measure == "utilization" else row.idle_reserved
                whole += row.limit
    if not whole:
        return nothing_measured("there was no capacity for any length of time")
    value = Fraction(part, whole)
    return Measured(
        holds=claim.bound.holds(value),
        value=value,
        text=value_text(value, "ratio", claim.bound.limit),
        kind="ratio",
        detail=f"{format_duration(part)} of {format_duration(whole)} instance-time",
        at_ms=view.run.end_ms - view.books.span_ms,
    )


def money(view: RunView, claim: MeasureClaim, members: Mask, prices: Prices) -> Measured:
    """Judge `cost` or `lost_work_cost`: what the jobs held, or what preemptions threw away of it, times prices."""
    time_of = held_time if claim.measure == "cost" else lost_time
    by_unit = time_of(view.table, members)
    if claim.subject.unit is not None:
        by_unit = {unit: ms for unit, ms in by_unit.items() if unit == claim.subject.unit}
    value = priced(by_unit, prices)
    parts = [f"{format_duration(ms)} of {unit}" for unit, ms in by_unit.items() if ms]
    return Measured(
        holds=claim.bound.holds(value),
        value=value,
        text=f"{value_text(value, claim.bound.kind, claim.bound.limit)} {prices.currency}",
        kind=claim.bound.kind,
        detail=f"instance-time: {', '.join(parts)}" if parts else "",
    )


def never_schedulable_jobs(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge the count of jobs that can never start under the queue's initial configuration (R21)."""
    rows: list[int] = np.flatnonzero(members & view.never).tolist()
    first = view.run.jobs[rows[0]] if rows else None
    detail = ""
    if first is not None:
        queue, rounding = view.run.queue, view.run.assumptions.borrow_rounding
        why = never_schedulable(queue, queue.share(first.share), first.demand, rounding)
        if why is not None:
            detail = f"{first.id} asks for {why.asked} {why.unit}, at most {why.largest} can start: {why.status_reason}"
    return Measured(
        holds=claim.bound.holds(len(rows)),
        value=len(rows),
        text=value_text(len(rows), "count"),
        kind="count",
        detail=detail,
        job=first.id if first else None,
        at_ms=first.submit_ms if first else None,
    )


def finished(view: RunView, claim: MeasureClaim, members: Mask) -> Measured:
    """Judge how many of the jobs that were submitted SUCCEEDED, as a count or a part."""
    submitted = members & view.arrived
    count, done = int(submitted.sum()), int((submitted & state_is(view.table, State.SUCCEEDED)).sum())
    if not count:
        return nothing_measured("none of the jobs was submitted before the end")
    value: Value = Fraction(done, count) if claim.bound.kind == "ratio" else done
    rows: list[int] = np.flatnonzero(submitted & ~state_is(view.table, State.SUCCEEDED)).tolist()
    detail = f"{done} of {plural(count, 'job')}"
    if rows:
        outcome = view.run.outcomes[rows[0]]
        because = f" ({outcome.detail})" if outcome.detail else ""
        detail += f"; {view.run.jobs[rows[0]].id} is {outcome.state.value}{because}"
    return Measured(
        holds=claim.bound.holds(value),
        value=value,
        text=value_text(value, claim.bound.kind, claim.bound.limit),
        kind=claim.bound.kind,
        detail=detail,
        job=view.run.jobs[rows[0]].id if rows else None,
        at_ms=view.run.jobs[rows[0]].submit_ms if rows else None,
    )
