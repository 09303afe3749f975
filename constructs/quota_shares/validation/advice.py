"""What would help a claim that fails, derived from the run in which it fails: the limit that binds, by how much."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quota_verifier.durations import format_duration
from quota_verifier.figures.columns import Mask
from quota_verifier.model import Job, Queue, Rounding, Share
from quota_verifier.policy.claims import MeasureClaim
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.verdicts import Verdict
from quota_verifier.policy.view import RunView
from quota_verifier.report.numbers import counted
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.events import Kind, Reason
from quota_verifier.scheduler.run import Run

_OF_WAITING = ("wait", "turnaround", "slowdown", "starvation", "finished", "never_schedulable")
_OF_PREEMPTION = ("preemptions", "thrash", "lost_work", "disruption_ratio")
_OF_CAPACITY = ("utilization", "idle_reserved")


def advice(policy: Policy, verdict: Verdict, view: RunView | None) -> list[str]:
    """Sentences on what would help, from the figures alone; none where they do not tell."""
    found = list(_on_assumptions(policy, verdict))
    claim = verdict.claim
    if view is None or verdict.evidence is None or not isinstance(claim, MeasureClaim):
        return found
    job = _job(view.run, verdict.evidence.job)
    # Capacity helps whoever has to do better than a bound from above, or to finish more.
    if claim.measure == "reclaimed_within" and job is not None:
        found += _on_reclaim(view, job, claim)
    elif claim.measure in _OF_WAITING and job is not None and (not claim.bound.is_lower or claim.measure == "finished"):
        found += _on_waiting(view.run, job)
    elif claim.measure in _OF_PREEMPTION and job is not None and not claim.bound.is_lower and claim.part != "caused":
        found += _on_preemption(
            view, view.run.queue.share(job.share), lost=claim.measure not in ("preemptions", "thrash")
        )
    elif claim.measure in _OF_CAPACITY and claim.bound.is_lower == (claim.measure == "utilization"):
        found += _on_idle_reserve(view, claim)
    return found


def busiest(run: Run, share: str, unit: str) -> tuple[int, int]:
    """Instances that the share's jobs would hold at most if each started when it is submitted, and when first (ms)."""
    changes: list[tuple[int, int]] = []
    for job in run.jobs:
        count = job.demand.get(unit, 0)
        if job.share == share and count:
            changes += [
                (job.submit_ms, count),
                (job.submit_ms + run.timing.startup.of(job.demand) + job.work_ms, -count),
            ]
    held = most = when = 0
    for at, change in sorted(changes):  # at one instant ends come before submissions (R11)
        held += change
        if held > most:
            most, when = held, at
    return most, when


def _job(run: Run, name: str | None) -> Job | None:
    return next((job for job in run.jobs if job.id == name), None)


def _on_assumptions(policy: Policy, verdict: Verdict) -> Iterator[str]:
    if verdict.verdict != "depends":
        return
    if verdict.measured.holds:
        yield f"To accept what holds under the answers it starts from, write `under: default` in {policy.source}."
        return
    answers = ", ".join(change.replace("=", ": ") for change in verdict.turned_by[0].changes)
    yield f"If you know that AWS acts like this, write `assume: {{{answers}}}` in {policy.source}."


def _on_waiting(run: Run, job: Job) -> Iterator[str]:
    """Why a job of this demand waits: it can never start, or the share's limit, or the environment, binds."""
    queue, share = run.queue, run.queue.share(job.share)
    never = never_schedulable(queue, share, job.demand, run.assumptions.borrow_rounding)
    if never is not None:
        yield _on_never(queue, share, never.unit, never.asked, job.id)
        return
    for unit in job.demand:
        own, (most, when) = share.limit(unit), busiest(run, share.name, unit)
        promised, environment = queue.promised(unit), queue.environment.limit(unit)
        if most > own:
            borrows = _borrowing(queue, share, unit, run.assumptions.borrow_rounding)
            needed = promised - own + most
            room = f" (the environment, which has {environment}, would need {needed})" if needed > environment else ""
            yield (
                f"{share.name}'s own limit is {own} {unit}{borrows}; its demand peaks at {most}"
                f" ({format_duration(when)}, if no job waits). Raise its own limit towards {most}{room}."
            )
        elif promised > environment:
            yield (
                f"The shares are promised {promised} {unit}, and the environment has {environment}:"
                f" raise the environment, or lower a share by {promised - environment}."
            )


def _borrowing(queue: Queue, share: Share, unit: str, rounding: Rounding) -> str:
    """What the share may hold above its own limit, as the end of a sentence on the limit."""
    cap, lent = share.borrow_cap(unit, rounding), queue.borrowable(share.name, unit)
    if cap is None:
        return f" and it borrows what others lend, {lent} at most"
    if cap:
        return f" and it may borrow {min(cap, lent)} more"
    return f" and it borrows nothing of the {lent} that others lend" if lent else ""


def _on_never(queue: Queue, share: Share, unit: str, asked: int, job: str) -> str:
    """The smallest change of a limit that lets a job of this size start (R21)."""
    own, environment, lenders = share.limit(unit), queue.environment.limit(unit), queue.borrowable(share.name, unit)
    start = f"{job} asks for {asked} {unit}"
    if asked > environment:
        return f"{start}, and the environment has {environment}: raise it to at least {asked}, or ask for less."
    if not share.strategy.borrows or own == 0:
        borrow = f", or let {share.name} borrow" if own and asked <= own + lenders else ""
        return f"{start}, and {share.name}'s own limit is {own}: raise it to at least {asked}{borrow}."
    if asked > own + lenders:
        return (
            f"{start}; {share.name} owns {own}, and the shares that lend own {lenders}: raise {share.name}'s own limit"
            f" to at least {asked - lenders}, or have other shares lend."
        )
    percent = -(-(asked - own) * 100 // own)
    return (
        f"{start}, and {share.name} owns {own} with a borrow limit of {share.borrow_limit} %:"
        f" raise the borrow limit to at least {percent} %."
    )


def _on_reclaim(view: RunView, job: Job, claim: MeasureClaim) -> Iterator[str]:
    stop = view.run.timing.stop.of(job.demand)
    limit = claim.bound.limit
    if limit is not None and not claim.bound.is_lower and stop > limit:
        yield (
            f"A preempted job keeps its capacity for {format_duration(stop)} (timing.stop), longer than the bound:"
            f" capacity that {job.share} lends cannot come back sooner. RESERVE keeps it idle instead."
        )
        return
    yield from _on_waiting(view.run, job)


def _on_preemption(view: RunView, share: Share, *, lost: bool) -> Iterator[str]:
    """Who preempts the share's jobs: owners of what it borrowed, or its own more urgent jobs."""
    events, of_jobs = view.table.events, view.table.jobs
    position = [known.name for known in view.run.queue.shares].index(share.name)
    hit = (events.kind == Kind.PREEMPTED) & (of_jobs.share[events.job] == position)
    reclaims = hit & (events.reason == Reason.RECLAIM)
    in_share = hit & (events.reason == Reason.IN_SHARE)
    if reclaims.any():
        units = dict.fromkeys(unit for job in _jobs(view, reclaims) for unit in job.demand)
        limits = "; ".join(_limit_and_need(view.run, share, unit) for unit in units)
        yield (
            f"{counted(int(reclaims.sum()), 'time')} an owner took back what {share.name} held above its own limit."
            f" {limits}: raise the limit, or lower the borrow limit so that jobs wait instead."
        )
    if in_share.any():
        times = counted(int(in_share.sum()), "time")
        yield f"{times} a more urgent job of {share.name} took the place of another: in-share preemption is on there."
    bare = sum(job.checkpoint_ms is None for job in _jobs(view, hit))
    if lost and bare:
        yield f"Without a checkpoint interval a preempted job loses all its progress: {counted(bare, 'job')} here."


def _jobs(view: RunView, chosen: Mask) -> list[Job]:
    """The jobs of the chosen events, each once."""
    rows: list[int] = np.unique(view.table.events.job[chosen]).tolist()
    return [view.run.jobs[row] for row in rows]


def _limit_and_need(run: Run, share: Share, unit: str) -> str:
    most, when = busiest(run, share.name, unit)
    peak = f"its demand peaks at {most} ({format_duration(when)}, if no job waits)"
    return f"It owns {share.limit(unit)} {unit}, and {peak}"


def _on_idle_reserve(view: RunView, claim: MeasureClaim) -> Iterator[str]:
    """How much of their own the RESERVE shares left idle, and out of everybody's reach."""
    for row in view.books.shares:
        wanted = claim.subject.share in (None, row.share) and claim.subject.unit in (None, row.unit)
        if wanted and row.idle_reserved:
            idle = f"{round(row.idle_reserved * 100 / row.limit)} %"
            yield f"{row.share} kept {idle} of its {row.unit} idle, which LEND would let others use meanwhile."
