"""R14: capacity that is being released for a job counts for that job, and for nobody else.

A job that has preempted, or for which enough is being released anyway, claims its whole demand until it starts.
Who else wants to start must leave it what it needs, counted as if all had stopped that stopped when it claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quota_verifier.scheduler.reference.state import ActiveJob, Core


def demand_on(job: ActiveJob, unit: int) -> int:
    """Instances of `unit` that the job asks for."""
    for asked, instances in job.demand:
        if asked == unit:
            return instances
    return 0


def demand_of(jobs: Iterable[ActiveJob], unit: int) -> int:
    """Instances of `unit` that jobs ask for together."""
    return sum(demand_on(job, unit) for job in jobs)


def make_claim(core: Core, head: ActiveJob) -> None:
    """Mean what is being released now for `head`."""
    core.stops += 1
    head.claimed_at = core.stops
    core.claims[head.index] = head


def drop_claim(core: Core, job: ActiveJob) -> None:
    """End a job's claim, if it has one; what is still being released is then anybody's."""
    core.claims.pop(job.index, None)


def claimants_before(core: Core, job: ActiveJob, *, owner: bool) -> list[ActiveJob]:
    """The claimants that a job must leave their capacity to.

    Of its own share those that come before it (R9). Of other shares those within their limit before those
    that will borrow (R12; `owner` says what the job is), then those that claimed before it, if it claims.
    """
    claims = job.index in core.claims

    def goes_before(other: ActiveJob) -> bool:
        if other.share is job.share:
            return other.place < job.place
        if owns(core, other) is not owner:
            return not owner
        return not claims or other.claimed_at < job.claimed_at

    return [other for other in core.claims.values() if other is not job and goes_before(other)]


def owns(core: Core, job: ActiveJob) -> bool:
    """Whether a job fits its share's limit once all has stopped that is stopping, beside earlier claimants."""
    share = job.share
    earlier = [other for other in core.claims.values() if other.share is share and other.place < job.place]
    return all(
        share.usage[unit] - share.stopping[unit] + demand_of(earlier, unit) + instances <= share.limit[unit]
        for unit, instances in job.demand
    )


def coming_for(core: Core, claimants: Sequence[ActiveJob]) -> list[ActiveJob]:
    """The stopping jobs that were stopping when the last of the claimants claimed."""
    last = max(job.claimed_at for job in claimants)
    return [job for job in core.stopping.values() if job.stop_order <= last]


def stopping_in(core: Core, jobs: Iterable[ActiveJob]) -> list[ActiveJob]:
    """Those that stop in the shares of some jobs."""
    shares = {job.share.index for job in jobs}
    return [other for other in core.stopping.values() if other.share.index in shares]
