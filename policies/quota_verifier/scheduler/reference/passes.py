"""One scheduling pass: R12 own capacity, R13 reclaim, R15 borrowing, R16 in-share preemption, R19 its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.reference.attempts import dispatch, preempt
from quota_verifier.scheduler.reference.capacity import has_room, within_hard_cap, within_own_limit
from quota_verifier.scheduler.reference.claims import drop_claim, make_claim, unclaimed
from quota_verifier.scheduler.reference.order import borrow_key, heads_of, visited
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Core, Phase
from quota_verifier.scheduler.reference.victims import (
    choose_victims,
    helps_in_share,
    helps_reclaim,
    in_share_candidates,
    lacking_to_start,
    reclaim_candidates,
)

PhaseOfPass = Callable[[Core, Sequence[ActiveShare]], bool]
"""Acts on the shares that have waiting jobs, in the order of A2; tells whether it did anything."""


def scheduling_pass(core: Core) -> None:
    """Repeat the phases until none acts.

    A phase runs only when those before it have nothing left to do, so that a share under its limit always
    comes before a borrower, and nobody is evicted for a job that fits without. Raises AssertionError
    above the bound of R19, which would be a fault of this engine.
    """
    if not core.environment.enabled:
        return
    if core.claims:
        _drop_outdated_claims(core)
    phases = (own_capacity, reclaim, borrow, in_share)
    if core.assumptions.means_order == "preempt-first":
        phases = (own_capacity, reclaim, in_share, borrow)
    rounds = 0
    while core.waiting_count and _act(core, phases):
        rounds += 1
        if rounds > 4 * len(core.jobs) + 16:
            raise AssertionError(f"R19: a pass at {core.now} ms did not come to rest")


def _act(core: Core, phases: Sequence[PhaseOfPass]) -> bool:
    """Run the phases in turn until one acts. The order of A2 holds until then: nothing has changed."""
    shares = visited(core)
    for phase in phases:
        if phase(core, shares):
            return True
    return False


def own_capacity(core: Core, shares: Sequence[ActiveShare]) -> bool:
    """R12: while a head fits its share's own limit and what is available, it starts."""
    acted = False
    for share in shares:
        looking = True
        while looking and share.waiting_count:
            looking = False
            for job in heads_of(core, share):
                if within_own_limit(job) and has_room(core, job):
                    dispatch(core, job, Reason.OWN_CAPACITY)
                    acted = looking = True
                    break
    return acted


def reclaim(core: Core, shares: Sequence[ActiveShare]) -> bool:
    """R13: a head that fits its own limit, but not what is available, preempts jobs of shares over theirs."""
    acted = False
    for share in shares:
        for job in list(heads_of(core, share)):
            if not within_own_limit(job) or _is_served(core, job):
                continue
            candidates = reclaim_candidates(core, job)
            lacking = lacking_to_start(core, job, share.limit)
            leaving = unclaimed(core, job)
            victims = choose_victims(core, candidates, leaving, lacking, helps_reclaim)
            if victims is not None:
                _make_way(core, job, leaving, victims, Reason.RECLAIM)
                acted = True
                break
    return acted


def borrow(core: Core, shares: Sequence[ActiveShare]) -> bool:
    """R15: heads of borrowing shares that do not fit their own limit, first in, first out over the queue."""
    borrowers = [share for share in shares if share.share.strategy.borrows]
    acted = False
    looking = bool(borrowers)
    while looking:
        looking = False
        heads = [job for share in borrowers if share.waiting_count for job in heads_of(core, share)]
        if len(heads) > 1:
            heads.sort(key=lambda job: borrow_key(core, job))
        for job in heads:
            if not within_own_limit(job) and within_hard_cap(job) and has_room(core, job):
                dispatch(core, job, Reason.BORROWED_CAPACITY)
                acted = looking = True
                break
    return acted


def in_share(core: Core, shares: Sequence[ActiveShare]) -> bool:
    """R16: a head of a share with in-share preemption takes the place of jobs of lower priority."""
    acted = False
    for share in shares:
        if not share.share.in_share_preemption:
            continue
        caps = share.cap if share.share.strategy.borrows else share.limit
        for job in list(heads_of(core, share)):
            if _is_served(core, job) or not _can_ever_start(job):
                continue
            lacking = lacking_to_start(core, job, caps)
            leaving = unclaimed(core, job)
            victims = choose_victims(core, in_share_candidates(job), leaving, lacking, helps_in_share)
            if victims is not None:
                _make_way(core, job, leaving, victims, Reason.IN_SHARE)
                acted = True
                break
    return acted


def _can_ever_start(job: ActiveJob) -> bool:
    return all(instances <= job.share.largest[unit] for unit, instances in job.demand)


def _startable(core: Core, job: ActiveJob) -> bool:
    """Whether a head would start under R12 or R15 as things are."""
    fits = within_own_limit(job) or (job.share.share.strategy.borrows and within_hard_cap(job))
    return fits and has_room(core, job)


def _is_served(core: Core, job: ActiveJob) -> bool:
    """Whether a head needs nobody evicted: capacity is being released for it (R14), or it fits as it is."""
    return bool(job.claim) or _startable(core, job)


def _make_way(
    core: Core, head: ActiveJob, leaving: Sequence[ActiveJob], victims: Sequence[ActiveJob], reason: Reason
) -> None:
    """Preempt the victims for `head`; it starts at once if they stop at once, else it claims what they release."""
    preempt(core, victims, head, reason)
    coming = [job for job in (*leaving, *victims) if job.phase is Phase.STOPPING]
    if coming:
        make_claim(core, head, coming)
    else:
        own = within_own_limit(head)
        dispatch(core, head, Reason.OWN_CAPACITY if own else Reason.BORROWED_CAPACITY)


def _drop_outdated_claims(core: Core) -> None:
    """A claim ends when its job no longer heads its share, or cannot start with all that was released for it."""
    for job in list(core.claims.values()):
        waits = bool(job.claim) or _startable(core, job)
        if job.phase is not Phase.WAITING or job not in heads_of(core, job.share) or not waits:
            drop_claim(core, job)
