"""Each call of the SageMaker Python SDK's aws_batch module, unmodified, against the emulator."""

from __future__ import annotations

from typing import Any

import pytest
from sdk_environment import sdk_session

pytestmark = pytest.mark.xdist_group("sagemaker calls")


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    with sdk_session("--stepped", "--stop", "0s") as session:
        return session.run("every_call.py")


def test_what_is_submitted_is_what_is_described(told: Any) -> None:
    assert told["submitted"] == ["SUBMITTED"] * 3
    described = told["described"]
    assert (described["status"], described["quotaShareName"]) == ("RUNNING", "QS2")
    assert described["retryStrategy"] == {
        "attempts": 2,
        "evaluateOnExit": [{"action": "RETRY", "onStatusReason": "*"}],
    }
    assert described["preemptionConfiguration"] == {"preemptionRetriesBeforeTermination": 2}
    assert described["timeoutConfig"] == {"attemptDurationSeconds": 600}
    assert described["tags"]["team"] == "vision"


def test_priority_0_is_lost_on_the_way_but_reads_as_0(told: Any) -> None:
    assert told["described"]["schedulingPriority"] == 0


def test_map_takes_no_preemption_settings(told: Any) -> None:
    kind, text = told["no_preemption_config_in_map"]
    assert kind == "TypeError"
    assert "preemption_config" in text


def test_the_submit_helper_takes_the_training_request_of_the_sdk_and_sends_what_map_does_not(told: Any) -> None:
    assert told["receipts"] == ["SUBMITTED"] * 2
    assert told["helped"] == [0, {"preemptionRetriesBeforeTermination": 2}]


def test_lists_go_by_status_share_and_name(told: Any) -> None:
    assert told["running"] == ["m1", "one"]  # newest first
    assert told["waiting"] == told["by_share"] == ["m2"]
    assert told["got"] == ["m1", ["ValueError", "Cannot find job: nobody"]]


def test_a_list_goes_on_over_its_pages(told: Any) -> None:
    # 230 jobs, of which the share's own instance and the lender's run one each
    assert len(told["listed"]) == len(set(told["listed"])) == 228


def test_an_update_changes_the_priority_of_the_job(told: Any) -> None:
    assert told["updated"] == [True, "m2", 7]


def test_a_running_job_gives_its_model_trainer_back_and_a_waiting_one_says_why_not(told: Any) -> None:
    name, image, instance_type = told["trainer"]
    assert name == told["training_job"]
    assert name.startswith("AWSBatchhello")
    assert (image, instance_type) == (True, "ml.g5.xlarge")
    assert told["no_training_job"] == ["NoTrainingJob", "NoTrainingJob"]


def test_a_terminated_job_fails_with_the_reason(told: Any) -> None:
    kind, text = told["failed"]
    assert (kind, text) == ("RuntimeError", "not needed any more")


def test_wait_and_result_give_up_at_their_timeout_and_come_to_an_end_otherwise(told: Any) -> None:
    assert (told["waited"], told["late"]) == ("RUNNING", "TimeoutError")
    assert told["succeeded"] == ["SUCCEEDED", "SUCCEEDED"]


def test_training_files_go_to_the_bucket_and_nothing_tries_to_leave_this_computer(told: Any) -> None:
    assert told["staged"]
    assert told["outside"] == []
