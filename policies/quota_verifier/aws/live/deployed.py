"""A deployed queue in the model's terms: its environment, its quota shares, its time limits."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.aws.live.client import SOURCE, BatchClient, asking, every
from quota_verifier.aws.live.look_up import Description, policy_of, queue_named
from quota_verifier.documents import as_list
from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share, Strategy, TimeLimitAction, TimeLimitReason
from quota_verifier.workload.readers.json_input import map_at, maps_at, whole_at

NUM_INSTANCES = "NUM_INSTANCES"


def deployed_queue(client: BatchClient, name: str) -> Queue:
    """The quota-managed queue of exactly this name or ARN; its shares in the order of their names.

    AWS tells a borrow limit of -1 for one that is unlimited and 0 for no borrowing: both are kept. Raises
    InputError for a queue that is not quota-managed (C29), and where AWS cannot be asked.
    """
    described = queue_named(client, name)
    arn = str(described.get("jobQueueArn"))
    environment_arn = _environment_arn(described)
    _check_policy(client, described)
    environment = _environment(client, environment_arn)
    shares = [_share(found) for found in every(client, "list_quota_shares", "quotaShares", jobQueue=arn)]
    if not shares:
        raise InputError("the queue has no quota shares", source=arn, remedy="create one")
    return Queue(
        environment=environment,
        shares=tuple(sorted(shares, key=lambda share: share.name)),
        name=str(described.get("jobQueueName")),
        enabled=_is_enabled(described),
        time_limits=tuple(_time_limit(action, arn) for action in maps_at(described, "jobStateTimeLimitActions")),
        source=arn,
    )


def _environment_arn(queue: Description) -> str:
    """The one service environment of a queue. Raises InputError for a queue of another kind (C29)."""
    arn = str(queue.get("jobQueueArn"))
    compute, service = (as_list(queue.get(key)) or [] for key in ("computeEnvironmentOrder", "serviceEnvironmentOrder"))
    if compute and service:
        raise InputError("the queue has both compute and service environments", source=arn, remedy="keep one kind")
    if compute:
        remedy = "name a queue of type SAGEMAKER_TRAINING"
        raise InputError("not a service queue: it has compute environments", source=arn, remedy=remedy)
    orders = maps_at(queue, "serviceEnvironmentOrder")
    if not orders:
        raise InputError("the queue has no environment at all", source=arn, remedy="attach a service environment")
    if len(orders) > 1:
        problem = f"the queue has {len(orders)} service environments"
        raise InputError(problem, source=arn, remedy="a quota-managed queue has exactly one")
    return str(orders[0].get("serviceEnvironment"))


def _check_policy(client: BatchClient, queue: Description) -> None:
    """Raise InputError unless the queue's scheduling policy is one of quota shares."""
    source, policy = str(queue.get("jobQueueArn")), queue.get("schedulingPolicyArn")
    if not policy:
        raise InputError("the queue has no scheduling policy: it is first in, first out", source=source)
    found = policy_of(client, str(policy))
    if "quotaSharePolicy" not in found:
        kind = "fair-share" if "fairsharePolicy" in found else "other"
        problem = f"the queue's scheduling policy {found.get('name')!r} is a {kind} policy"
        raise InputError(problem, source=source, remedy="name a queue whose policy has quotaSharePolicy")


def _environment(client: BatchClient, arn: str) -> Environment:
    with asking(arn):
        answer: Description = client.describe_service_environments(serviceEnvironments=[arn])
    found = maps_at(answer, "serviceEnvironments")
    if not found:
        raise InputError("the service environment of the queue does not exist", source=SOURCE, where=arn)
    limits = _limits(found[0], arn)
    if NUM_INSTANCES in limits:
        remedy = "a quota-managed queue counts instance types"
        raise InputError(f"the environment's limits count {NUM_INSTANCES}", source=arn, remedy=remedy)
    return Environment(
        limits, name=str(found[0].get("serviceEnvironmentName")), enabled=_is_enabled(found[0]), source=arn
    )


def _share(found: Mapping[str, object]) -> Share:
    arn, sharing = str(found.get("quotaShareArn")), map_at(found, "resourceSharingConfiguration")
    strategy = str(sharing.get("strategy"))
    if strategy not in list(Strategy):
        raise InputError(f"the strategy {strategy!r} is not known", source=arn, remedy="use a newer quota-shares")
    kind = Strategy(strategy)
    return Share(
        name=str(found.get("quotaShareName")),
        limits=_limits(found, arn),
        strategy=kind,
        borrow_limit=whole_at(sharing, "borrowLimit") if kind.borrows else None,
        in_share_preemption=map_at(found, "preemptionConfiguration").get("inSharePreemption") == "ENABLED",
        enabled=_is_enabled(found),
        source=arn,
    )


def _limits(found: Mapping[str, object], source: str) -> dict[str, int]:
    limits: dict[str, int] = {}
    for entry in maps_at(found, "capacityLimits"):
        unit, count = entry.get("capacityUnit"), whole_at(entry, "maxCapacity")
        if not isinstance(unit, str) or count is None:
            raise InputError("a capacity limit without a unit or a number", source=source, where="capacityLimits")
        limits[unit] = limits.get(unit, 0) + count
    return dict(sorted(limits.items()))


def _time_limit(action: Mapping[str, object], source: str) -> TimeLimitAction:
    reason, seconds = str(action.get("reason")), whole_at(action, "maxTimeSeconds")
    if reason not in list(TimeLimitReason) or seconds is None:
        raise InputError(
            f"the time limit for {reason!r} is not known", source=source, remedy="use a newer quota-shares"
        )
    return TimeLimitAction(TimeLimitReason(reason), seconds * 1000)


def _is_enabled(found: Mapping[str, object]) -> bool:
    return found.get("state", "ENABLED") == "ENABLED"
