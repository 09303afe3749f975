"""Counterexamples that can be found by hand, and claims that no workload breaks."""

from __future__ import annotations

import pytest
from search_worlds import G5, LENT, RESERVED, THREE, TIMING, jobs_by_share, policy, searched

from quota_verifier.model import Environment, Queue, Share, Strategy

GANGS = THREE.replace("priority:", "instances: [1, 2, 3], priority:")


def shape(result):
    return [(job.share, job.instances, job.submit_ms, job.work_ms, job.priority) for job in result.counterexample.jobs]


def test_a_wait_is_broken_by_two_jobs_that_do_not_fit_their_share_together():
    # Nothing keeps the jobs of QS3 apart, so the second waits for the first: 6m is the least whole minute above 5m.
    two = "[{name: urgent, share: QS3, work: {min: 1m, max: 20m}}]"
    result = searched(RESERVED, policy("[{share: QS3, wait: {p95: <= 5m}}]", two))
    assert shape(result) == [("QS3", 1, 0, 360_000, 0)] * 2
    assert result.counterexample.measured.text == "6m"


def test_a_lender_waits_for_the_borrower_of_its_instance_to_stop():
    # All three instances must be taken before QS3 has to take one back: QS1 holds its own and two that it borrows.
    # They must be RUNNING, for a SCHEDULED job stops at once (R3): so QS3 comes 3m after them, the startup time.
    read = policy("[{share: QS3, wait: {p95: <= 10s}}]", GANGS, timing=TIMING)
    result = searched(LENT, read)
    assert shape(result) == [("QS1", 3, 0, 300_000, 0), ("QS3", 1, 180_000, 300_000, 0)]
    assert result.counterexample.measured.value == 20_000
    assert searched(RESERVED, read).counterexample is None


def test_without_gangs_it_takes_a_borrower_on_every_instance():
    result = searched(LENT, policy("[{share: QS3, wait: {p95: <= 10s}}]", timing=TIMING))
    assert jobs_by_share(result) == {"QS1": 3, "QS3": 1}


def test_a_reclaim_is_broken_by_the_stop_time_of_one_borrower():
    # QS2's instance is taken once QS1 holds two; the third is reserved.
    result = searched(RESERVED, policy("[{share: QS2, reclaimed_within: 10s}]", timing=TIMING))
    assert shape(result) == [
        ("QS1", 1, 0, 300_000, 0),
        ("QS1", 1, 0, 300_000, 0),
        ("QS2", 1, 180_000, 300_000, 0),
    ]
    assert result.counterexample.measured.text == "20s"


def test_a_borrower_is_preempted_once_an_owner_comes():
    result = searched(RESERVED, policy("[{share: QS1, preemptions: {cross_share: 0}}]"))
    assert jobs_by_share(result) == {"QS1": 2, "QS2": 1}
    assert result.counterexample.measured.value == 1


def test_a_gang_is_a_smaller_counterexample_than_two_jobs():
    result = searched(RESERVED, policy("[{share: QS1, preemptions: {cross_share: 0}}]", GANGS))
    assert shape(result)[0][:2] == ("QS1", 2)
    assert jobs_by_share(result) == {"QS1": 1, "QS2": 1}


def test_a_job_that_can_never_start_breaks_every_bound_alone():
    large = "[{name: large, share: QS2, work: 1h, instances: {min: 1, max: 8}}]"
    result = searched(RESERVED, policy("[{share: QS2, wait: <= 10h}]", large))
    assert shape(result) == [("QS2", 2, 0, 3_600_000, 0)]
    assert result.counterexample.measured.value is None
    assert result.counterexample.measured.text == "never"


def test_a_claim_that_one_assumption_alone_breaks_is_found_with_that_assumption():
    # Capacity that no share owns can be borrowed under A6=borrowable alone.
    queue = Queue(Environment({G5: 2}), (Share("A", {G5: 1}, Strategy.LEND_AND_BORROW),))
    read = policy("[{share: A, utilization: <= 100%}]", "[{name: a, share: A, work: {min: 1m, max: 1h}}]")
    result = searched(queue, read)
    assert result.counterexample.changed == ("A6=borrowable",)
    assert len(result.counterexample.jobs) == 2
    assert searched(queue, read, under="default").counterexample is None


def test_shrinking_sets_an_assumption_back_that_does_not_matter():
    # Found under whatever profile, the claim fails under the base one too.
    result = searched(RESERVED, policy("[{share: QS1, preemptions: 0}]"), assume=["A7=oldest"])
    assert result.counterexample.changed == ()
    assert result.counterexample.assumptions.victim_order == "oldest"


@pytest.mark.parametrize(
    "claim",
    [
        "{share: QS3, preemptions: 0}",  # I4, and it has no lower priorities in its share
        "{share: QS2, preemptions: 0}",  # it does not borrow, and in-share preemption is off
        "{share: QS1, never_schedulable: 0}",
        "{share: QS3, utilization: <= 100%}",  # I2
        "{share: QS2, reclaimed_within: 20s}",  # R13, R14: one stop time
    ],
)
def test_what_the_rules_promise_is_not_broken(claim):
    result = searched(RESERVED, policy(f"[{claim}]", timing=TIMING), tries=110)
    assert result.counterexample is None
    assert (result.stop, result.workloads) == ("tries", 110)
    assert result.claims[0].status == "not broken"


def test_a_job_at_a_time_of_a_reserved_share_never_waits():
    # I10; it is 23m from dispatch to end, and the next comes 30m later at the earliest.
    result = searched(RESERVED, policy("[{share: QS3, wait: <= 0s}]", timing=TIMING), tries=300, under="default")
    assert result.counterexample is None
    assert result.claims[0].nearest.value == 0


def test_owners_that_come_and_go_are_a_pattern():
    result = searched(RESERVED, policy("[{thrash: <= 2}]", timing=TIMING))
    assert result.counterexample.made_by == "owners that come and go"
    assert result.counterexample.measured.value == 3


def test_near_misses_are_climbed_where_patterns_do_not_reach():
    # Some 8 jobs of 4h each must go before one of QS1 on the three instances that it can get.
    result = searched(
        RESERVED, policy("[{share: QS1, starvation: <= 30h}]", timing=TIMING), tries=1000, under="default"
    )
    assert result.workloads > result.patterns
    assert result.counterexample.made_by == "a changed near miss"


def test_the_search_ends_at_the_first_claim_that_breaks():
    read = policy("[{share: QS3, preemptions: 0}, {share: QS1, preemptions: 0}, {utilization: '>= 99%'}]")
    result = searched(RESERVED, read)
    assert result.counterexample.number == 3
    assert [claim.status for claim in result.claims] == ["not broken", "not broken", "broken"]
    picked = searched(RESERVED, read, claims=["QS1.preemptions"])
    assert [(claim.number, claim.status) for claim in picked.claims] == [(2, "broken")]
