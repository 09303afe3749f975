"""Every measure of a claim, with values worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from policy_helpers import G5, LENT, NOTEBOOK, P5, judged, one

from quota_verifier.model import Environment, Queue, Share, Strategy

RETURNING = """
jobs:
  - {id: v, share: A, work: 100s, instances: 4, checkpoint: 7s}
  - {id: own1, share: B, submit: 10s, work: 5s, instances: 2, labels: {class: urgent}}
  - {id: own2, share: B, submit: 40s, work: 5s, instances: 1, labels: {team: x}}
"""
"""v works 0-10 (keeps 7, loses 3), 15-40 (keeps 28 of 32, loses 4), 45-117; the owners start at once."""


@pytest.mark.parametrize(
    ("claim", "value", "text", "holds"),
    [
        ("{wait: {max: <= 0s}}", 0, "0s", True),
        ("{share: A, turnaround: {max: <= 1m}}", 117_000, "117s", False),
        ("{share: B, turnaround: {mean: <= 5s}}", 5000, "5s", True),
        ("{share: A, slowdown: <= 1.2}", Fraction(117, 100), "1.17", True),
        ("{share: A, slowdown: {p50: < 1.17}}", Fraction(117, 100), "1.17", False),
        ("{share: A, starvation: <= 5s}", 5000, "5s", True),
        ("{share: A, starvation: < 5s}", 5000, "5s", False),
        ("{share: A, preemptions: 2}", 2, "2", True),
        ("{share: A, preemptions: {cross_share: 2}}", 2, "2", True),
        ("{share: A, preemptions: {in_share: 0}}", 0, "0", True),
        ("{share: B, preemptions: {caused: <= 1}}", 2, "2", False),
        ("{preemptions: {max: <= 1}}", 2, "2", False),
        ("{class: urgent, preemptions: {caused: 1}}", 1, "1", True),
        ("{class: {team: x}, preemptions: {caused: 1}}", 1, "1", True),
        ("{class: team=x, preemptions: 0}", 0, "0", True),
        ("{thrash: 0}", 1, "1", False),
        ("{share: B, thrash: 0}", 0, "0", True),
        ("{lost_work: <= 28s}", 28_000, "28s", True),
        ("{lost_work: {max: <= 20s}}", 28_000, "28s", False),
        ("{share: B, lost_work: 0}", 0, "0s", True),
        ("{disruption_ratio: <= 6.7%}", Fraction(28, 415), "6.75%", False),
        ("{disruption_ratio: <= 7%}", Fraction(28, 415), "6.7%", True),
        ("{never_schedulable: 0}", 0, "0", True),
        ("{finished: all}", Fraction(1), "100%", True),
        ("{finished: 3}", 3, "3", True),
        ("{share: B, reclaimed_within: 0s}", 0, "0s", True),
        # v holds 4 x 107 s, the owners 2 x 5 s and 1 x 5 s, of 4 x 117 s
        ("{utilization: '>= 94%'}", Fraction(443, 468), "94.7%", True),
        ("{share: B, utilization: <= 6%}", Fraction(15, 234), "6.4%", False),
        ("{share: A, unit: ml.g5.xlarge, utilization: <= 200%}", Fraction(428, 234), "182.9%", True),
    ],
)
def test_a_measure_is_what_it_comes_to_by_hand(claim, value, text, holds):
    verdict = one(LENT, RETURNING, claim)
    assert (verdict.measured.value, verdict.measured.text) == (value, text)
    assert verdict.verdict == ("holds" if holds else "fails")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("{share: A, wait: {p95: <= 5m}}", "share A: wait p95 <= 5m"),
        ("{wait: <= 5m}", "queue: every wait <= 5m"),
        ("{class: urgent, unit: ml.g5.xlarge, preemptions: 0}", "class urgent, unit ml.g5.xlarge: preemptions == 0"),
        ("{class: team=x, preemptions: {in_share: <= 1}}", "class team=x: preemptions in-share <= 1"),
        ("{share: B, reclaimed_within: 1m}", "share B: every reclaim <= 1m"),
        ("{lost_work: <= 1h}", "queue: lost work <= 1h"),
        ("{job: v, starts: 0}", "job v: starts == 0s"),
        ("{job: v, state: SUCCEEDED}", "job v: state SUCCEEDED at the end"),
        ("{at: 5s, running: v}", "queue: running v at 5s"),
        ("{at: 5s, share: B, waiting: []}", "share B: waiting nothing at 5s"),
        ("{job: own1, preempted_by: []}", "job own1: preempted by nobody"),
    ],
)  # fmt: skip
def test_a_claim_says_what_it_claims(claim, text):
    assert one(LENT, RETURNING, claim).claim.text == text


def test_a_claim_with_several_measures_is_several_verdicts():
    found = judged(LENT, RETURNING, "- {share: A, wait: {p50: <= 1s, max: <= 2s}, preemptions: 0}")
    assert [(v.claim.text, v.verdict) for v in found.verdicts] == [
        ("share A: wait p50 <= 1s", "holds"),
        ("share A: wait max <= 2s", "holds"),
        ("share A: preemptions == 0", "fails"),
    ]
    assert not found.ok


def test_a_failure_names_the_worst_job_the_others_and_the_instant():
    jobs = """
    jobs:
      - {id: a, share: B, work: 60s, instances: 2}
      - {id: b, share: B, submit: 10s, work: 60s, instances: 2}
      - {id: c, share: B, submit: 20s, work: 60s, instances: 2}
    """
    measured = one(LENT, jobs, "{share: B, wait: {p50: <= 10s}}").measured
    assert (measured.text, measured.job, measured.at_ms) == ("50s", "c", 20_000)
    assert measured.detail == "2 of 3 jobs above 10s; worst c: 100s"
    measured = one(LENT, jobs, "{share: B, wait: {min: '> 0s'}}").measured
    assert (measured.job, measured.detail) == ("a", "1 of 3 jobs below 0s; least a: 0s")


def test_an_every_claim_with_equality_speaks_of_every_job():
    jobs = "jobs: [{id: a, share: B, work: 60s, instances: 2}, {id: b, share: B, work: 6s, instances: 2}]"
    assert one(LENT, jobs, "{wait: == 0s}").measured.text == "1m"
    assert one(LENT, jobs, "{wait: == 1m}").measured.text == "0s"
    assert one(LENT, "jobs: [{id: a, share: B, work: 1s, instances: 1}]", "{wait: 0}").ok


def test_a_job_that_never_starts_fails_an_upper_bound_and_is_shown():
    jobs = (
        "jobs: [{id: huge, share: B, work: 1s, instances: 3}, {id: next, share: B, submit: 1s, work: 1s, instances: 1}]"
    )
    measured = one(LENT, jobs, "{share: B, wait: {p95: <= 52w}}").measured
    assert (measured.holds, measured.value, measured.text) == (False, None, "never")
    assert measured.detail == "2 of 2 jobs above 364d, 2 never started; worst huge: never"
    assert one(LENT, jobs, "{share: B, turnaround: <= 1w}").measured.detail.startswith(
        "2 of 2 jobs above 7d, 2 never ended"
    )
    assert not one(LENT, jobs, "{share: B, starvation: <= 1w}").ok
    assert one(LENT, jobs, "{share: B, wait: '>= 1h'}").ok


def test_starvation_names_the_size_class_and_looks_at_the_longest_spell():
    jobs = """
    jobs:
      - {id: v, share: A, work: 100s, instances: 4}
      - {id: own, share: B, submit: 10s, work: 50s, instances: 2}
    """
    measured = one(LENT, jobs, "{starvation: <= 30s}").measured
    assert (measured.text, measured.job, measured.at_ms) == ("50s", "v", 10_000)
    assert measured.detail == "1 of 2 jobs above 30s; worst v: 50s; size class 3-4"


def test_a_never_schedulable_job_is_counted_with_its_reason():
    jobs = "jobs: [{id: ok, share: B, work: 1s, instances: 1}, {id: z, share: B, submit: 1s, work: 1s, instances: 3}]"
    measured = one(LENT, jobs, "{never_schedulable: 0}").measured
    assert (measured.value, measured.job) == (1, "z")
    assert measured.detail == (
        "z asks for 3 ml.g5.xlarge, at most 2 can start: MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - "
        "Job requirements exceed quota share capacity limits."
    )
    finished = one(LENT, jobs, "{finished: 100%}").measured
    assert finished.text == "50%"
    assert finished.detail.startswith("1 of 2 jobs; z is RUNNABLE (MISCONFIGURATION:")


def test_a_reclaim_waits_for_the_stop_and_for_owners_that_preempt_nobody():
    jobs = (
        "jobs: [{id: v, share: A, work: 100s, instances: 4}, {id: own, share: B, submit: 10s, work: 5s, instances: 2}]"
    )
    timing = {"stop": "20s"}
    assert one(LENT, jobs, "{share: B, reclaimed_within: 20s}", timing=timing).ok
    measured = one(LENT, jobs, "{share: B, reclaimed_within: 19s}", timing=timing).measured
    assert (measured.text, measured.job, measured.at_ms) == ("20s", "own", 10_000)
    assert measured.detail == "1 of 1 start above 19s; worst own: 20s"
    promised = Queue(Environment({G5: 2}), (Share("A", {G5: 2}, Strategy.LEND), Share("B", {G5: 2}, Strategy.LEND)))
    jobs = "jobs: [{id: a, share: A, work: 100s, instances: 2}, {id: b, share: B, submit: 10s, work: 5s, instances: 2}]"
    assert one(promised, jobs, "{share: B, reclaimed_within: {p95: 1m}}").measured.text == "90s"
    assert not one(promised, jobs, "{share: B, reclaimed_within: 1m}", until="30s").ok


def test_idle_reserved_is_over_the_capacity_or_over_the_shares_own_limit():
    jobs = "jobs: [{id: a, share: QS1, work: 100s, instances: 1}]"
    assert one(NOTEBOOK, jobs, "{idle_reserved: <= 30%}").measured.text == "33.3%"
    assert one(NOTEBOOK, jobs, "{share: QS3, idle_reserved: == 100%}").ok
    assert one(NOTEBOOK, jobs, "{unit: ml.g5.xlarge, idle_reserved: <= 34%}").ok


def test_a_unit_picks_jobs_and_capacity():
    queue = Queue(Environment({G5: 2, P5: 1}), (Share("A", {G5: 2, P5: 1}),))
    jobs = """
    jobs:
      - {id: g, share: A, work: 100s, demand: {ml.g5.xlarge: 1}}
      - {id: p, share: A, work: 50s, demand: {ml.p5.48xlarge: 1}}
    """
    assert one(queue, jobs, "{unit: ml.p5.48xlarge, turnaround: <= 50s}").ok
    assert one(queue, jobs, "{unit: ml.p5.48xlarge, utilization: == 50%}").ok
    assert one(queue, jobs, "{utilization: == 50%}").ok


def test_a_measure_of_nothing_is_not_proven():
    jobs = "jobs: [{id: f, share: B, work: 10s, instances: 1, fails: [{after: 4s}]}]"
    measured = one(LENT, jobs, "{slowdown: <= 100}").measured
    assert (measured.holds, measured.text) == (False, "nothing to measure")


def test_work_lost_without_any_delivered_is_an_unbounded_disruption():
    jobs = """
    jobs:
      - {id: v, share: A, work: 100s, instances: 4, preemption_retries: 0}
      - {id: own, share: B, submit: 10s, work: 5s, instances: 2}
    """
    assert not one(LENT, jobs, "{share: A, disruption_ratio: <= 100%}").ok
    assert one(LENT, jobs, "{share: B, disruption_ratio: 0}").ok


def test_jobs_after_the_horizon_are_no_part_of_a_claim():
    jobs = "jobs: [{id: a, share: B, work: 10s, instances: 1}, {id: z, share: B, submit: 1h, work: 1s, instances: 1}]"
    assert one(LENT, jobs, "{finished: 1}", until="30s").ok
    assert one(LENT, jobs, "{finished: 100%}", until="30s").ok
    assert one(LENT, jobs, "{wait: <= 0s}", until="30s").ok
