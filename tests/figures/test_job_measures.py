"""Waits, turnarounds, slowdowns, preemptions and lost work, with values worked out by hand."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from random_runs import runs
from small_runs import BORROW, LEND, RESERVE, job, queue, ran, share

from quota_verifier.figures import columns, summarize
from quota_verifier.figures.distribution import LEFT_OUT, UNBOUNDED
from quota_verifier.figures.measures import longest_waits, slowdowns, turnarounds, waits
from quota_verifier.figures.reclaims import reclaim_latencies
from quota_verifier.model import Failure, JobUpdate, ShareUpdate, TimeLimitAction, TimeLimitReason
from quota_verifier.scheduler.events import Kind, Reason
from quota_verifier.scheduler.run import State

ALONE = queue(2, share("A", 2, RESERVE))


def by_job(measure, run):
    return {job.id: value for job, value in zip(run.jobs, measure(columns(run)).tolist(), strict=True)}


def test_a_wait_runs_from_submission_to_the_first_start():
    run = ran(ALONE, job("a", "A", 0, 10, 2), job("b", "A", 4, 10), job("c", "A", 20, 10))
    assert by_job(waits, run) == {"a": 0, "b": 6000, "c": 0}


def test_a_job_that_never_started_has_an_unbounded_wait_and_is_counted():
    run = ran(ALONE, job("huge", "A", 0, 10, 3), job("b", "A", 1, 10))
    assert by_job(waits, run) == {"huge": UNBOUNDED, "b": UNBOUNDED}
    wait = summarize(run).shares[0].group.wait
    assert (wait.count, wait.never, wait.max) == (2, 2, None)


def test_a_job_that_was_not_yet_submitted_at_the_horizon_is_left_out():
    run = ran(ALONE, job("a", "A", 0, 10), job("late", "A", 30, 10), until=20)
    assert by_job(waits, run) == {"a": 0, "late": LEFT_OUT}
    assert by_job(turnarounds, run)["late"] == LEFT_OUT
    assert by_job(longest_waits, run)["late"] == LEFT_OUT
    assert summarize(run).queue.group.jobs.not_submitted == 1


def test_a_job_withdrawn_while_it_waits_waited_until_then():
    run = ran(ALONE, job("a", "A", 0, 10, 2), job("b", "A", 1, 5), updates=(JobUpdate(4000, "b", terminate=True),))
    assert by_job(waits, run) == {"a": 0, "b": 3000}
    assert by_job(turnarounds, run) == {"a": 10_000, "b": 3000}
    assert by_job(slowdowns, run) == {"a": 1000, "b": LEFT_OUT}


def test_a_time_limit_makes_a_wait_unbounded_not_short():
    limit = TimeLimitAction(TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED, 600_000)
    run = ran(queue(4, share("A", 2, RESERVE), time_limits=(limit,)), job("huge", "A", 0, 10, 3))
    assert run.outcomes[0].end == 600_000
    assert by_job(waits, run) == {"huge": UNBOUNDED}
    assert by_job(turnarounds, run) == {"huge": UNBOUNDED}
    assert by_job(longest_waits, run) == {"huge": UNBOUNDED}


def test_a_rejected_job_never_started():
    run = ran(ALONE, job("r", "A", 5, 10), updates=(ShareUpdate(1000, "A", enabled=False),))
    assert by_job(waits, run) == {"r": UNBOUNDED}
    assert by_job(longest_waits, run) == {"r": UNBOUNDED}
    assert summarize(run).queue.group.jobs.rejected == 1


def test_slowdown_is_turnaround_over_work_rounded_up_to_thousandths():
    run = ran(ALONE, job("a", "A", 0, 10, 2), job("b", "A", 5, 3, 2), job("none", "A", 6, 0, 2))
    assert by_job(slowdowns, run) == {"a": 1000, "b": 2667, "none": LEFT_OUT}


def test_a_job_that_fails_by_its_own_fault_has_a_turnaround_but_no_slowdown():
    run = ran(ALONE, job("f", "A", 0, 10, failures=(Failure(4000),)))
    assert by_job(turnarounds, run) == {"f": 4000}
    assert by_job(slowdowns, run) == {"f": LEFT_OUT}


def test_a_job_whose_preemption_retries_ran_out_never_ended_well():
    lent = queue(2, share("A", 1, BORROW), share("B", 1, LEND))
    run = ran(lent, job("v", "A", 0, 50, 2, preemption_retries=0), job("own", "B", 10, 5))
    assert by_job(turnarounds, run) == {"v": UNBOUNDED, "own": 5000}
    assert by_job(slowdowns, run) == {"v": UNBOUNDED, "own": 1000}


def test_preemptions_lost_work_and_thrash_of_a_job_that_is_preempted_twice():
    lent = queue(2, share("A", 1, BORROW), share("B", 1, LEND))
    run = ran(
        lent,
        job("v", "A", 0, 100, 2, checkpoint_ms=7000),
        job("own1", "B", 10, 5),
        job("own2", "B", 40, 5),
    )
    # v works 0-10 (keeps 7, loses 3), 15-40 (has 7 + 25 = 32, keeps 28, loses 4), 45-117
    figures = summarize(run)
    a, b = figures.shares
    assert (a.group.preempted_cross_share, a.group.preempted_in_share) == (2, 0)
    assert (a.group.preempted_jobs, a.group.preempted_again, a.group.repeated_preemptions) == (1, 1, 1)
    assert (a.group.lost_work_ms, a.group.lost_instance_time_ms) == (7000, 14_000)
    assert a.group.disruption_ratio == Fraction(14, 200)
    assert (b.preemptions_caused_cross_share, a.preemptions_caused_cross_share) == (2, 0)
    assert figures.queue.preemptions_per_reclaim == 1
    assert figures.queue.group.disruption_ratio == Fraction(14, 210)
    assert by_job(longest_waits, run) == {"v": 5000, "own1": 0, "own2": 0}
    assert run.outcomes[0].end == 117_000


def test_in_share_preemptions_are_told_from_cross_share_ones():
    one = queue(2, share("A", 2, RESERVE, in_share_preemption=True))
    run = ran(one, job("low", "A", 0, 10, 2), job("high", "A", 5, 10, 2, priority=1))
    (a,) = summarize(run).shares
    assert (a.group.preempted_cross_share, a.group.preempted_in_share) == (0, 1)
    assert (a.preemptions_caused_cross_share, a.preemptions_caused_in_share) == (0, 1)
    assert a.group.lost_work_ms == 5000


def test_the_longest_wait_counts_requeues_and_the_first_wait_does_not():
    lent = queue(1, share("A", 0, BORROW), share("B", 1, LEND))
    assert summarize(ran(lent, job("a", "B", 0, 1))).queue.group.longest_wait_ms == 0
    one = queue(2, share("A", 2, RESERVE, in_share_preemption=True))
    run = ran(one, job("low", "A", 0, 10, 2), job("high", "A", 5, 50, 2, priority=1))
    assert by_job(waits, run) == {"low": 0, "high": 0}
    assert by_job(longest_waits, run) == {"low": 50_000, "high": 0}


def test_a_spell_of_waiting_that_is_still_open_is_unbounded():
    one = queue(2, share("A", 2, RESERVE, in_share_preemption=True))
    run = ran(one, job("low", "A", 0, 10, 2), job("high", "A", 5, 50, 2, priority=1), until=20)
    assert by_job(longest_waits, run) == {"low": UNBOUNDED, "high": 0}
    assert summarize(run).queue.group.longest_wait_ms is None


def spells(run, index):
    """The times in one piece that a job was RUNNABLE, straight from the log; None for one still open."""
    began, found = None, []
    for event in run.events:
        if event.job == index and event.kind in (Kind.SUBMITTED, Kind.REQUEUED):
            began = event.at
        elif event.job == index and event.kind in (Kind.DISPATCHED, Kind.FAILED) and began is not None:
            found.append(event.at - began)
            began = None
    return [*found, None] if began is not None else found


@settings(max_examples=100, deadline=None)
@given(runs())
def test_measures_agree_with_the_records_read_one_by_one(run):
    wait, longest = by_job(waits, run), by_job(longest_waits, run)
    for index, (asked, outcome) in enumerate(zip(run.jobs, run.outcomes, strict=True)):
        if outcome.state is State.SUBMITTED:
            assert wait[asked.id] == longest[asked.id] == LEFT_OUT
            continue
        assert wait[asked.id] == (UNBOUNDED if outcome.first_start < 0 else outcome.first_start - asked.submit_ms)
        found = spells(run, index)
        assert longest[asked.id] == (UNBOUNDED if None in found else max(found))


@settings(max_examples=100, deadline=None)
@given(runs())
def test_reclaims_agree_with_the_log_read_one_by_one(run):
    owners, latencies = reclaim_latencies(columns(run))
    pending: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for event in run.events:
        if event.kind is Kind.PREEMPTED and event.reason is Reason.RECLAIM:
            pending.setdefault(event.by, event.at)
        elif event.kind is Kind.DISPATCHED and event.job in pending:
            found.append((event.job, event.at - pending.pop(event.job)))
    found += [(job, UNBOUNDED) for job in pending]
    assert sorted(zip(owners.tolist(), latencies.tolist(), strict=True)) == sorted(found)
