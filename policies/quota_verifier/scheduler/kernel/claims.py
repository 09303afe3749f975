"""R14: capacity that is being released for a job counts for that job, and for nobody else."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.capacity import kept_for, kept_of_limit_for
from quota_verifier.scheduler.kernel.compiled import called
from quota_verifier.scheduler.kernel.layout import STOPPING, Row


@called
def make_claim(w: Row, head: int, leaving: int, victims: int) -> int:
    """Mean the capacity of the stopping jobs for `head`: `leaving` unclaimed ones and those among the victims.

    They stand in `taken`. Tells how many there are; without any there is no claim.
    """
    coming = 0
    for i in range(victims + leaving):
        coming += int(at.jobs(w, at.taken(w, i).value).phase == STOPPING)
    if coming == 0:
        return 0
    if at.rare(w, head).claim:
        _set_kept(w, head, -1)
    else:
        at.claims(w, w.claims).value = head
        w.claims += 1
    at.rare(w, head).claim = 1 + coming
    for k in range(head * w.width, (head + 1) * w.width):
        at.coming(w, k).all = 0
        at.coming(w, k).own = 0
    for i in range(victims + leaving):
        job = at.taken(w, i).value
        if at.jobs(w, job).phase == STOPPING:
            at.rare(w, job).released_for = 1 + head
            _add_coming(w, head, job, 1)
    _set_kept(w, head, 1)
    return coming


@called
def settle_claim(w: Row, job: int) -> None:
    """A stopping job has released its capacity: the claim on it no longer waits for it."""
    head = at.rare(w, job).released_for - 1
    at.rare(w, job).released_for = 0
    if head >= 0 and at.rare(w, head).claim:
        at.rare(w, head).claim -= 1
        _set_kept(w, head, -1)
        _add_coming(w, head, job, -1)
        _set_kept(w, head, 1)


@called
def drop_claim(w: Row, head: int) -> None:
    """End a job's claim, if it has one; what is still being released is then anybody's."""
    if at.rare(w, head).claim == 0:
        return
    _set_kept(w, head, -1)
    at.rare(w, head).claim = 0
    for i in range(w.stopping):
        job = at.stopping(w, i).value
        if at.rare(w, job).released_for == 1 + head:
            at.rare(w, job).released_for = 0
    w.claims -= 1
    place = 0
    while at.claims(w, place).value != head:
        place += 1
    for i in range(place, w.claims):
        at.claims(w, i).value = at.claims(w, i + 1).value


@called
def _set_kept(w: Row, head: int, sign: int) -> None:
    """Count what the claim of `head` keeps on each of its units, or count it no more."""
    lane = at.lanes(w, at.jobs(w, head).lane)
    for i in range(lane.ask_first, lane.ask_last):
        unit = at.asks(w, i).unit
        at.units(w, unit).claimed += sign * kept_for(w, head, i)
        at.quotas(w, lane.quota - lane.unit + unit).claimed += sign * kept_of_limit_for(w, head, i)


@called
def _add_coming(w: Row, head: int, job: int, sign: int) -> None:
    lane, other = at.lanes(w, at.jobs(w, head).lane), at.lanes(w, at.jobs(w, job).lane)
    for i in range(lane.ask_first, lane.ask_last):
        for k in range(other.ask_first, other.ask_last):
            if at.asks(w, i).unit == at.asks(w, k).unit:
                coming = at.coming(w, head * w.width + i - lane.ask_first)
                coming.all += sign * at.asks(w, k).count
                if lane.share == other.share:
                    coming.own += sign * at.asks(w, k).count
