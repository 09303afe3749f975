"""OLD that becomes NEW while jobs run: who is over a limit, who is preempted for it, what is ended or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from diff_queues import BORROW, G5, HOUR, LEND, MINUTE, RESERVE, job, queue, share, states, tried
from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.diff.moment import Held
from quota_verifier.model import EnvironmentUpdate, ShareUpdate, TimeLimitAction, TimeLimitReason
from quota_verifier.scheduler import Delay, Timing, assume
from quota_verifier.scheduler.events import Kind
from quota_verifier.testing import property_settings, worlds
from quota_verifier.workload import Workload

R1, R2 = job("r1", "R", 0, 60, 2), job("r2", "R", 0, 60, 2)


def held(of, share):
    return next(one for one in of.changed.moment.held if one.share == share)


def used_after(run, name, at_ms):
    """The most instances that a share holds after an instant."""
    spans = [(s.start, s.end, run.jobs[s.job].instances) for s in run.spans if run.jobs[s.job].share == name]
    instants = [at_ms, *(start for start, _, _ in spans if start > at_ms)]
    return max(sum(n for start, end, n in spans if start <= at < end) for at in instants)


def test_a_lowered_limit_shows_who_is_over_it_and_lends_nothing():
    """C17: RESERVE share of 4 that runs r1(2) and r2(2), lowered to 2."""
    of = tried(queue(4, share("R", 4)), queue(4, share("R", 2)), R1, R2, at=10)
    assert held(of, "R") == Held("R", G5, held=4, ending=0, old_limit=4, new_limit=2, borrowed=0, over_limit=2)
    assert held(of, "R").preemptible == 2
    assert [(one.job, one.newly) for one in of.changed.moment.eligible] == [("r1", True), ("r2", True)]
    # Nobody else owns anything, so nobody takes it back.
    assert of.changed.aftermath.preemptions == ()
    assert states(of.changed.trial.run) == {"r1": "SUCCEEDED", "r2": "SUCCEEDED"}


def test_what_is_over_a_lowered_limit_is_taken_back_by_whoever_owns_it_now():
    """C17: after enforcement the share uses at most 2."""
    old, new = queue(4, share("R", 4)), queue(4, share("R", 2), share("S", 2))
    of = tried(old, new, R1, R2, job("s", "S", 20, 30, 2), at=10)
    (one,) = of.changed.aftermath.preemptions
    assert (one.job, one.by, one.at_ms, one.lost_ms) == ("r2", "s", 20 * MINUTE, 2 * 20 * MINUTE)
    assert one.because == f"the limit of R is lower: 4 -> 2 {G5}"
    assert used_after(of.changed.trial.run, "R", 20 * MINUTE) == 2


def test_a_borrower_over_its_limit_before_is_told_from_one_that_the_change_makes():
    old = queue(4, share("B", 1, BORROW), share("L", 3, LEND))
    new = queue(4, share("B", 1, BORROW), share("L", 1, LEND))
    of = tried(old, new, job("b1", "B", 0, 60), job("b2", "B", 0, 60), job("l", "L", 0, 60, 2), at=10)
    assert {one.job: one.newly for one in of.changed.moment.eligible} == {"b1": False, "b2": False, "l": True}
    assert (held(of, "B").above_before, held(of, "B").preemptible) == (1, 0)
    # L has nothing idle left below its new limit, so what B holds above its own is lent by nobody.
    assert (held(of, "B").borrowed, held(of, "B").over_limit) == (0, 1)
    assert (held(of, "L").borrowed, held(of, "L").over_limit) == (0, 1)


def test_what_a_borrower_holds_stays_borrowed_while_others_lend_it():
    old = queue(4, share("B", 2, BORROW), share("L", 2, LEND))
    new = queue(4, share("B", 1, BORROW), share("L", 3, LEND))
    of = tried(old, new, job("b1", "B", 0, 60, 2), job("b2", "B", 0, 60), at=10)
    assert (held(of, "B").above, held(of, "B").borrowed, held(of, "B").over_limit) == (2, 2, 0)


def test_a_preemption_that_old_allows_too_is_not_blamed_on_the_change():
    old = queue(2, share("B", 1, BORROW), share("L", 1, LEND))
    new = queue(2, share("B", 1, BORROW, in_share_preemption=True), share("L", 1, LEND))
    of = tried(old, new, job("b1", "B", 0, 60), job("b2", "B", 0, 60), job("l", "L", 20, 10), at=10)
    assert [(one.job, one.because) for one in of.changed.aftermath.preemptions] == [("b2", "")]
    assert of.changed.aftermath.because == ()


def test_a_raised_limit_that_reclaims_is_named():
    old = queue(3, share("B", 1, BORROW), share("L", 2, LEND))
    new = queue(4, share("B", 1, BORROW), share("L", 3, LEND))
    jobs = job("b1", "B", 0, 60), job("b2", "B", 0, 60), job("b3", "B", 0, 60), job("l", "L", 20, 30, 3)
    of = tried(old, new, *jobs, at=10)
    assert [one.because for one in of.changed.aftermath.because] == [f"the limit of L is higher: 2 -> 3 {G5}"] * 2


def test_in_share_preemption_that_is_switched_on_is_named():
    old = queue(1, share("A", 1))
    new = queue(1, share("A", 1, in_share_preemption=True))
    of = tried(old, new, job("low", "A", 0, 60, priority=1), job("high", "A", 5, 10, priority=9), at=10)
    assert [(one.job, one.at_ms, one.because) for one in of.changed.aftermath.because] == [
        ("low", 10 * MINUTE, "in-share preemption of A is on")
    ]


def test_a_lowered_environment_terminates_nothing():
    of = tried(queue(4, share("R", 4)), queue(2, share("R", 4)), R1, R2, at=10)
    assert (of.changed.moment.eligible, of.changed.aftermath.preemptions) == ((), ())
    assert states(of.changed.trial.run) == {"r1": "SUCCEEDED", "r2": "SUCCEEDED"}


def test_a_removed_share_loses_its_jobs_and_refuses_new_ones():
    old, new = queue(6, share("R", 4), share("S", 2)), queue(6, share("R", 4))
    of = tried(old, new, R1, job("s1", "S", 0, 60), job("s2", "S", 5, 60, 2), job("s3", "S", 20, 5), at=10)
    assert states(of.changed.trial.run) == {"r1": "SUCCEEDED", "s1": "FAILED", "s2": "FAILED", "s3": "REJECTED"}
    assert of.changed.moment.terminated == ("s1", "s2")
    assert (held(of, "S").held, held(of, "S").ending, held(of, "S").preemptible) == (1, 1, 0)
    assert (of.changed.trial.shares["S"].terminated, of.changed.trial.shares["S"].rejected) == (2, 1)
    assert of.new.shares["S"].rejected == 3
    assert of.notes == (
        "share S is removed: the jobs that were submitted to it before are terminated at that instant, later ones are "
        "refused",
    )


def test_a_new_share_refuses_jobs_until_the_change():
    old, new = queue(4, share("R", 2)), queue(4, share("R", 2), share("S", 2))
    of = tried(old, new, R1, job("s1", "S", 5, 5), job("s2", "S", 10, 5), at=10)
    assert states(of.changed.trial.run) == {"r1": "SUCCEEDED", "s1": "REJECTED", "s2": "SUCCEEDED"}
    assert states(of.old.run)["s2"] == "REJECTED"
    assert states(of.new.run)["s1"] == "SUCCEEDED"
    assert of.share_names == ("R", "S")


def test_another_queue_in_the_place_of_one_ends_every_job_in_it():
    both = queue(4, share("R", 4))
    of = tried(both, both, R1, R2, job("late", "R", 20, 10), at=10, queue_goes=True)
    assert states(of.changed.trial.run) == {"r1": "FAILED", "r2": "FAILED", "late": "SUCCEEDED"}
    assert of.notes[0].startswith("the queue cannot be changed in place")


def test_another_share_in_the_place_of_one_ends_the_jobs_of_that_share_alone():
    both = queue(4, share("R", 2), share("S", 2))
    of = tried(both, both, R1, job("s", "S", 0, 60), at=10, restarted=["S"])
    assert states(of.changed.trial.run) == {"r1": "SUCCEEDED", "s": "FAILED"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"enabled": False}, {"early": "SUCCEEDED", "late": "REJECTED"}),
        ({"enabled": False}, {}, {"early": "REJECTED", "late": "SUCCEEDED"}),
    ],
    ids=["queue goes off", "queue goes on"],
)
def test_the_state_of_the_queue_changes_at_the_instant(old, new, expected):
    jobs = job("early", "R", 0, 30), job("late", "R", 10, 5)
    of = tried(queue(2, share("R", 2), **old), queue(2, share("R", 2), **new), *jobs, at=10)
    assert states(of.changed.trial.run) == expected


def test_where_the_deployment_fails_nothing_is_run_with_the_change():
    both = queue(4, share("R", 4))
    of = tried(both, both, R1, at=10, refused=("E9401",))
    assert of.changed is None
    assert of.new is not None
    assert of.notes == ("no run with the change: its deployment fails (E9401)",)


def test_what_cannot_change_at_an_instant_is_said():
    limit = TimeLimitAction(TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED, 600_000)
    old = queue(4, share("R", 4))
    of = tried(old, replace(old, time_limits=(limit,)), R1, at=10)
    assert of.notes == ("time-limit actions stay those of OLD in the run with the change",)
    assert tried(old, old, R1, at=10).notes == ("nothing that jobs notice changes at that instant",)


def test_a_job_that_the_new_limits_block_is_never_schedulable_from_then_on():
    old, new = queue(4, share("R", 4)), queue(4, share("R", 2))
    of = tried(old, new, job("big", "R", 20, 5, 3), at=10)
    counts = [of.old.queue, of.new.queue, of.changed.trial.queue]
    assert [one.never_schedulable for one in counts] == [0, 1, 1]


def test_a_job_that_a_time_limit_ended_for_it_is_never_schedulable_too():
    limit = TimeLimitAction(TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED, 600_000)
    old = queue(4, share("R", 4), time_limits=(limit,))
    new = replace(old, shares=(share("R", 2),))
    of = tried(old, new, job("big", "R", 20, 5, 3), at=10)
    assert of.changed.trial.queue.never_schedulable == 1
    assert states(of.changed.trial.run) == {"big": "FAILED"}


def test_updates_of_the_workload_itself_are_no_part_of_the_change():
    """The share was lowered by the workload at minute 5 already, so the change at 10 makes nobody preemptible."""
    old, new = queue(4, share("R", 4)), queue(6, share("R", 4))
    lowered = ShareUpdate(5 * MINUTE, "R", limits={G5: 2})
    of = tried(old, new, R1, R2, at=10, updates=[lowered])
    assert (held(of, "R").above_before, held(of, "R").preemptible) == (2, 0)
    assert not any(one.newly for one in of.changed.moment.eligible)


def test_a_job_that_ends_at_the_instant_holds_nothing_any_more():
    """R11: releases come before updates."""
    of = tried(queue(4, share("R", 4)), queue(4, share("R", 2)), R1, R2, at=60)
    assert held(of, "R").held == 0


def test_a_job_that_is_being_stopped_holds_capacity_and_is_nobodys_victim():
    old, new = (
        queue(2, share("B", 1, BORROW), share("L", 1, LEND)),
        queue(3, share("B", 1, BORROW), share("L", 2, LEND)),
    )
    timing = Timing(stop=Delay(5 * MINUTE))
    jobs = job("b1", "B", 0, 60), job("b2", "B", 0, 60), job("l", "L", 8, 10)
    of = tried(old, new, *jobs, at=10, timing=timing)
    assert held(of, "B").held == 2
    assert of.changed.moment.eligible == ()


def alike(event):
    """An event without why a job is refused: a DISABLED queue is one whose shares all are, for its jobs."""
    return event._replace(reason=0) if event.kind is Kind.REJECTED else event


def changed_at_random(draw, old):
    return replace(
        old,
        enabled=draw(st.booleans()),
        environment=replace(old.environment, limits={unit: draw(st.integers(0, 6)) for unit in old.units}),
        shares=tuple(
            replace(
                one,
                limits={unit: draw(st.integers(1, 4)) for unit in one.limits},
                strategy=draw(st.sampled_from([RESERVE, LEND, BORROW])),
                borrow_limit=None,
                in_share_preemption=draw(st.booleans()),
                enabled=draw(st.booleans()),
            )
            for one in old.shares
        ),
    )


@property_settings(60)
@given(worlds(), st.data())
def test_until_the_change_everything_is_as_under_old_and_from_the_start_on_as_under_new(world, data):
    # A10 tells a DISABLED queue from one whose shares all are.
    assumptions = replace(world.assumptions, disabled_share="lent as before")
    new = changed_at_random(data.draw, world.queue)
    setting = {"assumptions": assumptions, "timing": world.timing, "updates": world.workload.updates}
    minute = data.draw(st.integers(0, 3))
    of = tried(world.queue, new, *world.workload.jobs, at=minute, **setting)
    runs = of.old.run, of.changed.trial.run
    before, after = ([alike(event) for event in run.events if event.at < minute * MINUTE] for run in runs)
    assert [event for event in before if event.kind is not Kind.CONFIGURED] == [
        event for event in after if event.kind is not Kind.CONFIGURED
    ]
    if not world.workload.updates:
        first = tried(world.queue, new, *world.workload.jobs, at=0, **setting)
        from_the_start = [alike(one) for one in first.changed.trial.run.events if one.kind is not Kind.CONFIGURED]
        assert from_the_start == [alike(one) for one in first.new.run.events]


def test_the_order_of_rows_decides_nothing():
    old, new = queue(4, share("R", 4)), queue(4, share("R", 2), share("S", 2))
    jobs = [R1, R2, job("s", "S", 20, 30, 2), job("r3", "R", 20, 5)]
    straight, reversed_rows = (tried(old, new, *rows, at=10) for rows in (jobs, jobs[::-1]))
    assert straight.changed.moment == reversed_rows.changed.moment
    assert straight.changed.aftermath == reversed_rows.changed.aftermath
    assert straight.old.shares == reversed_rows.old.shares


def test_assumptions_and_the_horizon_reach_every_run():
    old, new = queue(2, share("R", 2)), queue(2, share("R", 1))
    of = tried(old, new, R1, at=10, assumptions=assume(["A1=skip"]), until_ms=HOUR // 2)
    for trial in (of.old, of.new, of.changed.trial):
        assert (trial.run.assumptions.head_blocking, trial.run.end_ms) == ("skip", HOUR // 2)


def test_an_update_of_the_environment_and_of_every_property_of_a_share_is_made():
    old = queue(4, share("R", 4, BORROW, borrow_limit=0))
    new = queue(5, share("R", 3, LEND, in_share_preemption=True, enabled=False))
    of = tried(old, new, R1, at=10)
    assert of.changed.trial.run.updates == (
        EnvironmentUpdate(10 * MINUTE, {G5: 5}),
        ShareUpdate(10 * MINUTE, "R", {G5: 3}, LEND, None, in_share_preemption=True, enabled=False),
    )


def test_an_overload_is_said_for_the_side_that_has_it():
    """C53: waits of a queue that only grows tell of the load."""
    jobs = [job(f"j{n}", "R", n * 10, 9, 2) for n in range(12)]
    old, new = queue(2, share("R", 2)), queue(1, share("R", 1))
    (note,) = tried(old, new, *jobs).notes
    assert note.startswith(f"under NEW, {G5} is offered 180 % of its capacity")
    assert tried(new, new, *jobs).notes[0].startswith("under both, ")


def test_a_workload_is_not_changed_by_being_tried():
    workload = Workload((R1,))
    tried(queue(4, share("R", 4)), queue(4, share("R", 2)), *workload.jobs, at=10)
    assert workload.updates == ()
