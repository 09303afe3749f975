"""Exact outcomes of single jobs and instants, on AWS's worked example (C01)."""

from __future__ import annotations

import pytest
from policy_helpers import NOTEBOOK, NOTEBOOK_JOBS, judged, one


def test_the_worked_example_comes_out_as_aws_says():
    found = judged(
        NOTEBOOK,
        NOTEBOOK_JOBS,
        """
        - {at: 0s, running: [high, med], waiting: [low]}
        - {at: 10s, running: [high, qs2j]}
        - {at: 20s, running: [low, qs2j], waiting: [high, med]}
        - {at: 20s, share: QS1, running: low}
        - {job: med, preempted_by: [qs2j], preemptions: 1}
        - {job: high, preempted_by: low, state: RUNNABLE, at: 25s}
        - {preemptions: 2}
        - {share: QS3, idle_reserved: == 100%}
        """,
    )
    assert [verdict.verdict for verdict in found.verdicts] == ["holds"] * 12


@pytest.mark.parametrize(
    ("claim", "text", "holds"),
    [
        ("{job: low, starts: 20s}", "20s", True),
        ("{job: low, starts: <= 19s}", "20s", False),
        ("{job: low, ends: 3620s}", "1h20s", True),
        ("{job: high, ends: never}", "1h2h", False),
        ("{job: low, state: SUCCEEDED}", "SUCCEEDED", True),
        ("{job: low, state: RUNNABLE, at: 19.999s}", "RUNNABLE", True),
        ("{job: low, state: RUNNING, at: 20s}", "RUNNING", True),
        ("{job: qs2j, state: SUBMITTED, at: 9.999s}", "SUBMITTED", True),
        ("{job: qs2j, state: SUCCEEDED, at: 3610s}", "SUCCEEDED", True),
        ("{job: qs2j, state: RUNNING, at: 3609.999s}", "RUNNING", True),
        ("{job: med, state: RUNNING, at: 15s}", "RUNNABLE", False),
        ("{job: med, preempted_by: []}", "qs2j", False),
        ("{job: med, preempted_by: [low]}", "qs2j", False),
        ("{job: low, preempted_by: []}", "nobody", True),
        ("{job: low, wait: 20s}", None, None),
        ("{job: low, wait: == 20s}", "20s", True),
        ("{job: med, lost_work: == 10s}", "10s", True),
    ],
)
def test_a_claim_on_one_job(claim, text, holds):
    if text is None:
        with pytest.raises(ValueError, match="does not say how to compare"):
            one(NOTEBOOK, NOTEBOOK_JOBS, claim)
        return
    verdict = one(NOTEBOOK, NOTEBOOK_JOBS, claim)
    if claim != "{job: high, ends: never}":
        assert verdict.measured.text == text
    assert verdict.ok is holds


def test_a_job_that_is_starting_is_scheduled_and_counts_as_running():
    found = judged(
        NOTEBOOK,
        NOTEBOOK_JOBS,
        """
        - {job: high, state: SCHEDULED, at: 5s}
        - {at: 5s, running: [high, med]}
        - {job: high, state: RUNNING, at: 8s}
        """,
        timing={"startup": "8s"},
    )
    assert found.ok


def test_a_job_that_is_stopping_still_holds_its_capacity():
    found = judged(
        NOTEBOOK,
        NOTEBOOK_JOBS,
        """
        - {at: 12s, running: [high, med], waiting: [low, qs2j]}
        - {at: 15s, running: [high, qs2j]}
        """,
        timing={"stop": {"default": 1, "ml.g5.xlarge": "5s"}},
    )
    assert found.ok


def test_a_wrong_set_says_who_is_missing_and_who_is_too_many():
    measured = one(NOTEBOOK, NOTEBOOK_JOBS, "{at: 10s, running: [med, qs2j]}").measured
    assert measured.text == "high, qs2j"
    assert measured.detail == "not running: med; too: high"
    assert (measured.job, measured.at_ms) == ("med", 10_000)


def test_a_job_that_never_starts_never_starts():
    jobs = "jobs: [{id: huge, share: QS3, work: 1s, instances: 2}]"
    assert judged(NOTEBOOK, jobs, "- {job: huge, starts: never, ends: never, state: RUNNABLE}").ok
    measured = one(NOTEBOOK, jobs, "{job: huge, starts: <= 1h}").measured
    assert (measured.holds, measured.text, measured.detail) == (False, "never", "it is RUNNABLE")


def test_a_rejected_job_has_the_state_rejected():
    jobs = """
    jobs: [{id: a, share: QS3, submit: 5s, work: 1s, instances: 1}]
    updates: [{at: 1s, share: QS3, state: DISABLED}]
    """
    assert judged(NOTEBOOK, jobs, "- {job: a, state: REJECTED, starts: never}").ok
    assert one(NOTEBOOK, jobs, "{job: a, state: REJECTED, at: 6s}").ok
