"""The arithmetic of limits and availability (sections 1 and 4), computed from scratch at every question."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum

from quota_verifier.schedulability import largest_job
from quota_verifier.scheduler.replay import JobNow, Replay

Jobs = Collection[JobNow]


def total(jobs: Iterable[JobNow], unit: str) -> int:
    """Instances of `unit` that jobs ask for together."""
    return sum(job.needs(unit) for job in jobs)


def of_share(jobs: Iterable[JobNow], share: int) -> list[JobNow]:
    """The jobs of one share."""
    return [job for job in jobs if job.share == share]


def usage(state: Replay, share: int, unit: str) -> int:
    """U: what the share's jobs hold, from dispatch to release."""
    return state.usage[share].get(unit, 0)


def over_limit(state: Replay, share: int, unit: str, leaving: Jobs = ()) -> int:
    """X, not counting jobs that are being stopped or that are `leaving` (R13)."""
    used = usage(state, share, unit) - state.stopping[share].get(unit, 0) - total(of_share(leaving, share), unit)
    return used - state.queue.shares[share].limit(unit)


def free(state: Replay, unit: str) -> int:
    """F: environment capacity that nobody holds; below 0 after the environment was lowered."""
    return state.environment.limit(unit) - sum(usage(state, share, unit) for share in range(len(state.usage)))


def comes_back(job: JobNow, *, preempted_now: bool) -> bool:
    """Whether a job that is leaving will wait again: not one that was terminated or has no retries left (R5)."""
    retries = job.job.preemption_retries
    preemptions = job.preemptions + (1 if preempted_now else 0)
    return not job.terminated and (retries is None or preemptions <= retries)


def withholds(state: Replay, share: int, leaving: Jobs) -> bool:
    """Whether a share keeps its idle capacity from the others: RESERVE, A5 hold, A10 withheld."""
    config = state.queue.shares[share]
    if not config.strategy.lends:
        return True
    if not config.enabled and state.assumptions.disabled_share == "withheld":
        return True
    if state.assumptions.waiting_lender != "hold":
        return False
    again = any(comes_back(job, preempted_now=job.index not in state.being_stopped) for job in leaving)
    return state.waits(share) or again


def held(state: Replay, share: int, unit: str, leaving: Jobs = (), joining: Jobs = ()) -> int:
    """What a share keeps from the others of its idle capacity, once jobs have left and joined it."""
    gone, new = of_share(leaving, share), of_share(joining, share)
    if not withholds(state, share, gone):
        return 0
    left = usage(state, share, unit) - total(gone, unit) + total(new, unit)
    return max(0, state.queue.shares[share].limit(unit) - left)


def available(
    state: Replay, share: int, unit: str, *, leaving: Jobs = (), joining: Jobs = (), claimants: Jobs = ()
) -> int:
    """V of a share once jobs have left and joined, less what claimants are to get.

    What a claimant's share keeps anyway counts towards its claims: no instance is held back twice.
    """
    room = free(state, unit) + total(leaving, unit) - total(joining, unit)
    if state.assumptions.unassigned_capacity == "unusable":
        room -= state.queue.unassigned(unit)
    for other in range(len(state.usage)):
        claimed = total(of_share(claimants, other), unit)
        kept = 0 if other == share else held(state, other, unit, leaving, joining)
        room -= max(kept, claimed)
    return room


class Reach(Enum):
    """How far a share's usage may go for a job to start."""

    OWN = "its limit (R12)"
    HELD = "what it holds now, or its limit (A9 preempt-first, or while an owner waits)"
    HARD = "its hard cap (R15)"


def within(
    state: Replay, job: JobNow, reach: Reach, *, leaving: Jobs = (), joining: Jobs = (), claimants: Jobs = ()
) -> bool:
    """U + D is within reach on each unit; beyond the limit, D also within what R21 lets ever start."""
    share, rounding = state.share_of(job), state.assumptions.borrow_rounding
    others = [*joining, *(other for other in claimants if other is not job)]
    for unit, instances in job.demand:
        cap = _cap(state, job.share, unit, reach)
        used = usage(state, job.share, unit) - total(of_share(leaving, job.share), unit)
        used += total(of_share(others, job.share), unit)
        if cap is not None and used + instances > cap:
            return False
        if reach is not Reach.OWN and instances > largest_job(state.queue, share, unit, rounding):
            return False
    return True


def _cap(state: Replay, share: int, unit: str, reach: Reach) -> int | None:
    config = state.queue.shares[share]
    limit, cap = config.limit(unit), config.hard_cap(unit, state.assumptions.borrow_rounding)
    match reach:
        case Reach.OWN:
            return limit
        case Reach.HARD:
            return cap
        case Reach.HELD:
            held = max(limit, usage(state, share, unit) - state.stopping[share].get(unit, 0))
            return held if cap is None else min(held, cap)


def has_room(state: Replay, job: JobNow, *, leaving: Jobs = (), joining: Jobs = (), claimants: Jobs = ()) -> bool:
    """D <= V, less what other claimants are to get."""
    others = [other for other in claimants if other is not job]
    return all(
        instances <= available(state, job.share, unit, leaving=leaving, joining=joining, claimants=others)
        for unit, instances in job.demand
    )


def could_start(
    state: Replay,
    job: JobNow,
    *,
    leaving: Jobs = (),
    joining: Jobs = (),
    claimants: Jobs = (),
    reach: Reach = Reach.HARD,
) -> bool:
    """Whether a job would start within `reach` (R12, or also R15) once jobs have left and joined."""
    reaches = (Reach.OWN, reach) if state.share_of(job).strategy.borrows else (Reach.OWN,)
    fits = any(within(state, job, r, leaving=leaving, joining=joining, claimants=claimants) for r in reaches)
    return fits and has_room(state, job, leaving=leaving, joining=joining, claimants=claimants)


def heads_of(state: Replay, share: int) -> list[JobNow]:
    """The waiting jobs of a share that may start now, in order (R9, A1).

    Under `skip` only the first of each demand: what keeps it waiting keeps its likes waiting.
    """
    firsts = sorted(places[0] for places in state.waiting[share].values())
    jobs = [state.jobs[index] for _, _, index in firsts]
    match state.assumptions.head_blocking:
        case "strict":
            return jobs[:1]
        case "per-unit":
            return [job for at, job in enumerate(jobs) if not any(_share_unit(job, other) for other in jobs[:at])]
        case "skip":
            return jobs


def _share_unit(job: JobNow, other: JobNow) -> bool:
    return any(other.needs(unit) for unit, _ in job.demand)
