"""Every invariant finds what it is there to find: logs of right runs, read against other rules or falsified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from world import Played, world

from quota_verifier.model import Share, Strategy
from quota_verifier.scheduler import Run, simulate
from quota_verifier.scheduler.events import NOBODY, Event, Kind, Reason
from quota_verifier.scheduler.invariants import InvariantError, Watcher, check_invariants
from quota_verifier.scheduler.run import State
from quota_verifier.workload import Workload

LENT = world("g5 2", "A 1 L&B; B 1 LEND", "a1 A 0 30 1; a2 A 0 30 1; b B 5 10 1")
OUSTED = world("g5 2", "S 2 RESERVE in-share", "a S 0 30 1; b S 0 30 1; h S 5 10 1 p5")
SLOW = world(
    "g5 4", "A 1 L&B; B 2 LEND; C 1 L&B", "a1 A 0 50 1; a2 A 0 50 1; c1 C 0 50 1; b1 B 5 10 2; c2 C 10 5 1", stop=20
)


def broken(run: Run, **options: bool) -> set[str]:
    """The invariants that a log breaks."""
    return {violation.invariant for violation in check_invariants(run, **options)}


def with_share(played: Played, name: str, change: Callable[[Share], Share]) -> Run:
    """The log of a run, read as if a share had been another one."""
    queue = played.run.queue
    shares = tuple(change(share) if share.name == name else share for share in queue.shares)
    return replace(played.run, queue=replace(queue, shares=shares))


def with_events(played: Played, edit: Callable[[list[Event]], Sequence[Event]]) -> Run:
    """A run with a falsified log."""
    return replace(played.run, events=list(edit(list(played.run.events))))


def job(played: Played, name: str) -> int:
    return [job.id for job in played.run.jobs].index(name)


def at(played: Played, kind: Kind, name: str) -> int:
    """The place in the log of the first event of a kind that happens to a job."""
    index = job(played, name)
    return next(at for at, event in enumerate(played.run.events) if event.kind is kind and event.job == index)


def test_right_runs_break_nothing():
    for played in (LENT, OUSTED, SLOW):
        assert broken(played.run, complete=True) == set()


def test_i1_a_dispatch_above_the_environment_is_found():
    queue = LENT.run.queue
    smaller = replace(queue, environment=replace(queue.environment, limits={"g5": 1}))
    assert "I1" in broken(replace(LENT.run, queue=smaller))


def test_i1_a_dispatch_in_a_disabled_environment_is_found():
    queue = LENT.run.queue
    disabled = replace(queue, environment=replace(queue.environment, enabled=False))
    assert "I1" in broken(replace(LENT.run, queue=disabled))


def test_i2_a_dispatch_above_the_borrow_limit_is_found():
    assert "I2" in broken(with_share(LENT, "A", lambda share: replace(share, borrow_limit=0)))


def test_i2_a_share_that_does_not_borrow_above_its_limit_is_found():
    assert "I2" in broken(with_share(LENT, "A", lambda share: replace(share, strategy=Strategy.LEND)))


def test_i2_a_dispatch_that_borrows_and_says_it_does_not_is_found():
    def lie(events: list[Event]) -> list[Event]:
        place = at(LENT, Kind.DISPATCHED, "a2")
        events[place] = events[place]._replace(reason=Reason.OWN_CAPACITY)
        return events

    assert broken(with_events(LENT, lie)) == {"I2"}


def test_i3_use_of_idle_reserve_capacity_is_found():
    found = check_invariants(with_share(LENT, "B", lambda share: replace(share, strategy=Strategy.RESERVE)))
    assert found[0].invariant == "I3"
    assert found[0].at_ms == 0
    assert str(found[0]) == (
        "I3 at 0s: a2 was given 1 g5, but its share could use 0: 1 were free and others hold back the rest"
    )


def test_i4_a_victim_within_its_shares_limit_is_found():
    assert "I4" in broken(with_share(LENT, "A", lambda share: replace(share, limits={"g5": 2})))


def test_i4_a_reclaim_above_the_own_limit_is_found():
    assert "I4" in broken(with_share(LENT, "B", lambda share: replace(share, limits={"g5": 0})))


def test_i5_a_victim_of_the_same_priority_is_found():
    jobs = [replace(job, priority=0) for job in OUSTED.run.jobs]
    assert "I5" in broken(replace(OUSTED.run, jobs=jobs))


def test_i5_a_preemption_in_a_share_that_has_it_disabled_is_found():
    assert "I5" in broken(with_share(OUSTED, "S", lambda share: replace(share, in_share_preemption=False)))


def test_i6_a_victim_too_many_is_found():
    def one_more(events: list[Event]) -> list[Event]:
        first = at(OUSTED, Kind.PREEMPTED, "b")
        victim = job(OUSTED, "a")
        group = [event._replace(job=victim) for event in events[first : first + 3]]
        return [*events[: first + 1], group[0], *events[first + 1 : first + 3], *group[1:], *events[first + 3 :]]

    found = check_invariants(with_events(OUSTED, one_more))
    assert found[0].invariant == "I6"
    assert "would have fitted without" in found[0].text


def test_i6_a_victim_in_vain_is_found():
    jobs = [replace(job, demand={"g5": 2}) if job.id == "h" else job for job in OUSTED.run.jobs]
    found = [violation for violation in check_invariants(replace(OUSTED.run, jobs=jobs)) if violation.invariant == "I6"]
    assert "cannot start all the same" in found[0].text


def test_i6_a_second_preemption_for_one_need_is_found():
    def again(events: list[Event]) -> list[Event]:
        first = events[at(SLOW, Kind.PREEMPTED, "a2")]
        return [*events[: at(SLOW, Kind.SUBMITTED, "c2")], first._replace(at=8_000, job=job(SLOW, "a1"))]

    assert "I6" in broken(with_events(SLOW, again))


def test_r14_a_borrower_that_gets_what_is_being_released_for_another_is_found():
    def steal(events: list[Event]) -> list[Event]:
        place = at(SLOW, Kind.SUBMITTED, "c2") + 1
        thief = Event(10_000, Kind.DISPATCHED, job(SLOW, "c2"), NOBODY, Reason.BORROWED_CAPACITY, 0)
        return [*events[:place], thief]

    assert "R14" in broken(with_events(SLOW, steal))


def test_r14_a_claim_ends_with_the_start_even_of_a_run_that_ends_at_once():
    # h gets no machines and waits again at once: what v takes then is nobody's claim any more.
    played = world(
        "g5 3",
        "R 1 LEND; S 2 L&B in-share",
        "v S 0 10 1; h S 0 10 3 p1 fails=0:CapacityError",
        assuming="A1=skip",
    )
    assert played.preemptions == ["0 v by h", "0 v by h"]


def test_i7_capacity_that_is_never_released_is_found():
    def forget_the_end(events: list[Event]) -> list[Event]:
        return events[:-1]

    assert "I7" in broken(with_events(LENT, forget_the_end), complete=True)


def test_i7_capacity_that_is_released_too_late_is_found_before_a_horizon_too():
    def forget_the_end(events: list[Event]) -> list[Event]:
        return events[:-1]

    late = replace(with_events(LENT, forget_the_end), end_ms=100_000)
    assert "I7" in broken(late)


def test_i8_a_job_that_disappears_is_found():
    outcomes = list(LENT.run.outcomes)
    assert "I8" in broken(replace(LENT.run, outcomes=outcomes[:-1]))


def test_i8_an_outcome_that_the_log_does_not_tell_is_found():
    outcomes = list(LENT.run.outcomes)
    outcomes[0] = outcomes[0]._replace(state=State.FAILED)
    assert broken(replace(LENT.run, outcomes=outcomes)) == {"I8"}


def test_i8_a_span_that_the_log_does_not_tell_is_found():
    spans = list(LENT.run.spans)
    spans[0] = spans[0]._replace(end=spans[0].end + 1)
    assert broken(replace(LENT.run, spans=spans)) == {"I8"}


@pytest.mark.parametrize(
    ("kind", "name", "text"),
    [
        (Kind.DISPATCHED, "a1", "the event DISPATCHED of a1 happens to a job that is dispatched"),
        (Kind.SUCCEEDED, "b", "the event SUCCEEDED of b happens to a job that is over"),
        (Kind.SUBMITTED, "b", "the event SUBMITTED of b happens to a job that is waiting"),
        (Kind.STOPPED, "a2", "the event STOPPED of a2 happens to a job that is released"),
        (Kind.REQUEUED, "a2", "the event REQUEUED of a2 happens to a job that is waiting"),
    ],
)
def test_i8_an_event_that_cannot_happen_is_found(kind, name, text):
    def twice(events: list[Event]) -> list[Event]:
        place = at(LENT, kind, name)
        return [*events[:place], events[place], *events[place:]]

    assert text in [violation.text for violation in check_invariants(with_events(LENT, twice))]


def test_i8_a_log_that_goes_back_in_time_is_found():
    def swap(events: list[Event]) -> list[Event]:
        return [events[-1], *events[:-1]]

    assert any("SUCCEEDED" in v.text or "back" in v.text for v in check_invariants(with_events(LENT, swap)))


def test_i10_an_owner_that_waits_beside_idle_capacity_is_found():
    def never_start(events: list[Event]) -> list[Event]:
        return events[: at(LENT, Kind.PREEMPTED, "a2")]

    alone = world("g5 2", "A 1 L&B; B 1 LEND", "a A 0 30 1; b B 5 10 1")
    kept_waiting = with_events(alone, lambda events: events[: at(alone, Kind.DISPATCHED, "b")])
    assert any(v.invariant == "I10" and "what is available" in v.text for v in check_invariants(kept_waiting))
    not_reclaimed = check_invariants(with_events(LENT, never_start))
    assert any(v.invariant == "I10" and "nothing is being released" in v.text for v in not_reclaimed)


def test_i10_says_nothing_where_more_is_promised_than_there_is():
    played = world("g5 1", "A 1 LEND; B 1 LEND", "a A 0 30 1; b B 5 10 1")
    played.expect(a="0-30", b="30-40")


def test_a_watcher_stops_the_simulation_at_the_first_violation_and_tells_what_happened():
    run = LENT.run
    strict = replace(run.queue, shares=(replace(run.queue.shares[0], borrow_limit=0), run.queue.shares[1]))
    workload = Workload(tuple(run.jobs))
    with pytest.raises(InvariantError) as raised:
        simulate(run.queue, workload, engine="reference", watch=Watcher(strict, workload))
    assert raised.value.violation.invariant == "I2"
    assert raised.value.violation.at_ms == 0
    assert "a2 brought A to 2 g5, above its cap of 1 (limit 1)" in str(raised.value)
    assert "0s  a1  A  starts within its share's limit" in str(raised.value)


def test_a_watcher_checks_the_last_instant_when_it_is_told_that_the_run_is_over():
    alone = world("g5 2", "A 1 L&B; B 1 LEND", "a A 0 30 1; b B 5 10 1")
    watcher = Watcher(alone.run.queue, Workload(tuple(alone.run.jobs)))
    for event in alone.run.events[: at(alone, Kind.DISPATCHED, "b")]:
        watcher(event)
    with pytest.raises(InvariantError, match="I10"):
        watcher.finish()
