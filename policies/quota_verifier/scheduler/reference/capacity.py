"""Free, held and available capacity (section 1 of the specification), kept up to date change by change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quota_verifier.model import Strategy
from quota_verifier.schedulability import largest_job
from quota_verifier.scheduler.reference.claims import claimants_before, coming_for, demand_of
from quota_verifier.scheduler.reference.state import NO_CAP, ActiveJob, ActiveShare, Core
from quota_verifier.scheduler.run import How


def charge(core: Core, job: ActiveJob, sign: int) -> None:
    """Add (+1) or release (-1) a job's demand: usage, free, and what its share holds back."""
    share = job.share
    usage, limit, held, free, spare = share.usage, share.limit, share.held, core.free, core.spare
    for unit, instances in job.demand:
        change = sign * instances
        used = usage[unit] + change
        usage[unit] = used
        free[unit] -= change
        spare[unit] -= change
        if share.withholds:
            idle = max(0, limit[unit] - used)
            spare[unit] += held[unit] - idle
            held[unit] = idle


def keeps_idle(core: Core, share: ActiveShare, *, waiting: bool) -> bool:
    """Whether a share's idle capacity is kept from the others: RESERVE, A5 hold, A10 withheld."""
    if share.share.strategy is Strategy.RESERVE:
        return True
    if waiting and core.assumptions.waiting_lender == "hold":
        return True
    return not share.share.enabled and core.assumptions.disabled_share == "withheld"


def refresh_held(core: Core, share: ActiveShare) -> None:
    """Recompute what a share holds back after its configuration or its waiting jobs changed."""
    share.withholds = keeps_idle(core, share, waiting=share.waiting_count > 0)
    for unit, limit in enumerate(share.limit):
        idle = max(0, limit - share.usage[unit]) if share.withholds else 0
        core.spare[unit] += share.held[unit] - idle
        share.held[unit] = idle


def refresh_limits(core: Core) -> None:
    """Recompute limits, caps, R21 sizes and unassigned capacity from the configuration in force."""
    queue, rounding = core.queue, core.assumptions.borrow_rounding
    for share in core.shares:
        share.share = queue.shares[share.index]
        for unit, name in enumerate(core.units):
            cap = share.share.hard_cap(name, rounding)
            share.limit[unit] = share.share.limit(name)
            share.cap[unit] = NO_CAP if cap is None else cap
            share.largest[unit] = largest_job(queue, share.share, name, rounding)
    usable = core.assumptions.unassigned_capacity == "borrowable"
    for unit, name in enumerate(core.units):
        used = sum(share.usage[unit] for share in core.shares)
        core.free[unit] = queue.environment.limit(name) - used
        core.unassigned[unit] = 0 if usable else queue.unassigned(name)
        held = sum(share.held[unit] for share in core.shares)
        core.spare[unit] = core.free[unit] - core.unassigned[unit] - held
    for share in core.shares:
        refresh_held(core, share)


def available(core: Core, job: ActiveJob, unit: int) -> int:
    """V of the job's share on `unit`."""
    return core.spare[unit] + job.share.held[unit]


def within_own_limit(job: ActiveJob) -> bool:
    """U + D <= L on each unit of the demand (R12)."""
    usage, limit = job.share.usage, job.share.limit
    for unit, instances in job.demand:
        if usage[unit] + instances > limit[unit]:
            return False
    return True


def within_hard_cap(job: ActiveJob) -> bool:
    """U + D <= M on each unit, and no more than R21 lets ever start (R15)."""
    share = job.share
    return all(
        share.usage[unit] + instances <= share.cap[unit] and instances <= share.largest[unit]
        for unit, instances in job.demand
    )


def has_room(core: Core, job: ActiveJob) -> bool:
    """D <= V on each unit of the demand."""
    for unit, instances in job.demand:
        if instances > available(core, job, unit):
            return False
    return True


def leaves_claims(core: Core, job: ActiveJob, caps: Sequence[int], *, owner: bool) -> bool:
    """R14: whether each claimant gets enough of what was stopping when it claimed, if `job` starts now.

    What began to stop later comes too late for it, even where it is enough for all of them together.
    """
    others = sorted(claimants_before(core, job, owner=owner), key=lambda other: other.claimed_at)
    firsts = (others[: count + 1] for count in range(len(others)))
    return not any(short_units(core, job, caps, coming_for(core, first), first) for first in firsts)


def short_units(
    core: Core, job: ActiveJob, caps: Sequence[int], leaving: Iterable[ActiveJob], claimants: Sequence[ActiveJob]
) -> list[int]:
    """The units on which a job could not start within `caps` (L or M) and V once jobs have left.

    What claimants are to get is not there for it, nor what those in its own share need of the share's caps.
    """
    gone = list(leaving)
    own = [other for other in gone if other.share is job.share]
    share_claims = [other for other in claimants if other.share is job.share]
    short: list[int] = []
    for unit, instances in job.demand:
        used = job.share.usage[unit] - demand_of(own, unit) + demand_of(share_claims, unit)
        if used + instances > caps[unit] or instances > room_without(core, job, gone, claimants, unit):
            short.append(unit)
    return short


def room_without(
    core: Core, job: ActiveJob, leaving: Sequence[ActiveJob], claimants: Sequence[ActiveJob], unit: int
) -> int:
    """V of the job's share on `unit` once `leaving` have released their capacity, less what claimants are to get.

    The shares they leave may then hold back idle capacity that they do not hold back now. What a claimant's
    share holds back counts towards its claim.
    """
    room = available(core, job, unit) + demand_of(leaving, unit)
    for share in {other.share.index: other.share for other in (*leaving, *claimants)}.values():
        claimed = demand_of([other for other in claimants if other.share is share], unit)
        if share is job.share:
            room -= claimed
        else:
            gone = [other for other in leaving if other.share is share]
            room += share.held[unit] - max(_held_without(core, share, gone, unit), claimed)
    return room


def _held_without(core: Core, share: ActiveShare, gone: Sequence[ActiveJob], unit: int) -> int:
    waiting = share.waiting_count > 0 or any(comes_back(job) for job in gone)
    if not keeps_idle(core, share, waiting=waiting):
        return 0
    return max(0, share.limit[unit] - share.usage[unit] + demand_of(gone, unit))


def comes_back(job: ActiveJob) -> bool:
    """Whether a job that is preempted, or being stopped, will wait again (R5)."""
    retries = job.job.preemption_retries
    return job.stop_how is not How.TERMINATED and (retries is None or job.preemptions < retries)
