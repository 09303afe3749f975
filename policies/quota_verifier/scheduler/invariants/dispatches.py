"""I1, I2, I3 and R14 at a dispatch; each takes the state just before it."""

from __future__ import annotations

from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.invariants.claims import Claims
from quota_verifier.scheduler.invariants.room import available, free, usage
from quota_verifier.scheduler.invariants.violation import Findings
from quota_verifier.scheduler.replay import JobNow, Replay


def environment_not_exceeded(state: Replay, job: JobNow) -> Findings:
    """I1: usage exceeds the environment on no unit, but for capacity lowered under running jobs."""
    if not state.environment.enabled:
        yield f"{job.job.id} was dispatched although the environment is DISABLED (R20)"
    for unit, instances in job.demand:
        if instances > free(state, unit):
            yield (
                f"{job.job.id} was given {instances} {unit}, but only {max(0, free(state, unit))} of "
                f"{state.environment.limit(unit)} were free"
            )


def limit_not_exceeded(state: Replay, job: JobNow, reason: Reason) -> Findings:
    """I2: a share that does not borrow stays within its limit, a borrower within its hard cap."""
    share, rounding = state.share_of(job), state.assumptions.borrow_rounding
    borrowed = False
    for unit, instances in job.demand:
        after = usage(state, job.share, unit) + instances
        limit, cap = share.limit(unit), share.hard_cap(unit, rounding)
        borrowed |= after > limit
        if cap is not None and after > cap:
            yield f"{job.job.id} brought {share.name} to {after} {unit}, above its cap of {cap} (limit {limit})"
    if borrowed != (reason is Reason.BORROWED_CAPACITY):
        where = "above" if borrowed else "within"
        yield f"{job.job.id} was dispatched by {reason.name}, but its share is then {where} its limit"


def held_back_capacity_untouched(state: Replay, job: JobNow) -> Findings:
    """I3: no dispatch uses another share's idle RESERVE capacity, nor what A5, A6 and A10 hold back."""
    for unit, instances in job.demand:
        room = available(state, job.share, unit)
        if instances > room:
            yield (
                f"{job.job.id} was given {instances} {unit}, but its share could use {max(0, room)}: "
                f"{max(0, free(state, unit))} were free and others hold back the rest"
            )


def claims_respected(state: Replay, claims: Claims, job: JobNow, reason: Reason) -> Findings:
    """R14: capacity that is being released for a job goes to no other."""
    for other in claims.ahead_of(state, job, owner=reason is Reason.OWN_CAPACITY):
        if other.index in claims.doubtful:
            continue
        if claims.starts_in_time(state, other) and not claims.starts_in_time(state, other, joining=[job]):
            yield f"{job.job.id} was given capacity that is being released for {other.job.id}"
