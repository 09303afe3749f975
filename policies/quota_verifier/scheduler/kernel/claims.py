"""R14: capacity that is being released for a job counts for that job, and for nobody else.

A job that has preempted, or for which enough is being released anyway, claims its whole demand until it starts.
"""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.lanes import before
from quota_verifier.scheduler.kernel.layout import Row


@inlined
def claims(w: Row, job: int) -> bool:
    """Whether a job claims what is being released."""
    return w.claims > 0 and at.rare(w, job).claimed_at > 0


@called
def make_claim(w: Row, head: int) -> None:
    """Mean what is being released now for `head`."""
    w.stops += 1
    at.rare(w, head).claimed_at = w.stops
    at.claims(w, w.claims).value = head
    w.claims += 1


@called
def drop_claim(w: Row, job: int) -> None:
    """End a job's claim, if it has one; what is still being released is then anybody's."""
    if at.rare(w, job).claimed_at == 0:
        return
    at.rare(w, job).claimed_at = 0
    w.claims -= 1
    place = 0
    while at.claims(w, place).value != job:
        place += 1
    for i in range(place, w.claims):
        at.claims(w, i).value = at.claims(w, i + 1).value


@called
def goes_before(w: Row, other: int, job: int, owner: bool) -> bool:
    """Whether a job must leave its capacity to the claimant `other`.

    Of its own share that is who comes before it (R9). Of other shares those within their limit come before those
    that will borrow (R12; `owner` says what the job is), then those that claimed before it, if it claims.
    """
    if at.lanes(w, at.jobs(w, other).lane).share == at.lanes(w, at.jobs(w, job).lane).share:
        return before(w, other, job)
    if owns(w, other) != owner:
        return not owner
    claimed_at = at.rare(w, job).claimed_at
    return claimed_at == 0 or at.rare(w, other).claimed_at < claimed_at


@called
def owns(w: Row, job: int) -> bool:
    """Whether a job fits its share's limit once all has stopped that is stopping, beside earlier claimants."""
    lane = at.lanes(w, at.jobs(w, job).lane)
    for i in range(lane.ask_first, lane.ask_last):
        ask = at.asks(w, i)
        quota = at.quotas(w, lane.quota - lane.unit + ask.unit)
        if quota.usage - quota.stopping + _claimed_before(w, job, ask.unit) + ask.count > quota.limit:
            return False
    return True


@called
def _claimed_before(w: Row, job: int, unit: int) -> int:
    """What claimants of the job's share that come before it (R9) claim of a unit."""
    share = at.lanes(w, at.jobs(w, job).lane).share
    total = 0
    for i in range(w.claims):
        other = at.claims(w, i).value
        lane = at.lanes(w, at.jobs(w, other).lane)
        if other != job and lane.share == share and before(w, other, job):
            for k in range(lane.ask_first, lane.ask_last):
                if at.asks(w, k).unit == unit:
                    total += at.asks(w, k).count
    return total
