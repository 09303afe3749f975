"""Each change that is told lets the job start, and the smallest of its kind does; when it starts, under A1-A10."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from small_worlds import (
    BORROW,
    G5,
    LEND,
    P5,
    RESERVE,
    STOP_20,
    aws_jobs,
    job,
    queue,
    share,
    three_shares,
    told,
)

from quota_verifier.explain import explain
from quota_verifier.explain.changes import ChangeKind
from quota_verifier.explain.remedies import Effect
from quota_verifier.model import EnvironmentUpdate, JobUpdate
from quota_verifier.testing import property_settings, worlds

K = ChangeKind


def unblocks(found):
    return {remedy.kind: (remedy.text, remedy.effect, remedy.preempts) for remedy in found.remedies}


def test_c01_low_starts_with_a_higher_priority_or_if_qs3_lends():
    assert unblocks(told(three_shares(), aws_jobs(), "low", 0)) == {
        K.PRIORITY: ("priority 3 for low", Effect.STARTS, ("med",)),
        K.LENDER: ("QS3 lends 1 ml.g5.xlarge (LEND instead of RESERVE)", Effect.STARTS, ()),
    }


def test_a_job_behind_the_head_passes_it_with_the_priority_of_the_head_if_it_came_first():
    of = queue(4, share("A", 4))
    jobs = [job("runs", "A", 0, 2), job("big", "A", 2, 3, priority=5), job("small", "A", 1, 3)]
    jobs += [job("one", "A", 1.5, 1)]
    found = told(of, jobs, "one", 3)
    assert [link.job for link in found.chain] == ["big"]
    assert unblocks(found)[K.PRIORITY][0] == "priority 5 for one"


def test_a_limit_is_raised_by_as_much_as_is_missing():
    of = queue(8, share("A", 2, LEND), share("B", 4, LEND))
    found = told(of, [job("a0", "A", 0, 1), job("a1", "A", 1, 3)], "a1")
    unblocked = unblocks(found)
    assert unblocked[K.OWN_LIMIT] == ("limit of A on ml.g5.xlarge from 2 to 4", Effect.STARTS, ())
    assert unblocked[K.BORROWING][0] == "A borrows up to 100 % (LEND_AND_BORROW instead of LEND)"
    assert all(remedy.over_promised == () for remedy in found.remedies)


def test_a_limit_that_promises_more_than_there_is_says_so():
    of = queue(6, share("A", 2, LEND), share("B", 4, LEND))
    found = told(of, [job("a0", "A", 0, 2), job("a1", "A", 1)], "a1")
    (remedy,) = [remedy for remedy in found.remedies if remedy.kind is K.OWN_LIMIT]
    assert (remedy.text, remedy.over_promised) == ("limit of A on ml.g5.xlarge from 2 to 3", (G5,))


def test_a_borrow_limit_is_raised_to_the_lowest_percentage_that_is_enough():
    of = queue(9, share("A", 3, BORROW, 0), share("B", 6, LEND))
    jobs = [job("a0", "A", 0, 3), job("a1", "A", 1, 1)]
    assert unblocks(told(of, jobs, "a1"))[K.BORROW_LIMIT][0] == "borrow limit of A from 0 % to 34 %"
    rounded_up = unblocks(told(of, jobs, "a1", assume_also=["A4=ceil"]))
    assert rounded_up[K.BORROW_LIMIT][0] == "borrow limit of A from 0 % to 1 %"


def test_a_smaller_raise_of_the_limit_is_enough_where_the_borrow_cap_grows_with_it():
    of = queue(20, share("A", 2, BORROW, 100), share("B", 10, LEND))
    found = told(of, [job("a0", "A", 0, 4), job("a1", "A", 1, 4)], "a1")
    assert unblocks(found)[K.OWN_LIMIT][0] == "limit of A on ml.g5.xlarge from 2 to 4"


def test_in_share_preemption_helps_a_job_above_others():
    of = queue(2, share("A", 2))
    found = told(of, [job("low", "A", 0, 2), job("high", "A", 1, 2, priority=7)], "high")
    assert unblocks(found)[K.IN_SHARE_PREEMPTION] == ("in-share preemption in A", Effect.STARTS, ("low",))
    later = told(of, [job("low", "A", 0, 2), job("high", "A", 1, 2, priority=7)], "high", timing=STOP_20)
    assert unblocks(later)[K.IN_SHARE_PREEMPTION][1:] == (Effect.PREEMPTS, ("low",))


def test_a_job_that_is_blocked_for_ever_is_told_what_makes_it_schedulable():
    of = queue(6, share("A", 2), share("B", 4, RESERVE))
    found = told(of, [job("runs", "A", 0, 2), job("a", "A", 1, 4)], "a")
    assert unblocks(found) == {
        K.OWN_LIMIT: ("limit of A on ml.g5.xlarge from 2 to 6", Effect.SCHEDULABLE, ()),
    }


def test_more_capacity_helps_where_the_shares_are_promised_more_than_there_is():
    of = queue({G5: 4, P5: 1}, share("A", 4), share("B", 4))
    found = told(of, [job("b", "B", 0, 4), job("a", "A", 1)], "a")
    assert unblocks(found)[K.ENVIRONMENT] == ("capacity of environment on ml.g5.xlarge from 4 to 5", Effect.STARTS, ())


def test_a_job_that_starts_by_itself_a_moment_later_needs_no_change():
    of = queue(1, share("A", 1))
    found = told(of, [job("a0", "A", 0, work=5), job("a1", "A", 1)], "a1", 4.999)
    assert (found.link.standing.waits, found.remedies) == (True, ())


def test_a_change_at_the_very_next_instant_does_not_hide_the_one_that_is_tried():
    of = queue(4, share("A", 1, LEND), share("B", 3, LEND))
    updates = [EnvironmentUpdate(1_001, limits={G5: 4})]
    found = told(of, [job("a0", "A", 0), job("a1", "A", 1)], "a1", updates=updates)
    assert K.OWN_LIMIT in unblocks(found)


def test_the_start_is_that_of_the_simulation_and_the_interval_that_of_the_alternatives():
    of = queue(3, share("A", 1, BORROW), share("B", 1, LEND))
    jobs = [job("a0", "A", 0, 2, work=100), job("a1", "A", 1, work=100)]
    found = told(of, jobs, "a1", under="one-at-a-time")
    starts = found.starts
    assert len(starts.starts) == 18
    assert starts.starts[0].start.at_ms == 100_000
    assert [(under.profile, under.start.at_ms, under.start.already) for under in starts.turned] == [
        (("A6=borrowable",), 1_000, True)
    ]
    assert (starts.earliest.start.at_ms, starts.latest.start.at_ms) == (1_000, 100_000)


def test_a_job_that_finished_under_another_assumption_started_then():
    of = queue(3, share("A", 1, BORROW), share("B", 1, LEND))
    jobs = [job("a0", "A", 0, 2, work=100), job("a1", "A", 1, work=10)]
    (turned,) = told(of, jobs, "a1", 50, under="one-at-a-time").starts.turned
    assert (turned.start.at_ms, turned.start.ended_ms) == (1_000, 11_000)


def test_a_job_that_is_being_stopped_starts_when_it_starts_again():
    jobs = [*aws_jobs()[:2], job("qs2j", "QS2", 10, work=100)]
    found = told(three_shares(), jobs, "med", 15, timing=STOP_20)
    assert (found.starts.starts[0].start.at_ms, found.starts.starts[0].start.already) == (130_000, False)


def test_an_updated_priority_counts_from_the_instant_of_the_update():
    updates = [JobUpdate(20_000, "low", priority=4)]
    assert told(three_shares(), aws_jobs(), "low", updates=updates).starts.starts[0].start.at_ms == 20_000
    assert told(three_shares(), aws_jobs(), "low", 20, updates=updates).link.priority == 4


@property_settings(25)
@given(world=worlds(), pick=st.integers(0, 10_000), late=st.integers(0, 10_000))
def test_on_any_world_a_change_that_is_told_is_told_of_a_waiting_job(world, pick, late):
    if not world.workload.jobs:
        return
    name = world.workload.jobs[pick % len(world.workload.jobs)].id
    found = explain(
        world.queue,
        world.workload,
        name,
        at_ms=late,
        assumptions=world.assumptions,
        timing=world.timing,
        under="default",
    )
    assert found.link.standing.waits or not found.remedies
    kinds = [list(ChangeKind).index(remedy.kind) for remedy in found.remedies]
    assert kinds == sorted(kinds)
