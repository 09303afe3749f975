"""Every operation on jobs and tags, through boto3: fields, pages, filters, errors, and AWS's example step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError
from running_emulator import UNIT, RunningEmulator, payload, running_emulator, small_queue, submit


@pytest.fixture(scope="module")
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped") as running:
        yield running


@pytest.fixture
def batch(emulator: RunningEmulator) -> Any:
    return emulator.batch


def refused(call: Any, **request: Any) -> str:
    with pytest.raises(ClientError) as caught:
        call(**request)
    assert caught.value.response["Error"]["Code"] == "ClientException"
    return caught.value.response["message"]


def status(batch: Any, job: str) -> str:
    return batch.describe_service_job(jobId=job)["status"]


def test_awss_three_shares_step_by_step(emulator: RunningEmulator, batch: Any):
    """Case C01: lending, then reclaim by the owner, then in-share preemption; QS3's instance is idle throughout."""
    shares = small_queue(batch, "c01")

    def running() -> set[str]:
        listed = batch.list_service_jobs(jobQueue="c01", jobStatus="RUNNING")["jobSummaryList"]
        return {job["jobName"] for job in listed}

    jobs = {
        name: submit(batch, "c01", "QS1", name, work="10h", schedulingPriority=priority)
        for name, priority in (("high", 3), ("med", 2), ("low", 1))
    }
    emulator.advance(0)
    assert running() == {"high", "med"}
    emulator.advance(10)
    jobs["qs2"] = submit(batch, "c01", "QS2", "qs2", work="10h", schedulingPriority=1)
    emulator.advance(20)
    assert running() == {"high", "qs2"}
    assert batch.update_service_job(jobId=jobs["low"], schedulingPriority=4)["jobArn"] == jobs["low"]
    emulator.advance(20)
    assert running() == {"low", "qs2"}

    summaries = {name: batch.describe_service_job(jobId=job).get("preemptionSummary") for name, job in jobs.items()}
    counts = {name: told["preemptedAttemptCount"] for name, told in summaries.items() if told}
    assert counts == {"high": 1, "med": 1}
    assert [status(batch, jobs[name]) for name in ("high", "med")] == ["RUNNABLE", "RUNNABLE"]
    listed = batch.list_service_jobs(jobQueue="c01", filters=[{"name": "QUOTA_SHARE_NAME", "values": ["QS3"]}])
    assert listed["jobSummaryList"] == []
    assert set(shares) == {"QS1", "QS2", "QS3"}


def test_a_job_tells_what_it_was_submitted_with(emulator: RunningEmulator, batch: Any):
    small_queue(batch, "told")
    arn = submit(
        batch, "told", "QS3", "job", work="1m", schedulingPriority=0, tags={"team": "vision"},
        retryStrategy={"attempts": 3, "evaluateOnExit": [{"action": "Retry", "onStatusReason": "*"}]},
        timeoutConfig={"attemptDurationSeconds": 3600},
        preemptionConfiguration={"preemptionRetriesBeforeTermination": 0},
    )  # fmt: skip
    emulator.advance(0)
    told = batch.describe_service_job(jobId=arn)
    assert (told["jobName"], told["quotaShareName"], told["schedulingPriority"]) == ("job", "QS3", 0)
    assert told["preemptionConfiguration"] == {"preemptionRetriesBeforeTermination": 0}
    assert told["timeoutConfig"] == {"attemptDurationSeconds": 3600}
    assert told["retryStrategy"]["attempts"] == 3
    assert told["capacityUsage"] == [{"capacityUnit": UNIT, "quantity": 1.0}]
    assert told["serviceRequestPayload"] == payload()
    assert told["tags"]["team"] == "vision"
    assert "preemptionSummary" not in told
    emulator.advance(60)
    assert status(batch, arn) == "SUCCEEDED"


def test_lists_are_of_running_jobs_unless_asked_otherwise_and_come_in_pages(emulator: RunningEmulator, batch: Any):
    small_queue(batch, "paged")
    jobs = [submit(batch, "paged", "QS3", f"job-{number}", work="1h") for number in range(7)]
    emulator.advance(0)
    (running,) = batch.list_service_jobs(jobQueue="paged")["jobSummaryList"]
    assert running["jobArn"] in jobs
    pages = list(
        batch.get_paginator("list_service_jobs").paginate(
            jobQueue="paged", jobStatus="RUNNABLE", PaginationConfig={"PageSize": 4}
        )
    )
    assert [len(page["jobSummaryList"]) for page in pages] == [4, 2]
    found = [job["jobArn"] for page in pages for job in page["jobSummaryList"]]
    assert sorted([*found, running["jobArn"]]) == sorted(jobs)
    front = batch.get_job_queue_snapshot(jobQueue="paged")["frontOfQuotaShares"]["quotaShares"]
    heads = {share: [job["jobArn"] for job in listed] for share, listed in front.items() if listed}
    assert set(heads) == {"QS3"}
    assert set(heads["QS3"]) <= set(found)


def test_terminated_jobs_fail_with_the_reason_given(emulator: RunningEmulator, batch: Any):
    small_queue(batch, "ended")
    first, second = (submit(batch, "ended", "QS3", name, work="1h") for name in ("first", "second"))
    emulator.advance(0)
    batch.terminate_service_job(jobId=second, reason="not needed")
    assert status(batch, second) == "FAILED"
    batch.terminate_service_job(jobId=first, reason="stop it")
    emulator.advance(20)
    told = batch.describe_service_job(jobId=first)
    assert (told["status"], told["statusReason"]) == ("FAILED", "stop it")


def test_tags_are_added_listed_and_removed(batch: Any):
    share = small_queue(batch, "tagged")["QS1"]
    batch.tag_resource(resourceArn=share, tags={"a": "1", "b": "2"})
    batch.untag_resource(resourceArn=share, tagKeys=["a"])
    assert batch.list_tags_for_resource(resourceArn=share)["tags"] == {"b": "2"}


def test_what_aws_refuses_is_refused_in_its_form(batch: Any):
    small_queue(batch, "refusing")
    request = {
        "jobName": "job", "jobQueue": "refusing", "serviceJobType": "SAGEMAKER_TRAINING",
        "serviceRequestPayload": payload(),
    }  # fmt: skip
    assert "quotaShareName" in refused(batch.submit_service_job, **request)
    assert "does not exist" in refused(batch.submit_service_job, **request, quotaShareName="QS9")
    assert "jobName" in refused(batch.submit_service_job, **{**request, "jobName": "a job"}, quotaShareName="QS1")
    assert refused(batch.submit_service_job, **request, quotaShareName="QS1", schedulingPriority=10_000)
    assert "does not exist" in refused(batch.list_service_jobs, jobQueue="nowhere")
    assert refused(batch.describe_service_job, jobId="nothing")
    with pytest.raises(ParamValidationError):
        batch.submit_service_job(jobName="job")
