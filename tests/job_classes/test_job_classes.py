"""How jobs are set up for the share they go to."""

from __future__ import annotations

from typing import Any

import pytest

from quota_verifier.job_classes import check_job_classes
from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share, Strategy

HOUR = 3_600_000
UNIT = "ml.g5.xlarge"
SAFE: dict[str, Any] = {"checkpoint_ms": HOUR // 4, "preemption_retries": 3, "timeout_ms": 2 * HOUR}


def queue(strategy: Strategy = Strategy.LEND_AND_BORROW, borrow_limit: int | None = None, **share: Any) -> Queue:
    mine = Share("mine", {UNIT: 2}, strategy, borrow_limit, **share)
    return Queue(Environment({UNIT: 4}), (mine, Share("other", {UNIT: 2}, Strategy.LEND)))


def job(name: str = "job", **more: Any) -> Job:
    return Job(**{"id": name, "share": "mine", "submit_ms": 0, "work_ms": HOUR, "demand": {UNIT: 1}, **SAFE, **more})


def checks(where: Queue, *jobs: Job, updates: Any = ()) -> list[str]:
    return [finding.check for finding in check_job_classes(where, jobs, updates)]


def test_a_job_that_is_ready_for_preemption_has_no_finding() -> None:
    assert checks(queue(), job()) == []


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ({"checkpoint_ms": None}, "no_checkpoint"),
        ({"checkpoint_ms": HOUR}, "checkpoint_too_late"),
        ({"preemption_retries": None}, "unlimited_preemptions"),
        ({"preemption_retries": 0}, "fails_when_preempted"),
        ({"timeout_ms": None}, "no_timeout"),
        ({"demand": {UNIT: 5}}, "never_starts"),
        ({"demand": {"ml.p5.48xlarge": 1}}, "never_starts"),
    ],
)
def test_each_setting_that_is_wrong_is_found(setting: dict[str, Any], found: str) -> None:
    assert found in checks(queue(), job(**setting))


def test_a_timeout_shorter_than_the_work_is_an_error_where_each_run_starts_anew() -> None:
    short: dict[str, Any] = {"timeout_ms": HOUR // 2}
    assert checks(queue(Strategy.RESERVE), job(checkpoint_ms=None, **short)) == ["never_finishes"]
    assert checks(queue(), job(**short)) == []


@pytest.mark.parametrize(
    "where",
    [
        queue(Strategy.RESERVE),
        queue(Strategy.LEND),  # a lender that does not borrow stays within its own capacity
        queue(borrow_limit=0),
        Queue(Environment({UNIT: 4}), (Share("mine", {UNIT: 2}, Strategy.LEND_AND_BORROW),)),  # nobody lends
    ],
)
def test_a_share_that_cannot_borrow_needs_no_checkpoints(where: Queue) -> None:
    assert checks(where, job(checkpoint_ms=None, preemption_retries=None)) == []


def test_in_share_preemption_concerns_the_less_urgent_jobs_only() -> None:
    where = queue(Strategy.RESERVE, in_share_preemption=True)
    bare: dict[str, Any] = {"checkpoint_ms": None, "preemption_retries": None}
    found = check_job_classes(where, [job("low", **bare), job("high", priority=5, **bare)])
    assert [(finding.check, finding.example, finding.jobs) for finding in found] == [
        ("no_checkpoint", "low", 1),
        ("unlimited_preemptions", "low", 1),
    ]


def test_an_update_that_raises_a_priority_makes_victims() -> None:
    where = queue(Strategy.RESERVE, in_share_preemption=True)
    jobs = [job("one", checkpoint_ms=None), job("two", checkpoint_ms=None)]
    assert checks(where, *jobs) == []
    assert checks(where, *jobs, updates=[JobUpdate(5, "one", priority=1)]) == ["no_checkpoint"]


def test_jobs_of_one_class_are_one_finding_and_the_gravest_come_first() -> None:
    sweep: dict[str, Any] = {"checkpoint_ms": None, "labels": {"class": "sweep"}}
    jobs = [job("b", **sweep), job("a", **sweep), job("c", timeout_ms=None), job("d", demand={UNIT: 9})]
    found = check_job_classes(queue(), jobs)
    assert [(f.severity, f.job_class, f.jobs, f.example) for f in found] == [
        ("error", "", 1, "d"),
        ("warning", "sweep", 2, "a"),
        ("info", "", 1, "c"),
    ]
    assert check_job_classes(queue(), reversed(jobs)) == found
