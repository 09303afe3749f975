"""One scheduling pass: R12 own capacity, R13 reclaim, R15 borrowing, R16 in-share preemption, R19 its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.reference.attempts import dispatch, preempt
from quota_verifier.scheduler.reference.capacity import (
    has_room,
    leaves_claims,
    short_units,
    within_hard_cap,
    within_own_limit,
)
from quota_verifier.scheduler.reference.claims import (
    claimants_before,
    drop_claim,
    make_claim,
    owns,
    stopping_in,
)
from quota_verifier.scheduler.reference.order import borrow_key, heads_of, note_heads, visited
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Core, Phase
from quota_verifier.scheduler.reference.victims import (
    choose_victims,
    helps_in_share,
    helps_reclaim,
    in_share_candidates,
    lacking_to_start,
    last_needless,
    reclaim_candidates,
)

PhaseOfPass = Callable[[Core, Sequence[ActiveShare]], bool]
"""Acts on the shares that have waiting jobs, in the order of A2; tells whether it did anything."""


def scheduling_pass(core: Core) -> None:
    """Repeat the phases until none acts.

    A phase runs only when those before it have nothing left to do, and each eviction begins again with the
    first, so that a share under its limit always comes before a borrower, and nobody is evicted for a job that
    fits without. Raises AssertionError above the bounds of R19, on one pass and on passes between which no job
    gets on; that would be a fault of this engine.
    """
    if not core.environment.enabled:
        note_heads(core)
        return
    phases = (own_capacity, reclaim, borrow, in_share)
    if core.assumptions.means_order == "preempt-first":
        phases = (own_capacity, reclaim, in_share, borrow)
    rounds = 0
    while core.waiting_count and _act(core, phases):
        rounds += 1
        if rounds > 4 * len(core.jobs) + 16:
            raise AssertionError(f"R19: a pass at {core.now} ms did not come to rest")
    if core.in_vain > 4 * len(core.jobs) + 16:
        raise AssertionError(f"R19: jobs preempt each other in a circle by {core.now} ms")


def _act(core: Core, phases: Sequence[PhaseOfPass]) -> bool:
    """Run the phases in turn until one acts. The order of A2 holds until then: nothing has changed."""
    if core.claims:
        _drop_outdated_claims(core)
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
                if _starts_within_limit(core, job):
                    dispatch(core, job, Reason.OWN_CAPACITY)
                    acted = looking = True
                    break
    return acted


def reclaim(core: Core, shares: Sequence[ActiveShare]) -> bool:
    """R13: a head that fits its own limit, but not what is available, preempts jobs of shares over theirs."""
    for share in shares:
        for job in list(heads_of(core, share)):
            if not within_own_limit(job) or _is_served(core, job):
                continue
            lacking = lacking_to_start(core, job, share.limit, owner=True)
            leaving = list(core.stopping.values())
            victims = choose_victims(core, reclaim_candidates(core, job), leaving, lacking, helps_reclaim)
            if victims is not None:
                _make_way(core, job, victims, Reason.RECLAIM)
                return True
    return False


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
            if _starts_by_borrowing(core, job) and not _waits_for_its_victims(core, job):
                dispatch(core, job, Reason.BORROWED_CAPACITY)
                acted = looking = True
                break
    return acted


def in_share(core: Core, shares: Sequence[ActiveShare]) -> bool:
    """R16: a head of a share with in-share preemption takes the place of jobs of lower priority."""
    for share in shares:
        if not share.share.in_share_preemption:
            continue
        for job in list(heads_of(core, share)):
            if job.index in core.claims or not _can_ever_start(job):
                continue
            victims = _victims_in_share(core, job)
            if victims is not None:
                _make_way(core, job, victims, Reason.IN_SHARE)
                return True
    return False


def _victims_in_share(core: Core, job: ActiveJob) -> list[ActiveJob] | None:
    """Jobs of the head's own share to preempt for it, or None where it fits without, or none are enough.

    It counts only on what is free and on what its own share and those of claimants before it release: what others
    release may go back to a share within its limit, before anybody can borrow it (R12), and the victims would have
    stopped in vain. Nor does it evict anybody whom it would not need if it got that as well.
    """
    for caps in _caps_in_share(core, job):
        lacking = lacking_to_start(core, job, caps, owner=False)
        if not lacking(()):
            return None
        counted = stopping_in(core, (job, *claimants_before(core, job, owner=False)))
        victims = choose_victims(core, in_share_candidates(job), counted, lacking, helps_in_share)
        if victims is not None:
            return victims if last_needless(victims, list(core.stopping.values()), lacking) is None else None
    return None


def _caps_in_share(core: Core, job: ActiveJob) -> list[list[int]]:
    """How far the share may go with the head, in the order in which to try it.

    Up to its hard cap; but not beyond what it holds while an owner waits, who would reclaim it (R12). Where
    preemption comes before borrowing (A9), borrowing more than now is the last resort.
    """
    share = job.share
    held = [
        min(cap, max(limit, used - leaving))
        for cap, limit, used, leaving in zip(share.cap, share.limit, share.usage, share.stopping, strict=True)
    ]
    if _owner_waits(core, job):
        return [held]
    return [held, share.cap] if core.assumptions.means_order == "preempt-first" else [share.cap]


def _owner_waits(core: Core, job: ActiveJob) -> bool:
    """Whether a head of another share waits for one of the job's units within its share's limit, and in vain so far."""
    units = {unit for unit, _ in job.demand}
    return any(
        head.index not in core.claims and within_own_limit(head) and any(unit in units for unit, _ in head.demand)
        for share in core.shares
        if share is not job.share and share.waiting_count
        for head in heads_of(core, share)
    )


def _can_ever_start(job: ActiveJob) -> bool:
    return all(instances <= job.share.largest[unit] for unit, instances in job.demand)


def _starts_within_limit(core: Core, job: ActiveJob) -> bool:
    """R12 for one head."""
    if not (within_own_limit(job) and has_room(core, job)):
        return False
    return not core.claims or leaves_claims(core, job, job.share.limit, owner=True)


def _starts_by_borrowing(core: Core, job: ActiveJob) -> bool:
    """R15 for one head."""
    if within_own_limit(job) or not (within_hard_cap(job) and has_room(core, job)):
        return False
    return not core.claims or leaves_claims(core, job, job.share.cap, owner=False)


def _is_served(core: Core, job: ActiveJob) -> bool:
    """Whether a head needs nobody evicted: capacity is being released for it (R14), or it fits as it is."""
    if job.index in core.claims or _starts_within_limit(core, job):
        return True
    return job.share.share.strategy.borrows and _starts_by_borrowing(core, job)


def _waits_for_its_victims(core: Core, job: ActiveJob) -> bool:
    """Whether a head has preempted so as not to borrow (A9), and its victims are still stopping."""
    if core.assumptions.means_order != "preempt-first" or job.index not in core.claims:
        return False
    return any(other.share is job.share and other.stop_order <= job.claimed_at for other in core.stopping.values())


def _make_way(core: Core, head: ActiveJob, victims: Sequence[ActiveJob], reason: Reason) -> None:
    """Preempt the victims for `head`; it starts at once if they stop at once, else it claims what is released.

    A claim on what is being released anyway takes no victims and is no event.
    """
    preempt(core, victims, head, reason)
    if any(job.phase is Phase.STOPPING for job in victims) or not _is_served(core, head):
        make_claim(core, head)
        return
    own = within_own_limit(head)
    dispatch(core, head, Reason.OWN_CAPACITY if own else Reason.BORROWED_CAPACITY)


def _drop_outdated_claims(core: Core) -> None:
    """A claim ends when its job no longer heads its share, or could not start with all that is being released."""
    for job in list(core.claims.values()):
        heads = job.phase is Phase.WAITING and job in heads_of(core, job.share)
        if not heads or not _can_start_at_last(core, job):
            drop_claim(core, job)


def _can_start_at_last(core: Core, job: ActiveJob) -> bool:
    owner = owns(core, job)
    claimants = claimants_before(core, job, owner=owner)
    short = short_units(core, job, job.share.cap, core.stopping.values(), claimants)
    return not short and (owner or _can_ever_start(job))
