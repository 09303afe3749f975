"""R17 and A7: which jobs are preempted so that a waiting one can start.

AWS names what it weighs (number and type of instances borrowed, relative priorities, duration) and calls
the rest a custom heuristic; A7 lists the orders that are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop

from quota_verifier.scheduler.reference.attempts import kept_if_stopped, progress
from quota_verifier.scheduler.reference.capacity import short_units
from quota_verifier.scheduler.reference.claims import claimants_before, demand_of, demand_on
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Core

Helps = Callable[[ActiveJob, Sequence[int], Sequence[ActiveJob]], bool]
"""Whether a candidate may be taken for these contested units, after the victims already chosen."""

Lacking = Callable[[Sequence[ActiveJob]], list[int]]
"""The unit indexes that the preemptor would still lack once these jobs have left."""


def choose_victims(
    core: Core, candidates: Sequence[ActiveJob], leaving: Sequence[ActiveJob], lacking: Lacking, helps: Helps
) -> list[ActiveJob] | None:
    """The victims to add to the jobs that are `leaving`, or None where no set of candidates is enough (R17).

    Takes candidates in the order of A7 until nothing is lacking; then drops, from the last-ranked taken
    back to the first, every victim that turned out not to be needed.
    """
    contested = lacking(leaving)
    ranked = [(*victim_rank(core, job, contested), job) for job in candidates]
    heapify(ranked)
    taken: list[ActiveJob] = []
    missing = contested
    while missing and ranked:
        job = heappop(ranked)[-1]
        if helps(job, missing, taken):
            taken.append(job)
            missing = lacking([*leaving, *taken])
    if missing:
        return None
    while (needless := last_needless(taken, leaving, lacking)) is not None:
        taken.remove(needless)
    return taken


def last_needless(taken: Sequence[ActiveJob], leaving: Sequence[ActiveJob], lacking: Lacking) -> ActiveJob | None:
    """The last of the victims taken without which nothing would be lacking either, if there is one (I6).

    One that was needed may be needed no more once another is spared: the shares of both may hold capacity back (A5).
    """
    for job in reversed(taken):
        if not lacking([*leaving, *(other for other in taken if other is not job)]):
            return job
    return None


def victim_rank(core: Core, job: ActiveJob, contested: Sequence[int]) -> tuple[int, int, int]:
    """The place of a candidate in the order of A7; the lowest rank is preempted first.

    The dispatch sequence is the last tie-break: no two jobs share it.
    """
    latest = -job.sequence
    match core.assumptions.victim_order:
        case "priority":
            return (job.priority, latest, 0)
        case "latest":
            return (latest, 0, 0)
        case "oldest":
            return (job.sequence, 0, 0)
        case "most-borrowed":
            return (-_borrowed(job, contested), latest, 0)
        case "least-work-lost":
            lost = progress(job, core.now) - kept_if_stopped(job, core.now)
            return (lost * sum(n for _, n in job.demand), latest, 0)
        case "smallest":
            return (sum(n for unit, n in job.demand if unit in contested), latest, 0)


def _borrowed(job: ActiveJob, contested: Sequence[int]) -> int:
    """The job's instances above its share's limit, counted from the latest dispatched back."""
    total = 0
    for unit, instances in job.demand:
        if unit in contested:
            later = sum(demand_on(other, unit) for other in job.share.placed.values() if other.sequence > job.sequence)
            over = job.share.usage[unit] - job.share.stopping[unit] - job.share.limit[unit] - later
            total += max(0, min(instances, over))
    return total


def over_limit(share: ActiveShare, unit: int, taken: Sequence[ActiveJob]) -> bool:
    """X > 0, counted after the jobs that are stopping and the victims already chosen (R13)."""
    leaving = demand_of((job for job in taken if job.share is share), unit)
    return share.usage[unit] - share.stopping[unit] - leaving > share.limit[unit]


def reclaim_candidates(core: Core, head: ActiveJob) -> list[ActiveJob]:
    """Jobs of OTHER shares that are over their limit on a unit of the head's demand (R13)."""
    units = [unit for unit, _ in head.demand]
    return [
        job
        for share in core.shares
        if share is not head.share and any(over_limit(share, unit, ()) for unit in units)
        for job in share.placed.values()
        if any(unit in units for unit, _ in job.demand)
    ]


def helps_reclaim(job: ActiveJob, missing: Sequence[int], taken: Sequence[ActiveJob]) -> bool:
    """A candidate counts on a missing unit while its share is over its limit there (R13, I4)."""
    return any(unit in missing and over_limit(job.share, unit, taken) for unit, _ in job.demand)


def in_share_candidates(head: ActiveJob) -> list[ActiveJob]:
    """Jobs of the SAME share with strictly lower priority (R16, I5)."""
    return [job for job in head.share.placed.values() if job.priority < head.priority]


def helps_in_share(job: ActiveJob, missing: Sequence[int], taken: Sequence[ActiveJob]) -> bool:
    """Any instance of a missing unit helps: the share's own usage falls with it (R16)."""
    return any(unit in missing for unit, _ in job.demand)


def lacking_to_start(core: Core, head: ActiveJob, caps: Sequence[int], *, owner: bool) -> Lacking:
    """A function that names the units on which `head` could not start within `caps` (L or M) and V."""
    claimants = claimants_before(core, head, owner=owner)

    def lacking(leaving: Sequence[ActiveJob]) -> list[int]:
        return short_units(core, head, caps, leaving, claimants)

    return lacking
