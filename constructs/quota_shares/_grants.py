"""Permission to submit service jobs."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam


def grant_submit(queue: cdk.Resource, grantee: iam.IGrantable, *, queue_arn: str, shares_arn: str) -> iam.Grant:
    """Allow batch:SubmitServiceJob on the queue, the shares and the jobs that come of it.

    The action is authorized against the queue, the quota share and the new job (Service Authorization
    Reference, AWS Batch). The job's id is unknown beforehand, hence a wildcard, which alone grants nothing.
    """
    jobs = cdk.Stack.of(queue).format_arn(
        service="batch",
        resource="service-job",
        resource_name="*",
        account=queue.env.account,
        region=queue.env.region,
    )
    return iam.Grant.add_to_principal(
        grantee=grantee, actions=["batch:SubmitServiceJob"], resource_arns=[queue_arn, shares_arn, jobs]
    )
