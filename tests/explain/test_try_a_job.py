"""A dry run: what becomes of one more job, and who fares differently because of it."""

from __future__ import annotations

import json

import pytest
from small_worlds import BORROW, G5, LEND, P5, STOP_20, aws_jobs, job, queue, share, three_shares, workload

from quota_verifier.errors import InputError
from quota_verifier.explain import Standing, try_job
from quota_verifier.explain.trial import Answer
from quota_verifier.explain.trial_job import read_job
from quota_verifier.model import ShareUpdate


def test_a_job_within_its_share_runs_now_and_preempts_a_borrower():
    found = try_job(three_shares(), workload(*aws_jobs()[:3]), job("new", "QS2", 5))
    assert found.answer is Answer.RUNS_NOW
    assert [(each.rule, each.victims) for each in found.preempts] == [("R13", ("med",))]
    assert [(other.job, other.preemptions) for other in found.changed if other.job == "med"] == [("med", (0, 1))]


def test_nobody_else_fares_differently_on_an_idle_queue():
    found = try_job(three_shares(), workload(), job("new", "QS3", 5))
    assert (found.answer, found.preempts, found.changed) == (Answer.RUNS_NOW, (), ())


def test_a_job_that_waits_says_until_when_and_why():
    of = queue(2, share("A", 1), share("B", 1))
    found = try_job(of, workload(job("a", "A", 0, work=100)), job("new", "A", 10, work=20))
    assert found.answer is Answer.WAITS
    assert found.explanation.link.standing is Standing.OWN_LIMIT
    assert found.explanation.starts.starts[0].start.at_ms == 100_000


def test_the_interval_over_the_assumptions_belongs_to_the_answer():
    of = queue(3, share("A", 1, BORROW), share("B", 1, LEND))
    found = try_job(of, workload(job("a", "A", 0, 2, work=100)), job("new", "A", 10, work=20))
    (turned,) = found.explanation.starts.turned
    assert (turned.profile, turned.start.at_ms) == (("A6=borrowable",), 10_000)


def test_whom_it_delays_is_seen_by_comparison_with_the_run_without_it():
    of = queue(1, share("A", 1))
    found = try_job(of, workload(job("a", "A", 0, work=10), job("b", "A", 5, work=10)), job("new", "A", 1, work=7))
    (other,) = found.changed
    assert (other.job, other.first_start, other.end, other.preemptions) == (
        "b",
        (10_000, 17_000),
        (20_000, 27_000),
        (0, 0),
    )


def test_a_job_that_preempts_later_tells_so_though_it_waits_now():
    of = queue(2, share("A", 1, BORROW), share("B", 1, LEND))
    found = try_job(of, workload(job("a0", "A", 0), job("a1", "A", 0)), job("new", "B", 10), timing=STOP_20)
    assert (found.answer, found.explanation.link.standing) == (Answer.WAITS, Standing.BEING_RELEASED)
    assert found.preempts[0].victims == ("a1",)


def test_a_job_too_large_never_starts_and_one_for_a_disabled_share_is_rejected():
    of = queue(2, share("A", 1), share("B", 1))
    assert try_job(of, workload(), job("new", "A", 1, 2)).answer is Answer.NEVER_STARTS
    off = workload(updates=[ShareUpdate(500, "A", enabled=False)])
    assert try_job(of, off, job("new", "A", 1)).answer is Answer.REJECTED


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(InputError, match="has a job 'high' already"):
        try_job(three_shares(), workload(*aws_jobs()), job("high", "QS1", 1))


def test_a_job_is_read_in_the_words_of_workload_files():
    text = json.dumps({"share": "QS1", "work": "1h", "instances": 2, "priority": 3, "checkpoint": "10m"})
    found = read_job(text, three_shares(), workload(*aws_jobs()), 4_000)
    assert (found.id, found.share, found.submit_ms, found.work_ms) == ("tried", "QS1", 4_000, 3_600_000)
    assert (found.demand, found.priority, found.checkpoint_ms) == ({G5: 2}, 3, 600_000)
    assert (
        read_job("{share: QS1, work: 1h, instances: 1, submit: 5m}", three_shares(), workload(), None).submit_ms
        == 300_000
    )
    assert read_job(text, three_shares(), workload(job("tried", "QS1", 0)), 0).id == "tried-2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{share: QS4, work: 1h, instances: 1}", "--job: share: the queue has no share 'QS4'; known are QS1, QS2, QS3"),
        ("{share: QS1, instances: 1}", "--job: work: is missing; add 'work'"),
        ("{share: QS1, work: 1h, instance: 1}", "--job: instance: unknown key 'instance'; did you mean 'instances'?"),
        ("{share: QS1, work: 1h, instances: 0}", "--job: instances: 0 is below 1; write 1 or more"),
        ("[1]", "--job: this is no job; write '{share: QS1, work: 1h, instances: 2}'"),
        (" ", "--job: this is no job; write '{share: QS1, work: 1h, instances: 2}'"),
        (
            "{share: QS1, work: 1h, instances: 1, submit: '2026-03-01T08:00:00Z'}",
            "--job: submit: submit is a date; write a duration such as 4h",
        ),
    ],
)
def test_a_job_that_cannot_be_read_gets_one_clear_message(text, message):
    with pytest.raises(InputError) as caught:
        read_job(text, three_shares(), workload(), None)
    assert str(caught.value) == message


def test_instances_count_the_unit_that_is_named_where_the_queue_has_two():
    of = queue({G5: 1, P5: 1}, share("A", {G5: 1, P5: 1}))
    text = "{share: A, work: 1h, instances: 1}"
    assert read_job(text, of, workload(), None, P5).demand == {P5: 1}
    with pytest.raises(InputError, match="instances of which unit\\? 2 are in play"):
        read_job(text, of, workload(), None)


def test_two_submit_times_are_one_too_many():
    with pytest.raises(InputError, match="submit is given beside --at"):
        read_job("{share: QS1, work: 1h, instances: 1, submit: 5m}", three_shares(), workload(), 0)
