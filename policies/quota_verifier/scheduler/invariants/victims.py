"""I4, I5 and I6 for the victims of one preemptor at one instant; each takes the state just before them."""

from __future__ import annotations

from collections.abc import Sequence

from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.invariants.claims import Claims, coming
from quota_verifier.scheduler.invariants.room import Reach, could_start, heads_of, over_limit, within
from quota_verifier.scheduler.invariants.violation import Findings
from quota_verifier.scheduler.replay import JobNow, Replay

Victims = Sequence[JobNow]
"""In the order of their events: the order in which they were chosen."""


def within_limit_untouchable(state: Replay, head: JobNow, victims: Victims) -> Findings:
    """I4: a job within its share's limit is never preempted across shares, and only for one within its own (R13)."""
    for chosen, job in enumerate(victims):
        share = state.share_of(job).name
        if job.share == head.share:
            yield f"{job.job.id} was reclaimed for {head.job.id} of its own share {share}"
            continue
        contested = [unit for unit, _ in job.demand if head.needs(unit)]
        if not any(over_limit(state, job.share, unit, victims[:chosen]) > 0 for unit in contested):
            yield f"{job.job.id} was reclaimed for {head.job.id}, but its share {share} was within its limit"
    if not within(state, head, Reach.OWN):
        yield f"{head.job.id} reclaimed capacity that would bring its share above its own limit"


def in_share_victims_rank_lower(state: Replay, head: JobNow, victims: Victims) -> Findings:
    """I5: in-share victims have strictly lower priority, are of the same share, and its setting is on (R16)."""
    if not state.share_of(head).in_share_preemption:
        yield f"{head.job.id} preempted in {state.share_of(head).name}, whose in-share preemption is off"
    for job in victims:
        if job.share != head.share:
            yield f"{job.job.id} is no job of {head.job.id}'s share"
        if job.priority >= head.priority:
            yield f"{job.job.id} has priority {job.priority}, not below the {head.priority} of {head.job.id}"


def nobody_in_vain(state: Replay, claims: Claims, head: JobNow, victims: Victims, reason: Reason) -> Findings:
    """I6, first half: with all the victims gone, the preemptor can start."""
    owner = reason is Reason.RECLAIM
    claimants = claims.certainly_ahead_of(state, head, owner=owner)
    if not _fits(state, head, victims, claimants, Reach.OWN if owner else Reach.HARD):
        names = ", ".join(job.job.id for job in victims)
        yield f"{names} preempted for {head.job.id}, which cannot start all the same"


def nobody_too_many(state: Replay, claims: Claims, head: JobNow, victims: Victims, reason: Reason) -> Findings:
    """I6, second half: without any one victim the preemptor would not fit.

    What is being released already counts, unless other heads may be waiting for it. Where preemption in
    the share comes before borrowing (A9), fitting by borrowing more than now counts only if nothing else helps;
    where an owner waits, who would reclaim it, it does not count (R12).
    """
    owner = reason is Reason.RECLAIM
    known = claims.ahead_of(state, head, owner=owner)
    claimants = [*known, *claims.possible(state, head)]
    reach = Reach.OWN if owner else Reach.HARD
    modest = state.assumptions.means_order == "preempt-first" or _owner_waits(state, claims, head)
    if not owner and modest and _fits(state, head, victims, known, Reach.HELD):
        reach = Reach.HELD
    for spared in victims:
        rest = [job for job in victims if job is not spared]
        if _fits(state, head, rest, claimants, reach):
            yield f"{spared.job.id} was preempted for {head.job.id}, which would have fitted without"


def _owner_waits(state: Replay, claims: Claims, head: JobNow) -> bool:
    """Whether a head of another share waits for one of the job's units within its share's limit, and in vain so far."""
    return any(
        other.index not in claims.jobs
        and within(state, other, Reach.OWN)
        and any(head.needs(unit) for unit, _ in other.demand)
        for share in range(len(state.usage))
        if share != head.share
        for other in heads_of(state, share)
    )


def _fits(state: Replay, head: JobNow, gone: Victims, claimants: Victims, reach: Reach) -> bool:
    return could_start(state, head, leaving=[*coming(state), *gone], claimants=claimants, reach=reach)
