"""Bounds, determinism, and an honest account of what was not searched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count
from time import monotonic

import pytest
from search_worlds import LENT, RESERVED, THREE, TIMING, policy, searched

from quota_verifier.errors import InputError
from quota_verifier.policy import policy_from_data
from quota_verifier.report.search_document import search_document
from quota_verifier.report.search_text import search_report
from quota_verifier.report.text import rendered
from quota_verifier.search import Limits, search
from quota_verifier.search.searcher import SECONDS, TRIES_A_SECOND


def report(result) -> str:
    """The report, its lines joined."""
    return " ".join(rendered(search_report(result, None)).split())


HOLDS = "[{share: QS3, preemptions: 0}]"
SCRIPT = """\
import sys
sys.path[:0] = {paths!r}
from search_worlds import *
import json
from quota_verifier.report.search_document import search_document
read = policy("[{{share: QS1, starvation: <= 9h}}, {{thrash: <= 4}}]", timing=TIMING)
print(json.dumps(search_document(searched(RESERVED, read, tries=120, seed=3), "queue.yaml", None)))
"""


def document(queue, read, **rest):
    return json.dumps(search_document(searched(queue, read, **rest), "queue.yaml", None))


def test_one_seed_gives_the_same_bytes_whatever_the_hash_seed():
    script = SCRIPT.format(paths=[os.path.dirname(__file__), *sys.path])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["counterexample"] is not None


def test_another_seed_draws_other_workloads():
    read = policy("[{share: QS1, starvation: <= 40h}]", timing=TIMING)
    one, other = (searched(RESERVED, read, tries=130, seed=seed, under="default") for seed in (1, 2))
    assert one.claims[0].nearest != other.claims[0].nearest
    assert one.patterns == other.patterns < 130


def test_a_search_that_time_did_not_cut_is_that_without_a_limit():
    read = policy("[{share: QS2, reclaimed_within: 10s}]", timing=TIMING)
    with_time = search(RESERVED, read, limits=Limits(tries=300, seconds=600))
    without = searched(RESERVED, read)
    assert with_time.counterexample == without.counterexample
    assert with_time.simulations == without.simulations


def ticking(step: float):
    ticks = count()
    return lambda: next(ticks) * step


def test_time_ends_a_search_which_says_how_far_it_got():
    read = policy(HOLDS)
    result = search(RESERVED, read, limits=Limits(tries=500, seconds=10), clock=ticking(0.1))
    assert (result.stop, result.workloads) == ("time", 79)  # four fifths of 100 ticks; the first is the start
    text = report(result)
    assert "what time did not allow: 79 of 500 workloads were tried" in text
    assert "cut by --seconds 10 before 500" in text


def test_the_real_clock_is_kept_to():
    started = monotonic()
    result = search(RESERVED, policy(HOLDS, timing=TIMING), limits=Limits(tries=1_000_000, seconds=1.0))
    assert result.stop == "time"
    assert monotonic() - started < 3  # it ends after 0.8s; the rest is slack for a busy machine


def test_some_time_is_left_to_shrink_and_a_cut_is_told():
    read = policy("[{share: QS1, preemptions: 0}]", timing=TIMING)
    whole = searched(RESERVED, read)
    seconds = (whole.workloads + 2) / 0.8  # a tick for the start, and one for each workload
    assert whole.counterexample.steps_tried > seconds * 0.2
    result = search(RESERVED, read, limits=Limits(tries=500, seconds=seconds), clock=ticking(1))
    assert result.counterexample is not None
    assert not result.counterexample.complete
    assert "ended it, so smaller ones may break the claim too" in report(result)
    assert len(result.counterexample.jobs) >= len(whole.counterexample.jobs)


def test_the_number_of_tries_follows_from_the_time():
    found = [
        search(LENT, policy("[{share: QS1, preemptions: 0}]"), limits=limits).tries
        for limits in (Limits(), Limits(seconds=2), Limits(seconds=0.001), Limits(seconds=None), Limits(tries=7))
    ]
    assert found == [int(SECONDS * TRIES_A_SECOND), 2 * TRIES_A_SECOND, 1, int(SECONDS * TRIES_A_SECOND), 7]


def test_an_envelope_of_few_workloads_is_searched_to_its_end():
    few = "[{name: a, share: QS2, work: 1h, jobs: 1, end: 1ms}]"
    result = searched(RESERVED, policy("[{share: QS2, wait: <= 0s}]", few))
    assert (result.stop, result.workloads) == ("exhausted", 1)
    assert not any("sample" in gap or "more than" in gap for gap in result.not_searched)
    assert "all that the search can make" in report(result)


def test_what_was_not_searched_is_listed():
    classes = "[{name: a, share: QS1, work: {min: 5m, max: 1h}, instances: {min: 1, max: 40}}]"
    result = searched(RESERVED, policy("[{share: QS1, never_schedulable: <= 99}]", classes, horizon="6h"), tries=20)
    assert result.counterexample is None
    for said in (
        "further workloads of the envelope: those tried are a sample (more with --tries, others with --seed)",
        "class a: jobs of 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 26 more instances",
        "two or more assumptions changed together",
        "jobs of share QS2, QS3, for which the envelope has no class",
        "submissions from 6h on, and all else outside the envelope",
    ):
        assert said in result.not_searched
    assert any(gap.startswith("workloads of more than") for gap in result.not_searched)


def test_under_default_the_other_answers_are_not_searched():
    result = searched(RESERVED, policy(HOLDS), tries=10, under="default")
    assert result.profiles == 1
    assert "other answers to the open questions A1 to A10 (--under one-at-a-time)" in result.not_searched


def test_workloads_have_at_most_as_many_jobs_as_are_asked_for():
    result = searched(RESERVED, policy(HOLDS), tries=110, most_jobs=5)
    assert "workloads of more than 5 jobs (more with --jobs)" in result.not_searched


def test_no_gap_is_told_where_the_envelope_has_no_more_jobs():
    result = searched(RESERVED, policy(HOLDS, jobs=4), tries=110)
    assert not any("workloads of more than" in gap for gap in result.not_searched)


def test_a_percentile_over_few_jobs_is_its_worst_value_and_the_report_says_so():
    result = searched(LENT, policy("[{share: QS3, wait: {p95: <= 10s}}]", timing=TIMING))
    (note,) = result.counterexample.notes
    assert "p95 of fewer than 20 jobs is the worst of them" in note
    assert "--at-least 20" in note


def test_a_workload_may_have_to_hold_many_jobs_of_the_subject():
    classes = THREE.replace("at_most: {jobs: 1, per: 30m}", "at_most: {jobs: 2, per: 30m}")
    read = policy("[{share: QS3, wait: {p95: <= 5m}}]", classes, timing=TIMING)
    result = searched(RESERVED, read, at_least=20, under="default")
    waits = sorted(job.share for job in result.counterexample.jobs)
    assert waits.count("QS3") >= 20
    assert result.counterexample.notes == ()
    assert result.counterexample.measured.value > 300_000
    few = searched(RESERVED, read, under="default")
    assert len(few.counterexample.jobs) == 2


def test_more_jobs_than_the_envelope_allows_cannot_be_asked_for():
    with pytest.raises(InputError, match="workloads of 20 jobs are asked for, but the envelope allows 4 jobs"):
        searched(RESERVED, policy(HOLDS, jobs=4), at_least=20)


def test_a_class_that_can_never_submit_is_refused():
    late = {"name": "a", "share": "QS3", "rate": 1, "work": "1h", "start": "2d"}
    data = {
        "workload": {"generate": {"duration": "1d", "classes": [late]}},
        "expect": [{"share": "QS3", "preemptions": 0}],
    }
    with pytest.raises(InputError, match="no class of the envelope can submit anything"):
        searched(RESERVED, policy_from_data(data))
