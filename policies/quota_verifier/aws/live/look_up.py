"""Queues and scheduling policies by their exact name or ARN, over all pages (C55)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quota_verifier.aws.live.client import SOURCE, BatchClient, asking, every
from quota_verifier.errors import InputError
from quota_verifier.words import did_you_mean
from quota_verifier.workload.readers.json_input import maps_at

Description = Mapping[str, object]


def queue_named(client: BatchClient, name: str) -> Description:
    """The description of the job queue of exactly this name or ARN. Raises InputError where there is none."""
    with asking(name):
        found = maps_at(client.describe_job_queues(jobQueues=[name]), "jobQueues")
    for queue in found:
        if name in (queue.get("jobQueueName"), queue.get("jobQueueArn")):
            return queue
    known = [str(queue.get("jobQueueName")) for queue in every(client, "describe_job_queues", "jobQueues")]
    remedy = did_you_mean(name, sorted(known)) if known else "this account has none in this region"
    raise InputError(f"no job queue is called {name!r}", source=SOURCE, where="--queue", remedy=remedy)


def policy_arn(client: BatchClient, name: str) -> str:
    """The ARN of the scheduling policy of exactly this name or ARN. Raises InputError where there is none."""
    arns = [str(policy.get("arn")) for policy in every(client, "list_scheduling_policies", "schedulingPolicies")]
    return _exactly(name, arns)


def _exactly(name: str, arns: Iterable[str]) -> str:
    """The ARN that is `name`, or whose last part is: a part of a name is another resource's."""
    names: dict[str, str] = {}
    for arn in arns:
        if name in (arn, arn.rpartition("/")[2]):
            return arn
        names.setdefault(arn.rpartition("/")[2], arn)
    remedy = did_you_mean(name, sorted(names)) if names else "this account has none in this region"
    raise InputError(f"no scheduling policy is called {name!r}", source=SOURCE, remedy=remedy)


def policy_of(client: BatchClient, arn: str) -> Description:
    """The scheduling policy of an ARN. Raises InputError where it is gone."""
    with asking(arn):
        found = maps_at(client.describe_scheduling_policies(arns=[arn]), "schedulingPolicies")
    if not found:
        raise InputError("the scheduling policy of the queue does not exist", source=SOURCE, where=arn)
    return found[0]
