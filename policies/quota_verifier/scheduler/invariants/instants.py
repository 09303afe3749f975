"""I10, when all events of an instant have happened."""

from __future__ import annotations

from quota_verifier.scheduler.invariants.claims import Claims, coming
from quota_verifier.scheduler.invariants.room import Reach, could_start, has_room, heads_of, within
from quota_verifier.scheduler.invariants.violation import Findings
from quota_verifier.scheduler.replay import JobNow, Replay


def owners_do_not_wait(state: Replay, claims: Claims) -> Findings:
    """I10: a head that fits its share's limit does not wait, unless capacity is being released for it.

    Only where the limits on its units sum to at most the environment, and the environment is enabled.
    """
    if not state.environment.enabled:
        return
    for share in range(len(state.usage)):
        for head in heads_of(state, share):
            if _is_promised(state, head) and _is_entitled(state, claims, head):
                yield from _waits_in_vain(state, claims, head)


def _is_promised(state: Replay, head: JobNow) -> bool:
    return all(state.queue.promised(unit) <= state.environment.limit(unit) for unit, _ in head.demand)


def _is_entitled(state: Replay, claims: Claims, head: JobNow) -> bool:
    """Whether a head fits its share's limit, beside those of its share that are to start before it."""
    claimants = [*claims.ahead_of(state, head, owner=True), *claims.possible(state, head)]
    earlier = [job for job in claimants if job.share == head.share and job.place < head.place]
    later = within(state, head, Reach.OWN, leaving=coming(state), claimants=earlier)
    return later and within(state, head, Reach.OWN)


def _waits_in_vain(state: Replay, claims: Claims, head: JobNow) -> Findings:
    name, share = head.job.id, state.share_of(head).name
    ahead = claims.certainly_ahead_of(state, head, owner=True)
    if has_room(state, head) and not _harms(state, claims, head):
        yield f"{name} waits, although it fits the limit of {share} and what is available"
    elif not could_start(state, head, leaving=coming(state), claimants=ahead, reach=Reach.OWN):
        yield f"{name} waits although it fits the limit of {share}, and nothing is being released for it"


def _harms(state: Replay, claims: Claims, head: JobNow) -> bool:
    """Whether starting the head would take what others wait for (R14)."""
    known = claims.ahead_of(state, head, owner=True)
    return any(not claims.starts_in_time(state, other, joining=[head]) for other in known) or any(
        _may_harm(state, claims, head, other) for other in claims.possible(state, head)
    )


def _may_harm(state: Replay, claims: Claims, head: JobNow, other: JobNow) -> bool:
    """Whether the head would take what a possible claimant waits for, whenever that claimed."""
    ahead = claims.ahead_of(state, other, owner=claims.owns(state, other))
    leaving = list(coming(state))
    firsts = (leaving[:count] for count in range(len(leaving) + 1))
    return any(
        could_start(state, other, leaving=first, claimants=ahead)
        and not could_start(state, other, leaving=first, joining=[head], claimants=ahead)
        for first in firsts
    )
