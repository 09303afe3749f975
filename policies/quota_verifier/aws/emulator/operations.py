"""Which function answers which operation, and which of them change something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quota_verifier.aws.emulator import environments, jobs, listing, policies, queues, shares, snapshot, tagging
from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.shapes import Answer, Request

Act = Callable[[Account, Request], Answer]


@dataclass(frozen=True, slots=True)
class Operation:
    """How an operation is answered. What `changes` something is written down before it is acknowledged."""

    act: Act
    changes: bool


_CHANGES: Mapping[str, Act] = {
    "CreateSchedulingPolicy": policies.create,
    "UpdateSchedulingPolicy": policies.update,
    "DeleteSchedulingPolicy": policies.delete,
    "CreateServiceEnvironment": environments.create,
    "UpdateServiceEnvironment": environments.update,
    "DeleteServiceEnvironment": environments.delete,
    "CreateJobQueue": queues.create,
    "UpdateJobQueue": queues.update,
    "DeleteJobQueue": queues.delete,
    "CreateQuotaShare": shares.create,
    "UpdateQuotaShare": shares.update,
    "DeleteQuotaShare": shares.delete,
    "SubmitServiceJob": jobs.submit,
    "UpdateServiceJob": jobs.update,
    "TerminateServiceJob": jobs.terminate,
    "TerminateServiceJobs": jobs.terminate_several,
    "TagResource": tagging.tag,
    "UntagResource": tagging.untag,
}
_READS: Mapping[str, Act] = {
    "DescribeSchedulingPolicies": policies.describe,
    "ListSchedulingPolicies": policies.listing,
    "DescribeServiceEnvironments": environments.describe,
    "DescribeJobQueues": queues.describe,
    "GetJobQueueSnapshot": snapshot.snapshot,
    "DescribeQuotaShare": shares.describe,
    "ListQuotaShares": shares.listing,
    "DescribeServiceJob": jobs.describe,
    "ListServiceJobs": listing.list_jobs,
    "ListTagsForResource": tagging.listing,
}
OPERATIONS: Mapping[str, Operation] = {
    **{name: Operation(act, changes=True) for name, act in _CHANGES.items()},
    **{name: Operation(act, changes=False) for name, act in _READS.items()},
}
"""Every operation that the emulator serves, by AWS's name."""
