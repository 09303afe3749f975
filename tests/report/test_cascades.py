"""Who preempted whom: every preemption with its reason, and which led to which."""

from __future__ import annotations

from quota_verifier.model import Environment, Job, Queue, Share, Strategy
from quota_verifier.report.cascades import NO_CAUSE, Preemption, cascades, preemptions
from quota_verifier.scheduler.assumptions import assume
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.simulate import simulate
from quota_verifier.workload import Workload

G5 = "ml.g5.xlarge"


def job(name, share, at, work=1000, n=1, priority=0):
    return Job(name, share, at * 1000, work * 1000, {G5: n}, priority)


def ran(*jobs, assuming=()):
    """A borrows from B, and in A jobs preempt those of lower priority."""
    shares = (
        Share("A", {G5: 2}, Strategy.LEND_AND_BORROW, None, in_share_preemption=True),
        Share("B", {G5: 1}, Strategy.LEND),
    )
    return simulate(Queue(Environment({G5: 3}), shares), Workload(jobs), assumptions=assume(assuming))


def told(run):
    return [(run.jobs[p.by].id, run.jobs[p.victim].id, p.cause, p.lost_ms) for p in preemptions(run)]


def test_a_preemption_comes_with_its_reason_in_words_and_the_work_lost():
    run = ran(job("low", "A", 0, priority=1), job("big", "A", 1, n=2, priority=5), job("b", "B", 10))
    assert told(run) == [("b", "low", NO_CAUSE, 10_000)]
    (found,) = preemptions(run)
    assert (found.at_ms, found.reason) == (10_000, Reason.RECLAIM)
    assert found.why == "preempted to make room for b (B): A holds 3 of its limit 2 on ml.g5.xlarge (R13)"


def test_a_victim_that_preempts_in_its_turn_makes_a_cascade():
    jobs = (job("low", "A", 0, priority=1), job("big", "A", 1, n=2, priority=5), job("b", "B", 10))
    run = ran(*jobs, assuming=["A7=latest"])
    assert told(run) == [("b", "big", NO_CAUSE, 9_000), ("big", "low", 0, 10_000)]
    (cascade,) = cascades(preemptions(run))
    assert (cascade.steps, cascade.depth) == (((0, 0), (1, 1)), 2)


def test_a_preemptor_that_has_run_since_begins_a_cascade_of_its_own():
    found = [
        Preemption(0, victim=1, by=0, reason=Reason.RECLAIM, why="", lost_ms=0, cause=NO_CAUSE),
        Preemption(5, victim=2, by=1, reason=Reason.IN_SHARE, why="", lost_ms=0, cause=0),
        Preemption(5, victim=3, by=1, reason=Reason.IN_SHARE, why="", lost_ms=0, cause=0),
        Preemption(9, victim=4, by=1, reason=Reason.IN_SHARE, why="", lost_ms=0, cause=NO_CAUSE),
    ]
    assert [cascade.steps for cascade in cascades(found)] == [((0, 0), (1, 1), (1, 2)), ((0, 3),)]


def test_a_run_without_preemptions_has_none():
    assert preemptions(ran(job("a", "A", 0))) == ()
    assert cascades(()) == ()
