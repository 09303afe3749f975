"""One hand-made case for each code, with the numbers worked out by hand."""

from __future__ import annotations

import pytest
from small_worlds import (
    BORROW,
    G5,
    G6,
    LEND,
    P5,
    STOP_20,
    TIME_LIMITS,
    aws_jobs,
    job,
    queue,
    share,
    three_shares,
    told,
)

from quota_verifier.errors import InputError
from quota_verifier.explain import Standing
from quota_verifier.explain.account import Why
from quota_verifier.model import EnvironmentUpdate, ShareUpdate
from quota_verifier.scheduler import Delay, Timing

S = Standing


def numbers(link):
    (unit,) = link.units
    return unit.asked, unit.used, unit.limit, unit.cap, unit.free, unit.available


def test_c01_nothing_is_lendable_because_another_share_reserves_its_idle_instance():
    found = told(three_shares(), aws_jobs(), "low", 0)
    assert found.link.standing is S.NOTHING_LENDABLE
    assert found.link.rule == "R15"
    assert numbers(found.link) == (1, 2, 1, 3, 1, 0)
    (kept,) = found.link.units[0].kept
    assert (kept.share, kept.instances, kept.why) == ("QS3", 1, Why.RESERVE)
    assert found.link.sentence == (
        "nothing lendable: QS1 would hold 3 ml.g5.xlarge with a limit of 1, but of 1 free QS3 reserves its idle "
        "instance, which leaves 0 for the 1 that it asks for (R15)"
    )


def test_c01_after_the_reclaim_the_preempted_job_is_the_head_that_low_waits_behind():
    found = told(three_shares(), aws_jobs(), "low", 10)
    assert found.link.standing is S.HEAD_OF_LINE
    assert found.link.sentence == "head of line: waits behind med in the order of QS1 (A1=strict)"
    assert [(link.job, link.standing, numbers(link)) for link in found.chain] == [
        ("med", S.NOTHING_LENDABLE, (1, 1, 1, 3, 1, 0))
    ]
    assert told(three_shares(), aws_jobs(), "med", 10).blocks == 1


def c10():
    return (
        queue({P5: 2, G5: 5}, share("A", {P5: 2, G5: 5}, LEND)),
        [job("x", "A", 0, {P5: 2}, 1000), job("j1", "A", 1, {P5: 1}), job("j2", "A", 2, 1), job("j3", "A", 2, 2)],
    )


def test_c10_jobs_of_an_idle_type_wait_behind_a_head_of_another():
    of, jobs = c10()
    found = told(of, jobs, "j3", 2)
    assert found.link.standing is S.HEAD_OF_LINE
    assert found.link.sentence == "head of line: waits behind j1 in the order of A, 2 jobs before it (A1=strict)"
    (head,) = found.chain
    assert (head.job, head.standing, numbers(head)) == ("j1", S.OWN_LIMIT, (1, 2, 2, 2, 0, 0))
    assert [unit.unit for unit in found.holdings] == [G5, P5]
    assert found.starts.starts[0].start.at_ms == 1_000_000


def test_c10_per_unit_they_do_not_wait():
    of, jobs = c10()
    assert told(of, jobs, "j3", 2, assume_also=["A1=per-unit"]).link.standing is S.RUNNING


def test_the_chain_goes_from_head_to_head_where_only_units_block():
    of = queue({P5: 1, G5: 1, G6: 1}, share("A", {P5: 1, G5: 1, G6: 1}, LEND))
    jobs = [
        job("holds", "A", 0, {P5: 1}),
        job("first", "A", 1, {P5: 1, G5: 1}),
        job("second", "A", 2, {G5: 1, G6: 1}),
        job("third", "A", 3, {G6: 1}),
    ]
    found = told(of, jobs, "third", assume_also=["A1=per-unit"])
    assert [(link.job, link.standing) for link in found.chain] == [
        ("second", S.HEAD_OF_LINE),
        ("first", S.OWN_LIMIT),
    ]


def test_c13_b_an_owner_above_its_limit_cannot_reclaim_and_the_environment_is_full():
    of = queue(8, share("A", 4, BORROW), share("B", 4, BORROW))
    jobs = [job("a0", "A", 0, 2), job("b0", "B", 0, 4), job("b1", "B", 0, 2), job("a1", "A", 5, 4)]
    found = told(of, jobs, "a1")
    assert found.link.standing is S.ENVIRONMENT_FULL
    assert numbers(found.link) == (4, 2, 4, None, 0, 0)
    assert found.link.sentence == "environment full: 0 of 8 ml.g5.xlarge free, it asks for 4 (R12)"
    assert [(s.share, s.used, s.idle, s.over) for s in found.holdings[0].shares] == [("A", 2, 2, 0), ("B", 6, 0, 2)]


def test_within_its_limit_but_what_can_be_reclaimed_is_not_enough():
    of = queue(8, share("A", 4, BORROW), share("B", 3, BORROW), share("C", 1, BORROW))
    jobs = [job("b0", "B", 0, 3), job("c0", "C", 0), job("c1", "C", 0), job("a0", "A", 0), job("a1", "A", 1, 3)]
    found = told(of, jobs, "a1", updates=[EnvironmentUpdate(1, limits={G5: 7})])
    assert found.link.standing is S.TOO_LITTLE_FREE
    assert numbers(found.link) == (3, 1, 4, None, 1, 1)
    assert found.link.sentence == (
        "within its limit, but too little is free: ml.g5.xlarge: only 1 of 7 free, others hold the rest, and it asks "
        "for 3; over their limits are C by 1 ml.g5.xlarge, which is not enough for it to start, so nobody is "
        "preempted (R12)"
    )


def test_within_its_limit_but_the_environment_is_full_of_what_others_own():
    of = queue(8, share("A", 4), share("B", 4))
    jobs = [job("b", "B", 0, 4), job("a0", "A", 0), job("a1", "A", 1)]
    found = told(of, jobs, "a1", updates=[EnvironmentUpdate(1, limits={G5: 4})])
    assert (found.link.standing, numbers(found.link)) == (S.ENVIRONMENT_FULL, (1, 1, 4, 4, -1, -1))
    assert found.link.sentence == (
        "environment full: 0 of 4 ml.g5.xlarge free, it asks for 1; nobody is over its limit, so nobody can be "
        "preempted for it (R12)"
    )


def test_c17_the_jobs_of_a_share_whose_limit_was_lowered_run_over_it():
    of = queue(4, share("A", 4))
    jobs = [job("r1", "A", 0, 2), job("r2", "A", 1, 2), job("r3", "A", 30, 1)]
    updates = [ShareUpdate(20_000, "A", limits={G5: 2})]
    first, second = (told(of, jobs, name, 25, updates=updates) for name in ("r1", "r2"))
    risk = "; while it is above, others who need their own may preempt its jobs (R13)"
    assert first.link.sentence == f"RUNNING since 0s; 2 own of ml.g5.xlarge, A holds 4 of its 2{risk}"
    assert second.link.sentence == f"RUNNING since 1s; 2 over the limit of ml.g5.xlarge, A holds 4 of its 2{risk}"
    third = told(of, jobs, "r3", updates=updates)
    assert (third.link.standing, numbers(third.link)) == (S.OWN_LIMIT, (1, 4, 2, 2, 0, -2))
    assert third.link.sentence == (
        "own limit: A holds 4 of its limit of 2 ml.g5.xlarge, 1 more would make 5, and it does not borrow (RESERVE) "
        "(R12)"
    )


def c22(**rest):
    jobs = [job("h", "A", 0, 6), *(job(f"j{n}", "A", 1, work=100) for n in range(10))]
    return queue(4, share("A", 4), **rest), jobs


def test_c22_a_job_that_can_never_start_blocks_its_share():
    of, jobs = c22()
    head = told(of, jobs, "h", 1)
    assert (head.link.standing, head.link.rule, head.blocks) == (S.NEVER_SCHEDULABLE, "R21", 10)
    assert "asks for 6 ml.g5.xlarge, the largest job of A is 4: MISCONFIGURATION:SERVICE_ENVIRONMENT" in (
        head.link.sentence
    )
    found = told(of, jobs, "j3", 1)
    assert (found.link.standing, [link.standing for link in found.chain]) == (S.HEAD_OF_LINE, [S.NEVER_SCHEDULABLE])
    assert found.starts.starts[0].start.at_ms is None


def test_c22_with_a_time_limit_the_jobs_behind_start_when_the_head_is_terminated():
    of, jobs = c22(time_limits=TIME_LIMITS)
    assert [told(of, jobs, f"j{n}", 1).starts.starts[0].start.at_ms for n in (3, 4, 9)] == [600_000, 700_000, 800_000]
    head = told(of, jobs, "h", 1).starts.starts[0].start
    assert (head.at_ms, head.ended_ms) == (None, 600_000)


def test_c46_a_job_is_told_where_it_would_have_fitted():
    of = queue({G5: 2, G6: 2}, share("A", {G5: 2, G6: 2}))
    found = told(of, [job("full", "A", 0, 2), job("j", "A", 1)], "j")
    assert found.link.standing is S.OWN_LIMIT
    assert found.elsewhere == ((G6, 2),)
    assert told(of, [job("full", "A", 0, 2), job("j", "A", 1, 2), job("g", "A", 0, {G6: 1})], "j").elsewhere == ()


def test_the_borrow_limit_is_what_keeps_a_borrower_waiting_while_others_are_idle():
    of = queue(8, share("A", 2, BORROW, 100), share("B", 6, LEND))
    found = told(of, [job("a0", "A", 0, 3), job("a1", "A", 1, 2)], "a1")
    assert (found.link.standing, numbers(found.link)) == (S.BORROW_LIMIT, (2, 3, 2, 4, 5, 5))
    assert found.link.sentence == (
        "borrow limit: A holds 3 of at most 4 ml.g5.xlarge (limit 2 and 100 %), 2 more would make 5 (R15)"
    )


def test_capacity_that_no_share_owns_is_not_lendable_by_default():
    of = queue(6, share("A", 2, BORROW), share("B", 2, LEND))
    found = told(of, [job("b0", "B", 0, 1), job("a0", "A", 0, 2), job("a1", "A", 1, 2)], "a1")
    assert (found.link.standing, numbers(found.link)) == (S.NOTHING_LENDABLE, (2, 2, 2, None, 3, 1))
    assert "of 3 free 2 belong to no share (A6), which leaves 1 for the 2 that it asks for" in found.link.sentence


def test_a_lender_whose_own_head_waits_keeps_its_idle_capacity_under_hold():
    of = queue(4, share("A", 1, BORROW), share("B", 3, LEND))
    jobs = [job("b0", "B", 0, 2), job("b1", "B", 0, 2), job("a0", "A", 0), job("a1", "A", 1)]
    found = told(of, jobs, "a1", assume_also=["A5=hold"])
    assert (found.link.standing, numbers(found.link)) == (S.NOTHING_LENDABLE, (1, 1, 1, None, 1, 0))
    assert "B has a job waiting and holds its idle instance (A5)" in found.link.sentence
    assert told(of, jobs, "a1").link.standing is S.RUNNING


def test_a_disabled_environment_places_nothing():
    of = queue(4, share("A", 4))
    updates = [EnvironmentUpdate(1_000, enabled=False)]
    found = told(of, [job("a", "A", 2)], "a", updates=updates)
    assert found.link.standing is S.ENVIRONMENT_DISABLED
    assert [remedy.text for remedy in found.remedies] == ["enable environment"]


def released():
    of = queue(3, share("A", 1, BORROW), share("B", 2, LEND))
    return of, [job("a0", "A", 0, 1), job("a1", "A", 1, 2), job("b", "B", 10, 1), job("b2", "B", 15, 1)]


def test_a_preemptor_waits_until_its_victim_has_stopped():
    of, jobs = released()
    found = told(of, jobs, "b", 12, timing=STOP_20)
    assert found.link.standing is S.BEING_RELEASED
    assert found.link.sentence == ("starts once enough has been released, at 30s: 2 ml.g5.xlarge of a1 (R14)")
    assert found.starts.starts[0].start.at_ms == 30_000
    victim = told(of, jobs, "a1", 12, timing=STOP_20)
    assert victim.link.sentence == "being stopped since 10s, preempted by b; it holds 2 ml.g5.xlarge until 30s"


def test_what_is_free_is_kept_for_one_whose_victim_is_still_stopping():
    of = queue(4, share("A", 1, BORROW), share("B", 2, LEND), share("C", 1, BORROW))
    jobs = [job("a0", "A", 0), job("a1", "A", 1), job("c0", "C", 0), job("b", "B", 10, 2), job("c", "C", 11)]
    found = told(of, jobs, "c", 13, timing=STOP_20)
    assert (found.link.standing, numbers(found.link)) == (S.KEPT_FOR_ANOTHER, (1, 1, 1, None, 1, 1))
    assert found.link.sentence == (
        "kept for another: 1 ml.g5.xlarge available, but what is being released is meant for b (2 ml.g5.xlarge) (R14)"
    )


@pytest.mark.parametrize(
    ("name", "at", "standing", "sentence"),
    [
        ("b", 0, S.NOT_SUBMITTED, "not submitted yet: it comes at 5s"),
        ("a", 0, S.STARTING, "SCHEDULED since 0s, RUNNING from 10s; 1 own of ml.g5.xlarge, A holds 1 of its 1"),
        ("a", 10, S.RUNNING, "RUNNING since 10s; 1 own of ml.g5.xlarge, A holds 1 of its 1"),
        ("a", 40, S.SUCCEEDED, "succeeded at 40s"),
        ("late", 30, S.REJECTED, "rejected at 30s: quota share A is DISABLED"),
    ],
)
def test_jobs_that_do_not_wait_say_since_when(name, at, standing, sentence):
    of = queue(2, share("A", 1), share("B", 1))
    jobs = [job("a", "A", 0, work=30), job("b", "A", 5), job("late", "A", 30)]
    updates = [ShareUpdate(20_000, "A", enabled=False)]
    found = told(of, jobs, name, at, updates=updates, timing=Timing(startup=Delay(10_000)))
    assert (found.link.standing, found.link.sentence) == (standing, sentence)
    assert (found.link.rule, found.link.units, found.remedies) == ("", (), ())


def test_a_borrower_says_how_much_of_it_is_borrowed():
    of = queue(4, share("A", 2, BORROW), share("B", 2, LEND))
    found = told(of, [job("a", "A", 0, 3)], "a")
    assert found.link.sentence.startswith("RUNNING since 0s; 2 own and 1 borrowed of ml.g5.xlarge, A holds 3 of its 2")


def test_an_unknown_job_gets_a_guess():
    with pytest.raises(InputError, match="the workload has no job 'lo'; did you mean 'low'"):
        told(three_shares(), aws_jobs(), "lo")
