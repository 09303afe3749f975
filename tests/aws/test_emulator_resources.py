"""Policies, environments, queues, shares and tags, as boto3 sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from running_emulator import UNIT, running_emulator, small_queue, submit

QUOTA_POLICY = {"idleResourceAssignmentStrategy": "FIFO"}
LIMITS = [{"maxCapacity": 3, "capacityUnit": UNIT}]
KIND = "SAGEMAKER_TRAINING"


@pytest.fixture(scope="module")
def emulator() -> Iterator[Any]:
    with running_emulator("--stepped") as running:
        yield running


@pytest.fixture
def batch(emulator: Any) -> Any:
    return emulator.batch


def refused(call: Any, **members: Any) -> str:
    """What the refusal says; AWS's sample code reads the lower-case `message`."""
    with pytest.raises(ClientError) as caught:
        call(**members)
    response = caught.value.response
    assert response["Error"]["Code"] == "ClientException"
    assert response["ResponseMetadata"]["HTTPStatusCode"] == 400
    return response["message"]


def environment(batch: Any, name: str, **more: Any) -> Any:
    members = {"serviceEnvironmentName": name, "serviceEnvironmentType": KIND, "capacityLimits": LIMITS, **more}
    return batch.create_service_environment(**members)


def share(batch: Any, queue: str, name: str, **more: Any) -> str:
    members = {
        "quotaShareName": name, "jobQueue": queue, "capacityLimits": [{"maxCapacity": 1, "capacityUnit": UNIT}],
        "resourceSharingConfiguration": {"strategy": "RESERVE"},
        "preemptionConfiguration": {"inSharePreemption": "DISABLED"}, **more,
    }  # fmt: skip
    return batch.create_quota_share(**members)["quotaShareArn"]


def test_what_exists_already_is_refused_in_the_words_that_aws_compares_with(batch: Any) -> None:
    shares = small_queue(batch, "twice")
    arn = batch.describe_job_queues(jobQueues=["twice"])["jobQueues"][0]["schedulingPolicyArn"]
    order = [{"order": 1, "serviceEnvironment": "twice-env"}]
    texts = [
        refused(batch.create_scheduling_policy, name="twice-policy", quotaSharePolicy=QUOTA_POLICY),
        refused(batch.create_job_queue, jobQueueName="twice", priority=1, schedulingPolicyArn=arn,
                serviceEnvironmentOrder=order),
    ]  # fmt: skip
    with pytest.raises(ClientError, match="Object already exists"):
        environment(batch, "twice-env")
    with pytest.raises(ClientError, match="already exists"):
        share(batch, "twice", "QS1")
    assert texts == ["Object already exists"] * 2
    assert list(shares) == [s["quotaShareName"] for s in batch.list_quota_shares(jobQueue="twice")["quotaShares"]]


def test_everything_is_deleted_in_awss_order_and_in_no_other(batch: Any) -> None:
    shares = small_queue(batch, "gone")
    policy = batch.describe_job_queues(jobQueues=["gone"])["jobQueues"][0]["schedulingPolicyArn"]
    assert "is in use by job queue gone" in refused(batch.delete_scheduling_policy, arn=policy)
    assert "must be DISABLED" in refused(batch.delete_service_environment, serviceEnvironment="gone-env")
    batch.update_service_environment(serviceEnvironment="gone-env", state="DISABLED")
    assert "in use by job queue gone" in refused(batch.delete_service_environment, serviceEnvironment="gone-env")
    assert "must be DISABLED" in refused(batch.delete_job_queue, jobQueue="gone")
    batch.update_job_queue(jobQueue="gone", state="DISABLED")
    assert "has quota shares" in refused(batch.delete_job_queue, jobQueue="gone")
    for arn in shares.values():
        assert "must be DISABLED" in refused(batch.delete_quota_share, quotaShareArn=arn)
        batch.update_quota_share(quotaShareArn=arn, state="DISABLED")
        told = batch.describe_quota_share(quotaShareArn=arn)
        assert (told["status"], told["state"]) == ("VALID", "DISABLED")
        batch.delete_quota_share(quotaShareArn=arn)
        assert "does not exist" in refused(batch.describe_quota_share, quotaShareArn=arn)
    batch.delete_job_queue(jobQueue="gone")
    assert batch.describe_job_queues(jobQueues=["gone"])["jobQueues"] == []
    batch.delete_service_environment(serviceEnvironment="gone-env")
    assert batch.describe_service_environments(serviceEnvironments=["gone-env"])["serviceEnvironments"] == []
    batch.delete_scheduling_policy(arn=policy)
    assert batch.describe_scheduling_policies(arns=[policy])["schedulingPolicies"] == []


def test_a_deleted_share_ends_its_jobs_and_is_there_until_the_last_has_stopped(emulator: Any, batch: Any) -> None:
    arn = small_queue(batch, "ending")["QS3"]
    running, waiting = (submit(batch, "ending", "QS3", name) for name in ("running", "waiting"))
    emulator.advance(1)
    batch.update_quota_share(quotaShareArn=arn, state="DISABLED")
    assert "DISABLED" in refused(submit, batch=batch, queue="ending", share="QS3", name="late")
    batch.delete_quota_share(quotaShareArn=arn)
    assert batch.describe_service_job(jobId=waiting)["status"] == "FAILED"
    assert batch.describe_quota_share(quotaShareArn=arn)["status"] == "DELETING"
    emulator.advance(20)
    assert batch.describe_service_job(jobId=running)["status"] == "FAILED"
    assert "does not exist" in refused(batch.describe_quota_share, quotaShareArn=arn)


def test_descriptions_tell_what_was_created(batch: Any) -> None:
    small_queue(batch, "told")
    found = batch.describe_service_environments(serviceEnvironments=["told-env"])["serviceEnvironments"][0]
    assert (found["state"], found["status"], found["capacityLimits"]) == ("ENABLED", "VALID", LIMITS)
    queue = batch.describe_job_queues(jobQueues=["told"])["jobQueues"][0]
    assert queue["statusReason"] == "JobQueue Healthy"
    assert queue["serviceEnvironmentOrder"] == [{"order": 1, "serviceEnvironment": found["serviceEnvironmentArn"]}]
    by_arn = batch.describe_job_queues(jobQueues=[queue["jobQueueArn"]])["jobQueues"]
    assert by_arn == [queue]
    first = batch.list_quota_shares(jobQueue="told")["quotaShares"][0]
    assert first["quotaShareArn"] == f"{queue['jobQueueArn']}/quota-share/QS1"
    assert first["resourceSharingConfiguration"] == {"strategy": "LEND_AND_BORROW", "borrowLimit": 200}


def test_a_strategy_replaces_the_borrow_limit_with_it(batch: Any) -> None:
    arn = small_queue(batch, "replaced")["QS1"]
    batch.update_quota_share(quotaShareArn=arn, resourceSharingConfiguration={"strategy": "LEND_AND_BORROW"})
    told = batch.describe_quota_share(quotaShareArn=arn)["resourceSharingConfiguration"]
    assert told == {"strategy": "LEND_AND_BORROW", "borrowLimit": -1}
    batch.update_quota_share(quotaShareArn=arn, resourceSharingConfiguration={"strategy": "RESERVE"})
    assert batch.describe_quota_share(quotaShareArn=arn)["resourceSharingConfiguration"] == {"strategy": "RESERVE"}


def sharing(**members: Any) -> dict[str, Any]:
    return {"resourceSharingConfiguration": members}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"capacityLimits": [{"maxCapacity": 1, "capacityUnit": "ml.p5.48xlarge"}]}, "has no ml.p5.48xlarge"),
        ({"capacityLimits": [{"maxCapacity": 1, "capacityUnit": "NUM_INSTANCES"}]}, "not an instance type"),
        ({"capacityLimits": [{"maxCapacity": 0, "capacityUnit": UNIT}]}, "at least 1"),
        ({"capacityLimits": [{"maxCapacity": 1, "capacityUnit": UNIT}] * 2}, "listed twice"),
        ({"capacityLimits": []}, "must have 1 to 5 entries"),
        (sharing(strategy="LEND", borrowLimit=0), "can only be given with LEND_AND_BORROW"),
        (sharing(strategy="LEND_AND_BORROW", borrowLimit=-2), "less than -1"),
        (sharing(strategy="GIVE"), "should be 'RESERVE', 'LEND' or 'LEND_AND_BORROW'"),
        ({"quotaShareName": "a b"}, "letters, digits, hyphens or underscores"),
        ({"tags": {"aws:x": "1"}}, "reserved"),
    ],
)
def test_a_share_that_cannot_be_is_refused(batch: Any, more: dict[str, Any], said: str) -> None:
    if not batch.describe_job_queues(jobQueues=["strict"])["jobQueues"]:
        small_queue(batch, "strict")
    assert said in refused(share, batch=batch, queue="strict", name="new", **more)


def test_a_queue_has_at_most_twenty_shares(batch: Any) -> None:
    small_queue(batch, "many")
    for number in range(17):
        share(batch, "many", f"more-{number}")
    assert "at most 20" in refused(share, batch=batch, queue="many", name="more")
    pages = list(batch.get_paginator("list_quota_shares").paginate(jobQueue="many", PaginationConfig={"PageSize": 7}))
    assert [len(page["quotaShares"]) for page in pages] == [7, 7, 6]


def test_an_environment_belongs_to_one_quota_managed_queue(batch: Any) -> None:
    small_queue(batch, "first")
    arn = batch.describe_job_queues(jobQueues=["first"])["jobQueues"][0]["schedulingPolicyArn"]
    order = [{"order": 1, "serviceEnvironment": "first-env"}]

    def second(**more: Any) -> Any:
        members = {
            "jobQueueName": "second",
            "priority": 1,
            "schedulingPolicyArn": arn,
            "serviceEnvironmentOrder": order,
        }
        return batch.create_job_queue(**{**members, **more})

    assert "attached to job queue first" in refused(second)
    assert "exactly one" in refused(second, serviceEnvironmentOrder=order * 2)
    assert "not between 0 and 1000" in refused(second, priority=1001)
    environment(batch, "plain", capacityLimits=[{"maxCapacity": 3, "capacityUnit": "NUM_INSTANCES"}])
    plain = [{"order": 1, "serviceEnvironment": "plain"}]
    assert "must be in instance types" in refused(second, serviceEnvironmentOrder=plain)
    fair = batch.create_scheduling_policy(name="fair", fairsharePolicy={"shareDecaySeconds": 60})["arn"]
    assert "has no quotaSharePolicy" in refused(second, schedulingPolicyArn=fair)
    assert "type of a scheduling policy" in refused(
        batch.update_scheduling_policy, arn=fair, quotaSharePolicy=QUOTA_POLICY
    )
    assert "cannot be removed" in refused(
        batch.update_service_environment, serviceEnvironment="first-env",
        capacityLimits=[{"maxCapacity": 3, "capacityUnit": "ml.p5.48xlarge"}],
    )  # fmt: skip


def test_time_limit_actions_take_awss_reasons_and_times(batch: Any) -> None:
    small_queue(batch, "timed")
    action = {"reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY", "state": "RUNNABLE", "action": "TERMINATE"}

    def limit(**more: Any) -> Any:
        return batch.update_job_queue(jobQueue="timed", jobStateTimeLimitActions=[{**action, **more}])

    assert "not between 600 and 86400" in refused(limit, maxTimeSeconds=599)
    assert "must be one of" in refused(limit, maxTimeSeconds=600, reason="BECAUSE")
    assert "only TERMINATE" in refused(limit, maxTimeSeconds=600, action="CANCEL")
    limit(maxTimeSeconds=600)
    told = batch.describe_job_queues(jobQueues=["timed"])["jobQueues"][0]["jobStateTimeLimitActions"]
    assert told == [{**action, "maxTimeSeconds": 600}]


def test_tags_of_every_kind_of_resource(batch: Any) -> None:
    shares = small_queue(batch, "tagged")
    queue = batch.describe_job_queues(jobQueues=["tagged"])["jobQueues"][0]
    job = submit(batch, "tagged", "QS1", "job", tags={"team": "a"})
    arns = [
        shares["QS1"], queue["jobQueueArn"], queue["schedulingPolicyArn"],
        queue["serviceEnvironmentOrder"][0]["serviceEnvironment"], job,
    ]  # fmt: skip
    for arn in arns:
        batch.tag_resource(resourceArn=arn, tags={"owner": "red team", "empty": ""})
        assert (
            batch.list_tags_for_resource(resourceArn=arn)["tags"].items() >= {"owner": "red team", "empty": ""}.items()
        )
        batch.untag_resource(resourceArn=arn, tagKeys=["owner", "never there"])
        assert "owner" not in batch.list_tags_for_resource(resourceArn=arn)["tags"]
    assert batch.describe_quota_share(quotaShareArn=shares["QS1"])["tags"] == {"empty": ""}
    assert batch.describe_service_job(jobId=job)["tags"]["team"] == "a"
    assert "does not exist" in refused(batch.list_tags_for_resource, resourceArn=arns[1] + "x")
    crowd = {f"k{number}": "v" for number in range(50)}
    assert "at most 50" in refused(batch.tag_resource, resourceArn=shares["QS1"], tags=crowd)


def test_pages_go_on_where_the_last_ended_and_refuse_a_made_up_token(batch: Any) -> None:
    for number in range(5):
        environment(batch, f"page-{number}")
    names = [
        found["serviceEnvironmentName"]
        for page in batch.get_paginator("describe_service_environments").paginate(PaginationConfig={"PageSize": 2})
        for found in page["serviceEnvironments"]
    ]
    assert [name for name in names if name.startswith("page-")] == [f"page-{number}" for number in range(5)]
    assert len(names) == len(set(names))
    assert "not valid" in refused(batch.describe_service_environments, nextToken="page 2")
    assert "between 1 and 100" in refused(batch.list_scheduling_policies, maxResults=101)
