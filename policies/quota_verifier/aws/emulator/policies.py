"""Scheduling policies."""

from __future__ import annotations

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.errors import ALREADY_EXISTS, AwsError
from quota_verifier.aws.emulator.identity import POLICY
from quota_verifier.aws.emulator.limits import check_name, check_tags
from quota_verifier.aws.emulator.paging import page
from quota_verifier.aws.emulator.records import Policy
from quota_verifier.aws.emulator.shapes import Answer, Request

_BODIES = ("quotaSharePolicy", "fairsharePolicy")


def create(account: Account, request: Request) -> Answer:
    """CreateSchedulingPolicy."""
    name = check_name("name", request["name"])
    body = {member: request[member] for member in _BODIES if request.get(member) is not None}
    if len(body) > 1:
        raise AwsError("quotaSharePolicy and fairsharePolicy cannot both be given")
    tags = check_tags(request.get("tags"))
    if name in account.policies:
        raise AwsError(ALREADY_EXISTS)
    policy = Policy(name, account.identity.arn(POLICY, name), body or {"fairsharePolicy": {}}, tags)
    account.policies[name] = policy
    return {"name": name, "arn": policy.arn}


def describe(account: Account, request: Request) -> Answer:
    """DescribeSchedulingPolicies; what is not there is left out."""
    by_arn = {policy.arn: policy for policy in account.policies.values()}
    found = [by_arn[arn] for arn in request["arns"] if arn in by_arn]
    return {"schedulingPolicies": [{"name": p.name, "arn": p.arn, **p.body, "tags": p.tags or None} for p in found]}


def listing(account: Account, request: Request) -> Answer:
    """ListSchedulingPolicies."""
    found, token = page(list(account.policies.values()), request)
    return {"schedulingPolicies": [{"arn": policy.arn} for policy in found], "nextToken": token}


def update(account: Account, request: Request) -> Answer:
    """UpdateSchedulingPolicy; the kind of a policy is fixed when it is created."""
    policy = account.policy(request["arn"])
    for member in _BODIES:
        if request.get(member) is not None:
            if member not in policy.body:
                raise AwsError("the type of a scheduling policy cannot be changed")
            policy.body = {member: request[member]}
    return {}


def delete(account: Account, request: Request) -> Answer:
    """DeleteSchedulingPolicy, refused while a queue uses it; one that is not there is no error."""
    policy = next((policy for policy in account.policies.values() if policy.arn == request["arn"]), None)
    if policy is None:
        return {}
    users = [queue.name for queue in account.queues.values() if queue.policy == policy.arn]
    if users:
        raise AwsError(f"Scheduling policy {policy.arn} is in use by job queue {users[0]}")
    del account.policies[policy.name]
    return {}
