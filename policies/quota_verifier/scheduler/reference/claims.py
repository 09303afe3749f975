"""R14: capacity that is being released for a job counts for that job, and for nobody else."""

from __future__ import annotations

from collections.abc import Sequence

from quota_verifier.scheduler.reference.state import ActiveJob, Core


def demand_on(job: ActiveJob, unit: int) -> int:
    """Instances of `unit` that the job asks for."""
    for asked, instances in job.demand:
        if asked == unit:
            return instances
    return 0


def claimed_by_others(core: Core, job: ActiveJob, unit: int) -> int:
    """Capacity of `unit` that is kept for preemptors other than `job`.

    A claim keeps what its preemptor needs, less what is still being released for it.
    """
    kept = 0
    for other in core.claims.values():
        if other is not job and other.claim is not None:
            coming = sum(demand_on(victim, unit) for victim in other.claim)
            kept += max(0, demand_on(other, unit) - coming)
    return kept


def unclaimed(core: Core, head: ActiveJob) -> list[ActiveJob]:
    """Stopping jobs on the head's units whose capacity is not yet meant for anybody."""
    return [
        job
        for job in core.stopping.values()
        if job.released_for is None and any(demand_on(head, unit) for unit, _ in job.demand)
    ]


def make_claim(core: Core, head: ActiveJob, coming: Sequence[ActiveJob]) -> None:
    """Mean the capacity of the stopping jobs in `coming` for `head`."""
    head.claim = list(coming)
    core.claims[head.index] = head
    for job in coming:
        job.released_for = head


def settle_claim(job: ActiveJob) -> None:
    """A stopping job has released its capacity: the claim on it no longer waits for it."""
    head = job.released_for
    if head is not None and head.claim is not None:
        head.claim.remove(job)
    job.released_for = None


def drop_claim(core: Core, job: ActiveJob) -> None:
    """End a job's claim; what is still being released is then anybody's."""
    if core.claims.pop(job.index, None) is not None:
        for victim in job.claim or ():
            victim.released_for = None
        job.claim = None
