"""Service jobs: submission, states, preemption, lists, the snapshot, the end; as boto3 sees them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from botocore.exceptions import ClientError
from running_emulator import UNIT, RunningEmulator, payload, running_emulator, small_queue, submit

NAMES = count()


@pytest.fixture(scope="module")
def emulator() -> Iterator[RunningEmulator]:
    with running_emulator("--stepped", "--startup", "10s") as running:
        yield running


@pytest.fixture
def batch(emulator: RunningEmulator) -> Any:
    return emulator.batch


@pytest.fixture
def queue(batch: Any) -> str:
    """A queue of AWS's three shares that no other test uses."""
    name = f"queue-{next(NAMES)}"
    small_queue(batch, name)
    return name


@pytest.fixture
def job(batch: Any, queue: str) -> Callable[..., str]:
    def make(share: str = "QS1", name: str = "job", **more: Any) -> str:
        return submit(batch, queue, share, name, **more)

    return make


def described(batch: Any, job: str) -> dict[str, Any]:
    found = batch.describe_service_job(jobId=job)
    del found["ResponseMetadata"]
    return found


def test_a_job_goes_through_awss_states_at_its_times(emulator: RunningEmulator, batch: Any, job: Any) -> None:
    began = emulator.now()
    arn = job(work="30s", timeoutConfig={"attemptDurationSeconds": 60}, schedulingPriority=7)
    seen = [described(batch, arn)]
    for seconds in (0, 5, 5, 30):
        emulator.advance(seconds)
        seen.append(described(batch, arn))
    assert [view["status"] for view in seen] == ["SUBMITTED", "SCHEDULED", "STARTING", "RUNNING", "SUCCEEDED"]
    assert "startedAt" not in seen[0]
    assert "latestAttempt" not in seen[0]
    last = seen[-1]
    assert (last["createdAt"], last["scheduledAt"]) == (began, began)
    assert (last["startedAt"], last["stoppedAt"]) == (began + 10_000, began + 40_000)
    assert last["latestAttempt"] == seen[1]["latestAttempt"]
    assert [attempt["serviceResourceId"] for attempt in last["attempts"]] == [
        last["latestAttempt"]["serviceResourceId"]
    ]
    assert last["latestAttempt"]["serviceResourceId"]["value"].startswith(
        "arn:aws:sagemaker:us-east-1:123456789012:training-job/AWSBatchtrain"
    )
    assert (last["quotaShareName"], last["schedulingPriority"]) == ("QS1", 7)
    assert last["timeoutConfig"] == {"attemptDurationSeconds": 60}
    assert last["capacityUsage"] == [{"capacityUnit": UNIT, "quantity": 1.0}]
    assert json.loads(last["serviceRequestPayload"])["TrainingJobName"] == "train"


def test_an_id_and_an_arn_name_the_same_job(batch: Any, job: Any) -> None:
    arn = job()
    assert described(batch, arn.rpartition("/")[2]) == described(batch, arn)


def test_preempted_attempts_come_newest_first_and_only_ten_of_them(
    emulator: RunningEmulator, batch: Any, job: Any
) -> None:
    victim = job(name="victim", work="1h", schedulingPriority=1)
    for _ in range(11):
        emulator.advance(20)
        winner = job(name="winner", work="1s", schedulingPriority=9)
        borrower = job(name="borrower", work="1s", schedulingPriority=8)
        emulator.advance(60)
        assert described(batch, winner)["status"] == described(batch, borrower)["status"] == "SUCCEEDED"
    view = described(batch, victim)
    summary = view["preemptionSummary"]
    assert summary["preemptedAttemptCount"] == 11
    stops = [attempt["stoppedAt"] for attempt in summary["recentPreemptedAttempts"]]
    assert stops == sorted(stops, reverse=True)
    assert len(stops) == 10
    assert view["attempts"] == []  # preempted attempts are counted apart
    assert view["latestAttempt"]["serviceResourceId"] != summary["recentPreemptedAttempts"][0]["serviceResourceId"]


def test_a_job_out_of_preemption_retries_fails_with_the_preemptions_reason(
    emulator: RunningEmulator, batch: Any, job: Any
) -> None:
    retries = {"preemptionRetriesBeforeTermination": 0}
    first = job(name="first", schedulingPriority=5)
    borrower = job(name="borrower", preemptionConfiguration=retries, schedulingPriority=1)
    emulator.advance(60)
    owner = job("QS2", "owner")
    emulator.advance(20)
    view = described(batch, borrower)
    assert (view["status"], view["preemptionConfiguration"]) == ("FAILED", retries)
    assert view["statusReason"] == "Cross-share preemption triggered to reclaim borrowed capacity"
    assert view["latestAttempt"]["serviceResourceId"]["name"] == "TrainingJobArn"
    assert [described(batch, arn)["status"] for arn in (first, owner)] == ["RUNNING", "SCHEDULED"]


def test_a_failed_attempt_is_tried_again_as_evaluate_on_exit_says(
    emulator: RunningEmulator, batch: Any, job: Any
) -> None:
    failures = "5s Received status from SageMaker: AlgorithmError / 5s Received status from SageMaker: Bad"
    rules = [
        {"action": "Retry", "onStatusReason": "Received status from SageMaker: Algo*"},
        {"action": "EXIT", "onStatusReason": "*"},
    ]
    arn = job(retryStrategy={"attempts": 3, "evaluateOnExit": rules}, tags={"quota-shares:failures": failures})
    emulator.advance(40)
    view = described(batch, arn)
    assert view["status"] == "FAILED"
    assert view["statusReason"] == "Received status from SageMaker: Bad"
    assert [attempt["statusReason"] for attempt in view["attempts"]] == [
        "Received status from SageMaker: AlgorithmError",
        "Received status from SageMaker: Bad",
    ]
    assert view["retryStrategy"]["evaluateOnExit"][0]["action"] == "RETRY"


@pytest.mark.parametrize(
    "more",
    [
        {"timeoutConfig": {"attemptDurationSeconds": 60}},
        {"serviceRequestPayload": payload(StoppingCondition={"MaxRuntimeInSeconds": 60})},
    ],
    ids=["timeoutConfig", "StoppingCondition"],
)
def test_an_attempt_ends_at_its_timeout(
    emulator: RunningEmulator, batch: Any, queue: str, more: dict[str, Any]
) -> None:
    members = {
        "jobName": "long", "jobQueue": queue, "serviceJobType": "SAGEMAKER_TRAINING", "quotaShareName": "QS1",
        "serviceRequestPayload": payload(), **more,
    }  # fmt: skip
    arn = batch.submit_service_job(**members)["jobArn"]
    emulator.advance(70)
    view = described(batch, arn)
    assert (view["status"], view["statusReason"]) == ("FAILED", "Job attempt duration exceeded timeout")
    assert view["stoppedAt"] - view["startedAt"] == 60_000


def test_how_long_a_job_works_may_stand_in_its_request(emulator: RunningEmulator, batch: Any, queue: str) -> None:
    for place in ("Environment", "HyperParameters"):
        request = payload(**{place: {"QUOTA_SHARES_WORK": "15s"}})
        arn = batch.submit_service_job(
            jobName=place, jobQueue=queue, serviceJobType="SAGEMAKER_TRAINING", quotaShareName="QS3",
            serviceRequestPayload=request,
        )["jobArn"]  # fmt: skip
        emulator.advance(25)
        view = described(batch, arn)
        assert (view["status"], view["stoppedAt"] - view["startedAt"]) == ("SUCCEEDED", 15_000)


def test_termination_ends_waiting_jobs_at_once_and_running_ones_when_they_have_stopped(
    emulator: RunningEmulator, batch: Any, job: Any
) -> None:
    running, waiting = job("QS3", "running"), job("QS3", "waiting")
    emulator.advance(10)
    missing = "arn:aws:batch:us-east-1:123456789012:service-job/none"
    done = batch.terminate_service_jobs(jobs=[running, waiting, missing], reason="not needed")
    assert (done["successful"], done["errors"]) == ([running, waiting, missing], [])
    first = [described(batch, arn) for arn in (running, waiting)]
    assert [view["status"] for view in first] == ["RUNNING", "FAILED"]
    emulator.advance(20)
    view = described(batch, running)
    assert (view["status"], view["statusReason"], view["isTerminated"]) == ("FAILED", "not needed", True)
    batch.terminate_service_job(jobId=running, reason="again")
    assert described(batch, running)["statusReason"] == "not needed"
    with pytest.raises(ClientError, match="is FAILED and cannot be updated"):
        batch.update_service_job(jobId=running, schedulingPriority=1)


def test_a_blocked_head_tells_why_until_the_time_limit_ends_it(
    emulator: RunningEmulator, batch: Any, queue: str, job: Any
) -> None:
    reason = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
    batch.update_job_queue(
        jobQueue=queue,
        jobStateTimeLimitActions=[
            {"reason": reason, "state": "RUNNABLE", "maxTimeSeconds": 600, "action": "TERMINATE"}
        ],
    )
    arn = job("QS3", "huge", instances=2)
    emulator.advance(599)
    view = described(batch, arn)
    assert view["status"] == "RUNNABLE"
    assert view["statusReason"] == f"{reason} - Job requirements exceed quota share capacity limits."
    listed = batch.list_service_jobs(jobQueue=queue, jobStatus="RUNNABLE")["jobSummaryList"]
    assert [summary["statusReason"] for summary in listed] == [view["statusReason"]]
    emulator.advance(1)
    view = described(batch, arn)
    assert view["statusReason"] == f"Terminated by JobStateTimeLimit action due to reason: {reason}"
    assert (view["status"], view["isTerminated"]) == ("FAILED", True)


def test_lists_are_newest_first_of_running_jobs_unless_asked_otherwise(
    emulator: RunningEmulator, batch: Any, queue: str, job: Any
) -> None:
    def names(**more: Any) -> list[str]:
        pages = batch.get_paginator("list_service_jobs").paginate(
            jobQueue=queue, PaginationConfig={"PageSize": 2}, **more
        )
        return [summary["jobName"] for page in pages for summary in page["jobSummaryList"]]

    def by(name: str, *values: str) -> dict[str, Any]:
        return {"filters": [{"name": name, "values": list(values)}]}

    created = []
    for name, share in (("Alpha-1", "QS1"), ("alpha-2", "QS1"), ("beta", "QS2"), ("alpha-3", "QS3"), ("gamma", "QS3")):
        created.append(emulator.now())
        job(share, name)
        emulator.advance(15)
    assert names() == ["alpha-3", "beta", "Alpha-1"]
    assert names(jobStatus="RUNNABLE") == ["gamma", "alpha-2"]
    assert names(**by("JOB_NAME", "ALPHA-*")) == ["alpha-3", "alpha-2", "Alpha-1"]
    assert names(jobStatus="SUCCEEDED", **by("JOB_NAME", "beta")) == ["beta"]  # the status does not count
    assert names(**by("QUOTA_SHARE_NAME", "QS1")) == ["alpha-2", "Alpha-1"]
    assert names(jobStatus="RUNNABLE", **by("QUOTA_SHARE_NAME", "QS1")) == ["alpha-2"]
    assert names(**by("SHARE_IDENTIFIER", "QS1")) == []
    assert names(**by("AFTER_CREATED_AT", str(created[2]))) == ["gamma", "alpha-3"]
    assert names(**by("BEFORE_CREATED_AT", str(created[2]))) == ["alpha-2", "Alpha-1"]
    with pytest.raises(ClientError, match="only one filter"):
        names(filters=[*by("JOB_NAME", "a")["filters"], *by("JOB_NAME", "b")["filters"]])


def test_the_snapshot_tells_who_is_next_and_who_uses_what(
    emulator: RunningEmulator, batch: Any, queue: str, job: Any
) -> None:
    arns = [job("QS1", f"one-{n}", schedulingPriority=n) for n in range(3)]
    emulator.advance(5)
    arns.append(job("QS3", "reserved"))
    arns.append(job("QS3", "behind"))
    emulator.advance(5)
    front = batch.get_job_queue_snapshot(jobQueue=queue)
    shares = front["frontOfQuotaShares"]["quotaShares"]
    assert {name: [one["jobArn"] for one in jobs] for name, jobs in shares.items()} == {
        "QS1": [arns[0]],
        "QS2": [],
        "QS3": [arns[4]],
    }
    assert [one["jobArn"] for one in front["frontOfQueue"]["jobs"]] == [arns[0], arns[4]]
    usage = front["queueUtilization"]
    assert usage["totalCapacityUsage"] == [{"capacityUnit": UNIT, "quantity": 3.0}]
    top = usage["quotaShareUtilization"]["topCapacityUtilization"]
    assert [(one["quotaShareName"], one["capacityUsage"][0]["quantity"]) for one in top] == [("QS1", 2), ("QS3", 1)]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"quotaShareName": "QS9"}, "QS9 does not exist"),
        ({"quotaShareName": None}, "quotaShareName: job queue"),
        ({"shareIdentifier": "x"}, "gives quotaShareName instead"),
        ({"schedulingPriority": 10_000}, "not between 0 and 9999"),
        ({"retryStrategy": {"attempts": 11}}, "not between 1 and 10"),
        ({"retryStrategy": {"attempts": 1, "evaluateOnExit": [{"action": "EXIT"}] * 6}}, "more than 5 rules"),
        ({"retryStrategy": {"attempts": 1, "evaluateOnExit": [{"onStatusReason": "*"}]}}, "action: must be given"),
        ({"preemptionConfiguration": {"preemptionRetriesBeforeTermination": -1}}, "at least 0"),
        ({"serviceRequestPayload": "no json"}, "serviceRequestPayload: Invalid JSON"),
        ({"serviceRequestPayload": "{}"}, "serviceRequestPayload.ResourceConfig: must be given"),
        ({"serviceRequestPayload": '{"ResourceConfig": {}}'}, "InstanceType and InstanceCount must be given"),
        ({"serviceRequestPayload": '{"ResourceConfig": {"InstancePreferences": []}}'}, "type of the instances"),
        ({"serviceRequestPayload": payload(x="y" * 10_240)}, "no longer than 10240 bytes"),
        ({"serviceRequestPayload": payload(unit="t3.micro")}, "t3.micro is not an instance type"),
        ({"serviceRequestPayload": "[" * 10_000}, "serviceRequestPayload: Invalid JSON"),
        ({"jobName": "a job"}, "letters, digits"),
        ({"tags": {"quota-shares:work": "soon"}}, "'soon' is not a duration"),
        ({"serviceJobType": "OTHER"}, "should be 'SAGEMAKER_TRAINING'"),
    ],
)
def test_a_submission_that_cannot_be_is_refused(batch: Any, more: dict[str, Any], said: str) -> None:
    if not batch.describe_job_queues(jobQueues=["refusing"])["jobQueues"]:
        small_queue(batch, "refusing")
    members = {
        "jobName": "job", "jobQueue": "refusing", "serviceJobType": "SAGEMAKER_TRAINING", "quotaShareName": "QS1",
        "serviceRequestPayload": payload(), **more,
    }  # fmt: skip
    with pytest.raises(ClientError) as caught:
        batch.submit_service_job(**{name: value for name, value in members.items() if value is not None})
    assert caught.value.response["Error"]["Code"] == "ClientException"
    assert said in caught.value.response["message"]
    assert batch.list_service_jobs(jobQueue="refusing", jobStatus="SUBMITTED")["jobSummaryList"] == []


def test_instance_groups_count_by_type(batch: Any, emulator: RunningEmulator, queue: str) -> None:
    groups = [{"InstanceType": UNIT, "InstanceCount": 1, "InstanceGroupName": name} for name in "ab"]
    arn = batch.submit_service_job(
        jobName="groups", jobQueue=queue, serviceJobType="SAGEMAKER_TRAINING", quotaShareName="QS1",
        serviceRequestPayload=json.dumps({"ResourceConfig": {"InstanceGroups": groups}}),
    )["jobArn"]  # fmt: skip
    emulator.advance(0)
    view = described(batch, arn)
    assert (view["status"], view["capacityUsage"]) == ("SCHEDULED", [{"capacityUnit": UNIT, "quantity": 2.0}])


def test_a_client_token_is_good_for_one_submission(batch: Any, job: Any) -> None:
    token = f"token-{next(NAMES)}"
    job(clientToken=token)
    with pytest.raises(ClientError, match="was used by an earlier request"):
        job(clientToken=token)


def test_changed_limits_and_a_new_share_count_for_the_next_decision(
    emulator: RunningEmulator, batch: Any, queue: str, job: Any
) -> None:
    p5 = "ml.p5.48xlarge"
    waiting = [job("QS3", "first"), job("QS3", "second")]
    emulator.advance(0)
    batch.update_service_environment(
        serviceEnvironment=f"{queue}-env",
        capacityLimits=[{"maxCapacity": 4, "capacityUnit": UNIT}, {"maxCapacity": 1, "capacityUnit": p5}],
    )
    share = batch.list_quota_shares(jobQueue=queue)["quotaShares"][2]["quotaShareArn"]
    batch.update_quota_share(quotaShareArn=share, capacityLimits=[{"maxCapacity": 2, "capacityUnit": UNIT}])
    batch.create_quota_share(
        quotaShareName="QS4", jobQueue=queue, capacityLimits=[{"maxCapacity": 1, "capacityUnit": p5}],
        resourceSharingConfiguration={"strategy": "RESERVE"}, preemptionConfiguration={"inSharePreemption": "DISABLED"},
    )  # fmt: skip
    waiting.append(
        batch.submit_service_job(
            jobName="p5",
            jobQueue=queue,
            serviceJobType="SAGEMAKER_TRAINING",
            quotaShareName="QS4",
            serviceRequestPayload=payload(unit=p5),
        )["jobArn"]
    )
    emulator.advance(0)
    assert [described(batch, arn)["status"] for arn in waiting] == ["SCHEDULED"] * 3


def test_a_disabled_environment_places_nothing_until_it_is_enabled(
    emulator: RunningEmulator, batch: Any, queue: str, job: Any
) -> None:
    batch.update_service_environment(serviceEnvironment=f"{queue}-env", state="DISABLED")
    arn = job()
    emulator.advance(60)
    assert described(batch, arn)["status"] == "RUNNABLE"
    batch.update_service_environment(serviceEnvironment=f"{queue}-env", state="ENABLED")
    emulator.advance(0)
    assert described(batch, arn)["status"] == "SCHEDULED"
