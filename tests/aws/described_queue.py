"""What AWS Batch, or the emulator, says of a queue, as our own declaration: to compare with what was declared."""

from __future__ import annotations

from typing import Any

from quota_verifier.model import Environment, Queue, Share, Strategy, TimeLimitAction, TimeLimitReason
from quota_verifier.template.declaration import Declaration


def described(batch: Any, name: str) -> Declaration:
    (queue,) = batch.describe_job_queues(jobQueues=[name])["jobQueues"]
    (policy,) = batch.describe_scheduling_policies(arns=[queue["schedulingPolicyArn"]])["schedulingPolicies"]
    assert policy["quotaSharePolicy"] == {"idleResourceAssignmentStrategy": "FIFO"}
    (entry,) = queue["serviceEnvironmentOrder"]
    (found,) = batch.describe_service_environments(serviceEnvironments=[entry["serviceEnvironment"]])[
        "serviceEnvironments"
    ]
    listed = [share for page in batch.get_paginator("list_quota_shares").paginate(jobQueue=name)
              for share in page["quotaShares"]]  # fmt: skip
    shares = [batch.describe_quota_share(quotaShareArn=share["quotaShareArn"]) for share in listed]
    assert {queue["status"], found["status"], *(share["status"] for share in shares)} == {"VALID"}
    return Declaration(
        Queue(
            Environment(_limits(found), found["serviceEnvironmentName"], found["state"] == "ENABLED"),
            tuple(_share(share) for share in shares),
            queue["jobQueueName"],
            queue["state"] == "ENABLED",
            tuple(_time_limit(action) for action in queue["jobStateTimeLimitActions"]),
        ),
        policy["name"],
        queue["priority"],
        policy.get("tags", {}),
        found.get("tags", {}),
        queue.get("tags", {}),
        {share["quotaShareName"]: share.get("tags", {}) for share in shares},
    )


def plain(declaration: Declaration) -> Declaration:
    """`declaration` without what AWS does not tell: places in files, and whether "unlimited" was written or absent."""
    queue = declaration.queue
    return Declaration(
        Queue(
            Environment(dict(queue.environment.limits), queue.environment.name, queue.environment.enabled),
            tuple(
                Share(
                    share.name,
                    dict(share.limits),
                    share.strategy,
                    -1 if share.strategy.borrows and share.borrow_limit is None else share.borrow_limit,
                    share.in_share_preemption,
                    share.enabled,
                )
                for share in queue.shares
            ),
            queue.name,
            queue.enabled,
            queue.time_limits,
        ),
        declaration.policy_name,
        declaration.priority,
        declaration.policy_tags,
        declaration.environment_tags,
        declaration.queue_tags,
        {share.name: declaration.share_tags.get(share.name, {}) for share in queue.shares},
    )


def nothing_left(batch: Any) -> bool:
    return not (
        batch.describe_job_queues()["jobQueues"]
        or batch.describe_service_environments()["serviceEnvironments"]
        or batch.list_scheduling_policies()["schedulingPolicies"]
    )


def _limits(told: Any) -> dict[str, int]:
    return {limit["capacityUnit"]: limit["maxCapacity"] for limit in told["capacityLimits"]}


def _share(told: Any) -> Share:
    sharing = told["resourceSharingConfiguration"]
    return Share(
        told["quotaShareName"],
        _limits(told),
        Strategy(sharing["strategy"]),
        sharing.get("borrowLimit"),
        told["preemptionConfiguration"]["inSharePreemption"] == "ENABLED",
        told["state"] == "ENABLED",
    )


def _time_limit(told: Any) -> TimeLimitAction:
    assert (told["state"], told["action"]) == ("RUNNABLE", "TERMINATE")
    return TimeLimitAction(TimeLimitReason(told["reason"]), told["maxTimeSeconds"] * 1000)
