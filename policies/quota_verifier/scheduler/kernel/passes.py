"""One scheduling pass: R12 own capacity, R13 reclaim, R15 borrowing, R16 in-share preemption, R19 its end."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.attempts import dispatch, note, record, stop
from quota_verifier.scheduler.kernel.capacity import has_room, within_hard_cap, within_own_limit
from quota_verifier.scheduler.kernel.claims import claims, drop_claim, make_claim, owns
from quota_verifier.scheduler.kernel.compiled import called, inlined, merged
from quota_verifier.scheduler.kernel.lanes import is_head, look
from quota_verifier.scheduler.kernel.layout import NOWHERE, STOPPING, WAITING, Row
from quota_verifier.scheduler.kernel.search import (
    HARD_CAP,
    HELD_NOW,
    OWN_LIMIT,
    count_all_stopping,
    count_stopping,
    find_lacking,
    leaves_claims,
    start_search,
)
from quota_verifier.scheduler.kernel.shares_order import borrows_since, visit
from quota_verifier.scheduler.kernel.victims import NONE_IS_ENOUGH, choose_victims, last_needless

AT_REST, NEEDS_ROOM, RESTLESS = range(3)
"""How a pass is left; with NEEDS_ROOM it goes on once the tables of records have grown."""


@merged
def scheduling_pass(w: Row) -> int:
    """Repeat the phases until none acts; see the reference for why they stand in this order."""
    if not w.environment_enabled:
        _note_heads(w)
        return AT_REST
    while w.waiting:
        if not has_record_room(w, w.waiting + 4 * (w.placed + w.active), w.waiting):
            return NEEDS_ROOM
        if not _act(w):
            break
        w.rounds += 1
        if w.rounds > 4 * w.job_count + 16:
            return RESTLESS
    w.rounds = 0
    return RESTLESS if w.in_vain > 4 * w.job_count + 16 else AT_REST


@called
def _note_heads(w: Row) -> None:
    """Let the heads be known from now on (A3), although nothing is placed."""
    for i in range(w.active):
        look(w, at.active(w, i).value)


@inlined
def has_record_room(w: Row, events: int, spans: int) -> bool:
    """Whether so many more records fit, and a few."""
    return (
        w.events + events + 8 <= w.event_room
        and w.notes + events + 8 <= w.note_room
        and w.rows + spans + 8 <= w.span_room
    )


_STARTS, _RECLAIMS, _BORROWS = 1, 2, 4


@merged
def _act(w: Row) -> bool:
    """Run the phases in turn until one acts. A survey of the heads tells which of them have anything to do."""
    if w.claims:
        _drop_outdated_claims(w)
    found, starters, starter = 0, 0, NOWHERE
    for i in range(w.active):
        row = at.active(w, i).value
        look(w, row)
        prospects = _survey(w, row)
        found |= prospects
        if prospects & _STARTS:
            starters += 1
            starter = row
    if starters:
        _own_capacity(w, starters, starter)
        return True
    if found & _RECLAIMS and _reclaim(w):
        return True
    in_share = w.in_share_count > 0 and (w.levels > 1 or w.stopping > 0)
    if in_share and w.preempt_first and _in_share(w):
        return True
    if found & _BORROWS and _borrow(w):
        return True
    return in_share and not w.preempt_first and _in_share(w)


@inlined
def _survey(w: Row, share_row: int) -> int:
    """What the heads of a share might do: start (R12), reclaim (R13) or borrow (R15)."""
    share = at.shares(w, share_row)
    found = 0
    for h in range(share.lane_first, share.lane_first + share.heads):
        job = at.heads(w, h).value
        if within_own_limit(w, job):
            if has_room(w, job) and leaves_enough(w, job, OWN_LIMIT, True):
                return _STARTS
            if _may_reclaim(w, job):
                found |= _RECLAIMS
        elif share.borrows and _borrows_now(w, job):
            found |= _BORROWS
    return found


@inlined
def leaves_enough(w: Row, job: int, bound: int, owner: bool) -> bool:
    """Whether a job may start as far as claims go (R14)."""
    return w.claims == 0 or leaves_claims(w, job, bound, owner)


@inlined
def _starts_within_limit(w: Row, job: int) -> bool:
    """R12 for one head."""
    return within_own_limit(w, job) and has_room(w, job) and leaves_enough(w, job, OWN_LIMIT, True)


@inlined
def _starts_by_borrowing(w: Row, job: int) -> bool:
    """R15 for one head of a share that borrows."""
    return (
        not within_own_limit(w, job)
        and within_hard_cap(w, job)
        and has_room(w, job)
        and leaves_enough(w, job, HARD_CAP, False)
    )


@inlined
def _borrows_now(w: Row, job: int) -> bool:
    return _starts_by_borrowing(w, job) and not (w.preempt_first and _waits_for_its_victims(w, job))


@called
def _waits_for_its_victims(w: Row, job: int) -> bool:
    """Whether a head has preempted so as not to borrow (A9), and its victims are still stopping."""
    if not claims(w, job):
        return False
    share = at.lanes(w, at.jobs(w, job).lane).share
    for i in range(w.stopping):
        other = at.stopping(w, i).value
        if (
            at.lanes(w, at.jobs(w, other).lane).share == share
            and at.rare(w, other).stop_order <= at.rare(w, job).claimed_at
        ):
            return True
    return False


@inlined
def _may_reclaim(w: Row, job: int) -> bool:
    """Whether a search may find victims for a job that fits its own limit, which then is over its limit on no unit."""
    if claims(w, job):
        return False
    if w.stopping:
        return True
    lane = at.lanes(w, at.jobs(w, job).lane)
    for i in range(lane.ask_first, lane.ask_last):
        if at.units(w, at.asks(w, i).unit).over:
            return True
    return False


@merged
def _own_capacity(w: Row, starters: int, starter: int) -> None:
    """R12: while a head fits its share's own limit and what is available, it starts.

    A start leaves no more to other shares than before, claims and A5's hold aside: one starter needs no order.
    """
    count = 1
    if starters == 1 and not w.hold and w.claims == 0:
        at.order(w, 0).value = starter
    else:
        count = visit(w)
    for i in range(count):
        row = at.order(w, i).value
        share = at.shares(w, row)
        while share.waiting:
            look(w, row)
            found = NOWHERE
            for h in range(share.lane_first, share.lane_first + share.heads):
                job = at.heads(w, h).value
                if _starts_within_limit(w, job):
                    found = job
                    break
            if found < 0:
                break
            dispatch(w, found, codes.OWN_CAPACITY)


@merged
def _reclaim(w: Row) -> bool:
    """R13: a head that fits its own limit, but not what is available, preempts jobs of shares over theirs."""
    count = visit(w)
    for i in range(count):
        row = at.order(w, i).value
        look(w, row)
        share = at.shares(w, row)
        for h in range(share.lane_first, share.lane_first + share.heads):
            job = at.heads(w, h).value
            if (
                within_own_limit(w, job)
                and _may_reclaim(w, job)
                and not (has_room(w, job) and leaves_enough(w, job, OWN_LIMIT, True))
                and _evict_others(w, job)
            ):
                return True
    return False


@merged
def _evict_others(w: Row, job: int) -> bool:
    start_search(w, job, True)
    return _evict(w, job, OWN_LIMIT, False) == ACTED


@merged
def _borrow(w: Row) -> bool:
    """R15: heads of borrowing shares that do not fit their own limit, first in, first out over the queue."""
    acted = False
    while True:
        best = NOWHERE
        for i in range(w.active):
            row = at.active(w, i).value
            share = at.shares(w, row)
            if share.borrows:
                look(w, row)
                for h in range(share.lane_first, share.lane_first + share.heads):
                    job = at.heads(w, h).value
                    if _borrows_now(w, job) and (best < 0 or _borrows_before(w, job, best)):
                        best = job
        if best < 0:
            return acted
        dispatch(w, best, codes.BORROWED_CAPACITY)
        acted = True


@inlined
def _borrows_before(w: Row, one: int, other: int) -> bool:
    since, other_since = borrows_since(w, one), borrows_since(w, other)
    if since != other_since:
        return since < other_since
    share, other_share = at.lanes(w, at.jobs(w, one).lane).share, at.lanes(w, at.jobs(w, other).lane).share
    return share < other_share or (share == other_share and one < other)


@called
def _in_share(w: Row) -> bool:
    """R16: a head of a share with in-share preemption takes the place of jobs of lower priority."""
    count = visit(w)
    for i in range(count):
        row = at.order(w, i).value
        if at.shares(w, row).in_share and _preempt_in_share(w, row):
            return True
    return False


@merged
def _preempt_in_share(w: Row, share_row: int) -> bool:
    look(w, share_row)
    share = at.shares(w, share_row)
    for h in range(share.lane_first, share.lane_first + share.heads):
        job = at.heads(w, h).value
        if at.lanes(w, at.jobs(w, job).lane).fits_ever and not claims(w, job):
            # what it holds now comes first where preemption comes before borrowing (A9), and last where an owner waits
            owner_waits = _owner_waits(w, job)
            first = HELD_NOW if w.preempt_first or owner_waits else HARD_CAP
            last = HELD_NOW if owner_waits else HARD_CAP
            for bound in range(first, last + 1):
                start_search(w, job, False)
                if find_lacking(w, job, bound) == 0:
                    break
                found = _evict(w, job, bound, True)
                if found == ACTED:
                    return True
                if found == NEEDLESS:
                    break
    return False


@called
def _owner_waits(w: Row, job: int) -> bool:
    """Whether a head of another share waits for one of the job's units within its share's limit, and in vain so far."""
    own = at.lanes(w, at.jobs(w, job).lane).share
    for i in range(w.active):
        row = at.active(w, i).value
        if row != own:
            look(w, row)
            share = at.shares(w, row)
            for h in range(share.lane_first, share.lane_first + share.heads):
                head = at.heads(w, h).value
                if not claims(w, head) and within_own_limit(w, head) and _share_a_unit(w, head, job):
                    return True
    return False


@inlined
def _share_a_unit(w: Row, one: int, other: int) -> bool:
    lane, other_lane = at.lanes(w, at.jobs(w, one).lane), at.lanes(w, at.jobs(w, other).lane)
    for i in range(lane.ask_first, lane.ask_last):
        for k in range(other_lane.ask_first, other_lane.ask_last):
            if at.asks(w, i).unit == at.asks(w, k).unit:
                return True
    return False


NOBODY_HELPS, NEEDLESS, ACTED = range(3)
"""What came of a search for victims; NEEDLESS where what others release would spare one."""


@called
def _evict(w: Row, head: int, bound: int, in_share: bool) -> int:
    """Preempt the victims for `head`; it starts at once if they stop at once, else it claims what is released.

    A claim on what is being released anyway takes no victims and is no event. A search must have been started.
    """
    if in_share:
        count_stopping(w, head, True)
    else:
        count_all_stopping(w, head)
    victims = choose_victims(w, head, bound, in_share)
    if victims == NONE_IS_ENOUGH:
        return NOBODY_HELPS
    if in_share:
        count_stopping(w, head, False)
        if last_needless(w, head, bound, victims) >= 0:
            return NEEDLESS
    w.in_vain += victims
    reason = codes.IN_SHARE if in_share else codes.RECLAIM
    how = codes.HOW_IN_SHARE if in_share else codes.HOW_CROSS_SHARE
    for i in range(victims):
        record(w, codes.PREEMPTED, at.taken(w, i).value, reason)
        note(w, head, 0)
    stopping = 0
    for i in range(victims):
        stop(w, at.taken(w, i).value, how, head)
        stopping += int(at.jobs(w, at.taken(w, i).value).phase == STOPPING)
    if stopping or not _starts(w, head):
        make_claim(w, head)
        return ACTED
    own = within_own_limit(w, head)
    dispatch(w, head, codes.OWN_CAPACITY if own else codes.BORROWED_CAPACITY)
    return ACTED


@inlined
def _starts(w: Row, job: int) -> bool:
    if _starts_within_limit(w, job):
        return True
    return bool(at.shares(w, at.lanes(w, at.jobs(w, job).lane).share).borrows) and _starts_by_borrowing(w, job)


@called
def _drop_outdated_claims(w: Row) -> None:
    """A claim ends when its job no longer heads its share, or could not start with all that is being released."""
    i = 0
    while i < w.claims:
        job = at.claims(w, i).value
        if at.jobs(w, job).phase == WAITING and is_head(w, job) and _can_start_at_last(w, job):
            i += 1
        else:
            drop_claim(w, job)


@merged
def _can_start_at_last(w: Row, job: int) -> bool:
    owner = owns(w, job)
    start_search(w, job, owner)
    count_all_stopping(w, job)
    if find_lacking(w, job, HARD_CAP):
        return False
    return owner or bool(at.lanes(w, at.jobs(w, job).lane).fits_ever)
