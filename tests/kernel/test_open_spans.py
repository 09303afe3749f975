"""Spans that a horizon leaves open (the reference engine; the kernel is held equal to it)."""

from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share, Strategy
from quota_verifier.scheduler import Delay, Timing, simulate
from quota_verifier.scheduler.run import UNKNOWN, How
from quota_verifier.workload import Workload


def _lenders() -> Queue:
    borrower = Share("B", {"g5": 1}, Strategy.LEND_AND_BORROW)
    return Queue(Environment({"g5": 2}), (borrower, Share("L", {"g5": 1}, Strategy.LEND)))


def test_a_run_that_is_open_at_the_horizon_was_stopped_by_nobody_whatever_happened_to_the_runs_before():
    jobs = (
        Job("stays", "B", 0, 1000, {"g5": 1}),
        Job("borrows", "B", 0, 1000, {"g5": 1}),
        Job("owner", "L", 10, 50, {"g5": 1}),
    )
    run = simulate(_lenders(), Workload(jobs), until_ms=200)
    again = [span for span in run.spans if run.jobs[span.job].id == "stays"]
    assert [(span.attempt, span.how, span.by) for span in again] == [
        (1, How.PREEMPTED_CROSS_SHARE, 2),
        (2, How.OPEN, -1),
    ]


def test_a_run_that_is_still_scheduled_at_the_horizon_did_not_become_running():
    timing = Timing(startup=Delay(100))
    run = simulate(_lenders(), Workload((Job("j", "L", 0, 1000, {"g5": 1}),)), timing=timing, until_ms=99)
    assert [(span.start, span.run, span.stop, span.end) for span in run.spans] == [(0, UNKNOWN, UNKNOWN, UNKNOWN)]


def test_a_stop_that_becomes_a_termination_no_longer_names_the_preemptor():
    jobs = (Job("a", "B", 0, 1000, {"g5": 1}), Job("b", "B", 0, 1000, {"g5": 1}), Job("owner", "L", 10, 50, {"g5": 1}))
    timing = Timing(stop=Delay(20))
    run = simulate(_lenders(), Workload(jobs), timing=timing, until_ms=20)
    assert [(span.how, span.by, span.stop) for span in run.spans if span.stop != UNKNOWN] == [(How.OPEN, 2, 10)]
    victim = next(span.job for span in run.spans if span.stop != UNKNOWN)
    ended = Workload(jobs, (JobUpdate(15, run.jobs[victim].id, terminate=True),))
    run = simulate(_lenders(), ended, timing=timing, until_ms=20)
    assert [(span.how, span.by, span.stop) for span in run.spans if span.stop != UNKNOWN] == [(How.OPEN, -1, 10)]
