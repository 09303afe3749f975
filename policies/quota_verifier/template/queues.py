"""From resources to queues: what the scheduler needs, checked as strictly as it needs it.

Refused here is what leaves no capacity, share or limit to reckon with. What AWS refuses or frowns on
although the numbers make sense is left to the rules.
"""

from __future__ import annotations

from enum import StrEnum

from quota_verifier.errors import InputError
from quota_verifier.model import (
    UNLIMITED_BORROWING,
    Environment,
    Queue,
    Share,
    Strategy,
    TimeLimitAction,
    TimeLimitReason,
)
from quota_verifier.template.properties import Property, Switch, choice, described, properties, text, whole
from quota_verifier.template.references import Outside, shares_of, target
from quota_verifier.template.resources import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
)
from quota_verifier.template.unresolved import Unresolved

LEAST_WAIT_S, MOST_WAIT_S = 600, 86_400
"""What MaxTimeSeconds of a job state time-limit action may be (API reference)."""


class _Action(StrEnum):
    """What a time-limit action of a SageMaker queue may do (AWS user guide)."""

    TERMINATE = "TERMINATE"


class _JobState(StrEnum):
    """The job states that a time-limit action may watch."""

    RUNNABLE = "RUNNABLE"


def build_queue(template: Template, resource: Resource) -> Queue:
    """The queue that a job queue, its environment and its shares make.

    Raises InputError, with the logical id and property, for what cannot be reckoned with.
    """
    item = _present(resource)
    return Queue(
        environment=_environment(template, item),
        shares=_shares(shares_of(template, resource)),
        name=resource.logical_id if item["JobQueueName"].absent else text(item["JobQueueName"]),
        enabled=_enabled(item["State"]),
        time_limits=tuple(_time_limit(entry) for entry in item["JobStateTimeLimitActions"].items()),
        source=resource.label,
    )


def refuse_lost_shares(template: Template) -> None:
    """Raise InputError for the first share whose queue is not in the template."""
    for share in template.of_type(QUOTA_SHARE):
        item = properties(share)["JobQueue"]
        _target(template, item, JOB_QUEUE, "job queue")


def _present(resource: Resource) -> Property:
    if resource.condition is not None:
        raise InputError(
            f"whether it is there {resource.condition.reason}",
            source=resource.at(),
            where=described(resource),
            remedy=resource.condition.remedy,
        )
    return properties(resource)


def _target(template: Template, item: Property, resource_type: str, noun: str) -> Resource:
    found = target(template, item.value, resource_type)
    if found is None:
        raise item.refused(f"does not name a {noun}", f"name the {noun} with Ref or Fn::GetAtt")
    elsewhere = f"declare the {noun} in the same template, or describe the queue in a queue file"
    if isinstance(found, Unresolved):
        remedy = found.remedy if found.parameter or found.fix else elsewhere
        raise InputError(found.reason, source=item.resource.at(*item.path), where=item.where, remedy=remedy)
    if isinstance(found, Outside):
        lack = "is left out by its condition" if found.left_out else "is not in this template"
        raise InputError(
            f"the {noun} {found.name!r} {lack}",
            source=item.resource.at(*item.path),
            where=item.where,
            remedy=elsewhere,
        )
    if found.type != resource_type:
        raise InputError(
            f"refers to {found.logical_id}, which is an {found.type}",
            source=item.resource.at(*item.path),
            where=item.where,
            remedy=f"refer to an {resource_type}",
        )
    return found


def _environment(template: Template, queue: Property) -> Environment:
    order = queue["ServiceEnvironmentOrder"]
    entries = list(order.items())
    if not entries:
        raise queue.refused(
            "the queue has no service environment", "give ServiceEnvironmentOrder one service environment"
        )
    if len(entries) > 1:
        raise order.refused(
            f"the queue has {len(entries)} service environments", "a quota-managed queue takes exactly one"
        )
    found = _target(template, entries[0]["ServiceEnvironment"], SERVICE_ENVIRONMENT, "service environment")
    item = _present(found)
    name = item["ServiceEnvironmentName"]
    return Environment(
        limits=_limits(item, least=0),
        name=found.logical_id if name.absent else text(name),
        enabled=_enabled(item["State"]),
        source=found.label,
    )


def _shares(resources: tuple[Resource, ...]) -> tuple[Share, ...]:
    shares: dict[str, Share] = {}
    for resource in resources:
        item = _present(resource)
        share = _share(item)
        if share.name in shares:
            raise item["QuotaShareName"].refused(
                f"{share.name!r} is also the name of share {shares[share.name].source}",
                "give every share of a queue its own name",
            )
        shares[share.name] = share
    return tuple(shares.values())


def _share(item: Property) -> Share:
    sharing = item["ResourceSharingConfiguration"]
    strategy = choice(sharing["Strategy"], Strategy)
    return Share(
        name=text(item["QuotaShareName"], "give the share a name"),
        limits=_limits(item, least=1),
        strategy=strategy,
        borrow_limit=_borrow_limit(sharing["BorrowLimit"], strategy),
        in_share_preemption=_enabled(item["PreemptionConfiguration"]["InSharePreemption"], required=True),
        enabled=_enabled(item["State"]),
        source=item.resource.label,
    )


def _borrow_limit(item: Property, strategy: Strategy) -> int | None:
    """Absent, -1 and 0 stay three different values."""
    if item.absent:
        return None
    limit = whole(item, least=UNLIMITED_BORROWING)
    if not strategy.borrows:
        raise item.refused(
            f"a share of strategy {strategy} does not borrow", "remove BorrowLimit, or use LEND_AND_BORROW"
        )
    return limit


def _limits(item: Property, *, least: int) -> dict[str, int]:
    entries = list(item["CapacityLimits"].items())
    if not entries:
        raise item["CapacityLimits"].refused("has no limits", "give at least one CapacityUnit with its MaxCapacity")
    limits: dict[str, int] = {}
    for entry in entries:
        unit = text(entry["CapacityUnit"], "write an instance type such as ml.g5.xlarge")
        if unit in limits:
            raise entry["CapacityUnit"].refused(f"{unit!r} has two limits", "give each unit one limit")
        limits[unit] = whole(entry["MaxCapacity"], least=least)
    return limits


def _enabled(item: Property, *, required: bool = False) -> bool:
    default = None if required else Switch.ENABLED
    return choice(item, Switch, default=default) is Switch.ENABLED


def _time_limit(item: Property) -> TimeLimitAction:
    choice(item["Action"], _Action)
    choice(item["State"], _JobState)
    reason = choice(item["Reason"], TimeLimitReason)
    seconds = whole(item["MaxTimeSeconds"], least=LEAST_WAIT_S, most=MOST_WAIT_S)
    return TimeLimitAction(reason, seconds * 1_000)
