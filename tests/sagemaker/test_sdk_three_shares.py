"""AWS's published example of three shares, through the unmodified SageMaker Python SDK."""

from __future__ import annotations

from typing import Any

import pytest
from sdk_environment import sdk_session

pytestmark = pytest.mark.xdist_group("sagemaker three shares")

RECLAIM = "Cross-share preemption triggered to reclaim borrowed capacity"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    with sdk_session("--stepped", "--stop", "0s") as session:
        return session.run("three_shares.py")


def running(step: dict[str, str]) -> set[str]:
    return {name for name, status in step.items() if status == "RUNNING"}


def test_high_runs_on_its_own_instance_and_med_on_a_borrowed_one_while_qs3_keeps_its_own(told: Any) -> None:
    assert told["steps"][0] == {"high": "RUNNING", "med": "RUNNING", "low": "RUNNABLE"}


def test_the_owner_takes_its_instance_back_from_the_borrower(told: Any) -> None:
    assert running(told["steps"][1]) == {"high", "qs2_job_1"}
    assert told["steps"][1]["med"] == "RUNNABLE"


def test_a_raised_priority_preempts_in_the_share(told: Any) -> None:
    assert told["updated"] == "low"
    assert running(told["steps"][2]) == {"low", "qs2_job_1"}
    assert told["steps"][2]["high"] == told["steps"][2]["med"] == "RUNNABLE"


def test_there_are_two_preemptions_and_no_more(told: Any) -> None:
    counts = {name: (summary or {}).get("preemptedAttemptCount", 0) for name, summary in told["preemptions"].items()}
    assert counts == {"high": 1, "med": 1, "low": 0, "qs2_job_1": 0}
    assert told["preemptions"]["med"]["recentPreemptedAttempts"][0]["statusReason"] == RECLAIM


def test_nothing_tries_to_leave_this_computer(told: Any) -> None:
    assert told["outside"] == []
