"""Who preempted whom, by which rule, and what the other candidates were."""

from __future__ import annotations

import pytest
from small_worlds import BORROW, G5, LEND, P5, STOP_20, aws_jobs, job, queue, run, share, three_shares

from quota_verifier.explain import preemptions
from quota_verifier.explain.preemptions import Choice
from quota_verifier.model import JobUpdate


def rows(each):
    return [(job.job, job.choice) for job in each.candidates]


def test_c01_two_preemptions_by_two_rules():
    found = preemptions(run(three_shares(), aws_jobs(), updates=[JobUpdate(20_000, "low", priority=4)]))
    assert [(each.at_ms, each.job, each.rule, each.victims, each.lacking) for each in found] == [
        (10_000, "qs2j", "R13", ("med",), (G5,)),
        (20_000, "low", "R16", ("high",), (G5,)),
    ]
    assert rows(found[0]) == [("med", Choice.PREEMPTED), ("high", Choice.RANKED_LATER)]
    med, high = found[0].candidates
    assert (med.over, high.over, med.lost_ms) == (1, 0, 10_000)


def test_only_those_of_a_job_or_of_an_instant():
    whole = run(three_shares(), aws_jobs(), updates=[JobUpdate(20_000, "low", priority=4)])
    index = {each.id: place for place, each in enumerate(whole.jobs)}
    assert [each.job for each in preemptions(whole, job=index["high"])] == ["low"]
    assert [each.job for each in preemptions(whole, job=index["qs2j"])] == ["qs2j"]
    assert [each.job for each in preemptions(whole, at_ms=20_000)] == ["low"]


def c12_c():
    of = queue(
        {G5: 4, P5: 4},
        share("A", {P5: 2}, LEND),
        share("B", {G5: 2, P5: 1}, BORROW),
        share("C", {G5: 2, P5: 1}, BORROW),
    )
    jobs = [
        job("bg1", "B", 0, {G5: 2}),
        job("bg2", "B", 0, {G5: 1}),
        job("cp0", "C", 0, {P5: 1}),
        job("cp1", "C", 1, {P5: 2}),
        job("ap", "A", 5, {P5: 2}),
    ]
    return of, jobs


def test_c12_jobs_of_another_type_are_no_candidates():
    (each,) = preemptions(run(*c12_c()))
    assert rows(each) == [("cp1", Choice.PREEMPTED), ("cp0", Choice.RANKED_LATER)]
    assert (each.lacking, each.untouchable) == ((P5,), 0)


def test_jobs_of_shares_within_their_limits_are_counted_as_untouchable():
    of = queue(6, share("A", 2, LEND), share("B", 2, BORROW), share("C", 2, BORROW))
    jobs = [job("b0", "B", 0, 2), job("c0", "C", 0, 2), job("c1", "C", 1, 2, priority=9), job("a", "A", 5, 1)]
    (each,) = preemptions(run(of, jobs))
    assert (rows(each), each.untouchable) == ([("c0", Choice.PREEMPTED), ("c1", Choice.RANKED_LATER)], 1)


def test_a_victim_that_was_taken_and_dropped_again_is_not_needed():
    of = queue(5, share("A", 2, LEND), share("B", 3, BORROW))
    jobs = [job("b0", "B", 0, 2), job("b1", "B", 1, 1, priority=1), job("b2", "B", 2, 2, priority=2)]
    jobs += [job("a", "A", 5, 2)]
    (each,) = preemptions(run(of, jobs, assume_also=["A7=latest"]))
    assert rows(each) == [("b2", Choice.PREEMPTED), ("b1", Choice.RANKED_LATER), ("b0", Choice.RANKED_LATER)]
    (smallest,) = preemptions(run(of, jobs, assume_also=["A7=smallest"]))
    assert rows(smallest)[0] == ("b1", Choice.NOT_NEEDED)
    assert smallest.victims == ("b2",)


def test_an_equal_priority_is_untouchable_in_the_same_share():
    of = queue(2, share("A", 2, in_share_preemption=True))
    jobs = [job("same", "A", 0, priority=5), job("less", "A", 0, priority=4), job("a", "A", 5, priority=5)]
    (each,) = preemptions(run(of, jobs))
    assert (each.rule, rows(each), each.untouchable) == ("R16", [("less", Choice.PREEMPTED)], 1)


@pytest.mark.parametrize(("checkpoint", "lost"), [(None, 25_000), (10_000, 5_000), (30_000, 25_000)])
def test_lost_work_is_what_lies_above_the_last_checkpoint(checkpoint, lost):
    of = queue(2, share("A", 1, BORROW), share("B", 1, LEND))
    jobs = [job("a0", "A", 0), job("a1", "A", 0, checkpoint_ms=checkpoint), job("b", "B", 25)]
    (each,) = preemptions(run(of, jobs, timing=STOP_20))
    assert each.candidates[0].job == "a1"
    assert each.candidates[0].lost_ms == lost
