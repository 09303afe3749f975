"""Builders with defaults, so that a test shows only what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aws_cdk as cdk
from aws_cdk.assertions import Template
from constructs import Construct

from quota_shares import (
    QuotaManagedQueue,
    QuotaShare,
    QuotaShareSchedulingPolicy,
    ServiceEnvironment,
    ServiceJobQueue,
)

G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"


def environment(scope: Construct, id: str = "Environment", **changes: Any) -> ServiceEnvironment:
    return ServiceEnvironment(scope, id, **{"capacity_limits": {G5: 3}, **changes})


def job_queue(scope: Construct, id: str = "Queue", **changes: Any) -> ServiceJobQueue:
    if "service_environment" not in changes:
        changes["service_environment"] = environment(scope, f"{id}Environment")
    if "scheduling_policy" not in changes:
        changes["scheduling_policy"] = QuotaShareSchedulingPolicy(scope, f"{id}Policy")
    return ServiceJobQueue(scope, id, **changes)


def quota_share(scope: Construct, id: str = "Share", **changes: Any) -> QuotaShare:
    if "job_queue" not in changes:
        changes["job_queue"] = job_queue(scope, f"{id}Queue")
    return QuotaShare(scope, id, **{"capacity_limits": {G5: 1}, **changes})


def managed_queue(scope: Construct, id: str = "Gpu", **changes: Any) -> QuotaManagedQueue:
    return QuotaManagedQueue(scope, id, **{"capacity_limits": {G5: 3}, **changes})


def resources(stack: cdk.Stack, kind: str) -> dict[str, dict[str, Any]]:
    """Resources of the type AWS::Batch::`kind` by logical id."""
    return dict(Template.from_stack(stack).find_resources(f"AWS::Batch::{kind}"))


def properties(stack: cdk.Stack, kind: str) -> Mapping[str, Any]:
    """The properties of the only resource of the type AWS::Batch::`kind`."""
    (resource,) = resources(stack, kind).values()
    return resource["Properties"]


def logical_id(construct: Construct) -> str:
    """The logical id of the construct's own resource."""
    return str(cdk.Stack.of(construct).resolve(construct.node.default_child.logical_id))
