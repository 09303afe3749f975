"""grant_submit: SubmitServiceJob is authorized against queue, quota share and service job."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_iam as iam
from aws_cdk.assertions import Template
from batch_builders import G5, managed_queue

from quota_shares import QuotaShare, ServiceJobQueue

QUEUE_ARN = "arn:aws:batch:eu-west-1:111122223333:job-queue/train"


@pytest.fixture
def role(stack: cdk.Stack) -> iam.Role:
    return iam.Role(stack, "Role", assumed_by=iam.AccountRootPrincipal())


def statements(stack: cdk.Stack) -> list[dict[str, Any]]:
    (policy,) = Template.from_stack(stack).find_resources("AWS::IAM::Policy").values()
    return policy["Properties"]["PolicyDocument"]["Statement"]


def text(value: Any) -> str:
    """A rendered ARN with its references in braces."""
    if isinstance(value, str):
        return value
    if "Fn::Join" in value:
        return "".join(text(part) for part in value["Fn::Join"][1])
    return "{" + str(next(iter(value.values()))) + "}"


def test_a_share_grants_its_queue_itself_and_the_jobs(stack: cdk.Stack, role: iam.Role) -> None:
    queue = managed_queue(stack)
    share = queue.add_share("QS1", capacity_limits={G5: 1})
    queue.add_share("QS2", capacity_limits={G5: 1})

    assert share.grant_submit(role).success

    (statement,) = statements(stack)
    assert (statement["Effect"], statement["Action"]) == ("Allow", "batch:SubmitServiceJob")
    assert statement["Resource"][:2] == [
        stack.resolve(queue.job_queue.job_queue_arn),
        stack.resolve(share.quota_share_arn),
    ]
    jobs = "arn:{AWS::Partition}:batch:{AWS::Region}:{AWS::AccountId}:service-job/*"
    assert [text(arn) for arn in statement["Resource"][2:]] == [jobs]


def test_a_queue_grants_all_of_its_shares(stack: cdk.Stack, role: iam.Role) -> None:
    queue = managed_queue(stack)
    queue.grant_submit(role)

    (statement,) = statements(stack)
    arn = text(stack.resolve(queue.job_queue.job_queue_arn))
    assert [text(item) for item in statement["Resource"]][:2] == [arn, f"{arn}/quota-share/*"]


def test_imported_ones_grant_in_their_own_account_and_region(stack: cdk.Stack, role: iam.Role) -> None:
    queue = ServiceJobQueue.from_job_queue_arn(stack, "Q", QUEUE_ARN)
    share = QuotaShare.from_quota_share_arn(stack, "S", f"{QUEUE_ARN}/quota-share/nlp")
    queue.grant_submit(role)
    share.grant_submit(role)

    jobs = "arn:{AWS::Partition}:batch:eu-west-1:111122223333:service-job/*"
    granted = [[text(arn) for arn in statement["Resource"]] for statement in statements(stack)]
    assert granted == [
        [QUEUE_ARN, f"{QUEUE_ARN}/quota-share/*", jobs],
        [QUEUE_ARN, f"{QUEUE_ARN}/quota-share/nlp", jobs],
    ]
