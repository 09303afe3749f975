"""AWS Batch quota management for SageMaker Training as CDK constructs."""

from __future__ import annotations

from quota_shares import _node as _node  # first: it finds Node.js for the CDK
from quota_shares._borrowing import BORROW_LIMIT_BELOW_ONE, FRACTIONAL_BORROW_LIMIT
from quota_shares._capacity import CapacityLimits
from quota_shares._ledger import ShareLedger
from quota_shares._source import source_of
from quota_shares.quota_managed_queue import QuotaManagedQueue
from quota_shares.quota_share import QuotaShare, QuotaShareBase
from quota_shares.resource_sharing import ResourceSharing
from quota_shares.scheduling_policy import (
    IdleResourceAssignmentStrategy,
    QuotaShareSchedulingPolicy,
    QuotaShareSchedulingPolicyBase,
)
from quota_shares.service_environment import ServiceEnvironment, ServiceEnvironmentBase
from quota_shares.service_job_queue import ServiceJobQueue, ServiceJobQueueBase
from quota_shares.time_limits import ServiceJobTimeLimitAction, TimeLimitReason
from quota_shares.validation import QuotaShareValidation

__all__ = [
    "BORROW_LIMIT_BELOW_ONE",
    "FRACTIONAL_BORROW_LIMIT",
    "CapacityLimits",
    "IdleResourceAssignmentStrategy",
    "QuotaManagedQueue",
    "QuotaShare",
    "QuotaShareBase",
    "QuotaShareSchedulingPolicy",
    "QuotaShareSchedulingPolicyBase",
    "QuotaShareValidation",
    "ResourceSharing",
    "ServiceEnvironment",
    "ServiceEnvironmentBase",
    "ServiceJobQueue",
    "ServiceJobQueueBase",
    "ServiceJobTimeLimitAction",
    "ShareLedger",
    "TimeLimitReason",
    "source_of",
]
