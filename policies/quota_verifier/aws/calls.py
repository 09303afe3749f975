"""A declaration as the calls of AWS Batch that create it, and those that delete it again, in the order AWS wants.

Flat records: an operation, its request in boto3's spelling, and what to wait for before the next one. What
runs them is `quota_verifier.aws.perform`; what writes them down as scripts is `quota_verifier.aws.export`.
Order and states: AWS Batch user guide, create quota management resources, create quota shares; API reference
of the deletions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from quota_verifier.model import Share, TimeLimitAction
from quota_verifier.template.declaration import Declaration, Tags

POLICY, ENVIRONMENT, QUEUE = "scheduling-policy", "service-environment", "job-queue"
"""The steps, as ARNs and the AWS CLI spell them; a share's is `quota-share-NAME`."""

LOOK_UP = "look-up"
"""The step of a deletion that finds the account's ARNs."""

TRAINING = "SAGEMAKER_TRAINING"
INVALID = "INVALID"
"""The status from which no waiting helps."""


@dataclass(frozen=True, slots=True)
class Made:
    """A value in a request: `member` of what an earlier call answered.

    `name` is what the request may say instead, where AWS takes a name as well as an ARN.
    """

    step: str
    member: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Arn:
    """A value in a request: the ARN of `resource` (`scheduling-policy/NAME`) where the look-up finds the environment.

    The look-up's `query` (JMESPath) finds the environment's own ARN, and `service-environment/` ends its prefix.
    """

    resource: str
    query: ClassVar[str] = "serviceEnvironments[0].serviceEnvironmentArn"


@dataclass(frozen=True, slots=True)
class Until:
    """Ask `operation` again until `query` (JMESPath) finds `wanted`: a state and a status, or a count of 0."""

    operation: str
    request: Mapping[str, object]
    query: str
    wanted: tuple[str, str] | int


@dataclass(frozen=True, slots=True)
class Call:
    """One call of AWS Batch; `step` is what it is about."""

    step: str
    operation: str
    request: Mapping[str, object]
    until: Until | None = None


def share_step(name: str) -> str:
    """The step that creates or deletes a share."""
    return f"quota-share-{name}"


def creation(declaration: Declaration) -> tuple[Call, ...]:
    """The calls that create everything declared: policy, environment, queue, then the shares in their order."""
    queue, environment = declaration.queue, declaration.queue.environment
    policy: dict[str, object] = {
        "name": declaration.policy_name,
        "quotaSharePolicy": {"idleResourceAssignmentStrategy": "FIFO"},
    }
    room: dict[str, object] = {
        "serviceEnvironmentName": environment.name,
        "serviceEnvironmentType": TRAINING,
        "state": _state(enabled=environment.enabled),
        "capacityLimits": _limits(environment.limits),
    }
    line: dict[str, object] = {
        "jobQueueName": queue.name,
        "jobQueueType": TRAINING,
        "state": _state(enabled=queue.enabled),
        "priority": declaration.priority,
        "schedulingPolicyArn": Made(POLICY, "arn"),
        "serviceEnvironmentOrder": [
            {"order": 1, "serviceEnvironment": Made(ENVIRONMENT, "serviceEnvironmentArn", environment.name)}
        ],
    }
    if queue.time_limits:
        line["jobStateTimeLimitActions"] = [_time_limit(action) for action in queue.time_limits]
    return (
        Call(POLICY, "CreateSchedulingPolicy", policy | _tags(declaration.policy_tags)),
        Call(
            ENVIRONMENT,
            "CreateServiceEnvironment",
            room | _tags(declaration.environment_tags),
            _environment_is(environment.name, _state(enabled=environment.enabled)),
        ),
        Call(
            QUEUE,
            "CreateJobQueue",
            line | _tags(declaration.queue_tags),
            _queue_is(queue.name, _state(enabled=queue.enabled)),
        ),
        *(_share_creation(queue.name, share, declaration.share_tags.get(share.name, {})) for share in queue.shares),
    )


def deletion(declaration: Declaration) -> tuple[Call, ...]:
    """The calls that delete it all, last created first, each disabled before. Jobs that are left are terminated."""
    queue, environment = declaration.queue.name, declaration.queue.environment.name
    named: Mapping[str, object] = {"serviceEnvironment": environment}
    listed: Mapping[str, object] = {"jobQueue": queue}
    off = {"state": "DISABLED"}
    return (
        Call(LOOK_UP, "DescribeServiceEnvironments", {"serviceEnvironments": [environment]}),
        *(call for share in reversed(declaration.queue.shares) for call in _share_deletion(queue, share.name)),
        Call(QUEUE, "UpdateJobQueue", listed | off, _queue_is(queue, "DISABLED")),
        Call(QUEUE, "DeleteJobQueue", listed, _gone("DescribeJobQueues", "jobQueues", queue)),
        Call(POLICY, "DeleteSchedulingPolicy", {"arn": Arn(f"{POLICY}/{declaration.policy_name}")}),
        Call(ENVIRONMENT, "UpdateServiceEnvironment", named | off, _environment_is(environment, "DISABLED")),
        Call(
            ENVIRONMENT,
            "DeleteServiceEnvironment",
            named,
            _gone("DescribeServiceEnvironments", "serviceEnvironments", environment),
        ),
    )


def _share_creation(queue: str, share: Share, tags: Tags) -> Call:
    # None, -1 and 0 are three requests: absent and -1 are unlimited, 0 is no borrowing.
    limit = {} if share.borrow_limit is None else {"borrowLimit": share.borrow_limit}
    step = share_step(share.name)
    state = _state(enabled=share.enabled)
    request: dict[str, object] = {
        "quotaShareName": share.name,
        "jobQueue": Made(QUEUE, "jobQueueArn", queue),
        "state": state,
        "capacityLimits": _limits(share.limits),
        "resourceSharingConfiguration": {"strategy": share.strategy.value, **limit},
        "preemptionConfiguration": {"inSharePreemption": _state(enabled=share.in_share_preemption)},
    }
    return Call(step, "CreateQuotaShare", request | _tags(tags), _share_is(Made(step, "quotaShareArn"), state))


def _share_deletion(queue: str, share: str) -> Iterator[Call]:
    arn = Arn(f"{QUEUE}/{queue}/quota-share/{share}")
    step = share_step(share)
    yield Call(step, "UpdateQuotaShare", {"quotaShareArn": arn, "state": "DISABLED"}, _share_is(arn, "DISABLED"))
    # DescribeQuotaShare ends in an error once the share is gone, and an error may mean anything; a list does not.
    still_there = f"length(quotaShares[?quotaShareName=='{share}'])"
    gone = Until("ListQuotaShares", {"jobQueue": queue}, still_there, 0)
    yield Call(step, "DeleteQuotaShare", {"quotaShareArn": arn}, gone)


def _environment_is(name: str, state: str) -> Until:
    request = {"serviceEnvironments": [name]}
    return Until("DescribeServiceEnvironments", request, "serviceEnvironments[0].[state, status]", (state, "VALID"))


def _queue_is(name: str, state: str) -> Until:
    return Until("DescribeJobQueues", {"jobQueues": [name]}, "jobQueues[0].[state, status]", (state, "VALID"))


def _share_is(arn: Made | Arn, state: str) -> Until:
    return Until("DescribeQuotaShare", {"quotaShareArn": arn}, "[state, status]", (state, "VALID"))


def _gone(operation: str, member: str, name: str) -> Until:
    return Until(operation, {member: [name]}, f"length({member}[?status!='DELETED'])", 0)


def _tags(tags: Tags) -> dict[str, object]:
    return {"tags": dict(tags)} if tags else {}


def _limits(limits: Mapping[str, int]) -> list[dict[str, object]]:
    return [{"maxCapacity": most, "capacityUnit": unit} for unit, most in limits.items()]


def _time_limit(action: TimeLimitAction) -> dict[str, object]:
    seconds = action.max_time_ms // 1000
    return {"reason": action.reason.value, "state": "RUNNABLE", "maxTimeSeconds": seconds, "action": "TERMINATE"}


def _state(*, enabled: bool) -> str:
    return "ENABLED" if enabled else "DISABLED"
