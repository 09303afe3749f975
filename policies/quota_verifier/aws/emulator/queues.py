"""Job queues. Only quota-managed ones: one service environment in instance types, a policy with quota shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.environments import user_of
from quota_verifier.aws.emulator.errors import ALREADY_EXISTS, AwsError
from quota_verifier.aws.emulator.identity import QUEUE
from quota_verifier.aws.emulator.limits import NUM_INSTANCES, check_between, check_name, check_tags
from quota_verifier.aws.emulator.paging import page
from quota_verifier.aws.emulator.records import JobQueue, QuotaShare, ServiceEnvironment
from quota_verifier.aws.emulator.scheduler import Scheduler
from quota_verifier.aws.emulator.shapes import Answer, Request
from quota_verifier.model import EnvironmentUpdate, Queue, TimeLimitAction, TimeLimitReason

MOST_QUEUES = 50
HIGHEST_PRIORITY = 1000
LEAST_WAIT_S, MOST_WAIT_S = 600, 86_400
_SAGEMAKER = "SAGEMAKER_TRAINING"


def create(account: Account, request: Request) -> Answer:
    """CreateJobQueue; it is VALID at once."""
    name = check_name("jobQueueName", request["jobQueueName"])
    priority = check_between("priority", request["priority"], 0, HIGHEST_PRIORITY)
    if request.get("jobQueueType") not in (None, _SAGEMAKER) or request.get("computeEnvironmentOrder"):
        raise AwsError(f"jobQueueType: this emulator serves queues of type {_SAGEMAKER} alone")
    actions: list[dict[str, Any]] = request.get("jobStateTimeLimitActions") or []
    time_limits = _time_limits(actions)
    tags = check_tags(request.get("tags"))
    if name in account.queues:
        raise AwsError(ALREADY_EXISTS)
    if len(account.queues) >= MOST_QUEUES:
        raise AwsError(f"an account has at most {MOST_QUEUES} job queues")
    policy = _quota_policy(account, request.get("schedulingPolicyArn"))
    order, environment = _environment(account, request.get("serviceEnvironmentOrder"), None)
    state = request.get("state") or "ENABLED"
    shares: dict[str, QuotaShare] = {}
    model = Queue(environment.model, (), name, state == "ENABLED", time_limits)
    queue = JobQueue(
        name, account.identity.arn(QUEUE, name), priority, state, policy, environment, order, actions,
        Scheduler(account, model, shares), tags, shares,
    )  # fmt: skip
    account.queues[name] = queue
    return _named(queue)


def describe(account: Account, request: Request) -> Answer:
    """DescribeJobQueues; what is not there is left out."""
    chosen = account.chosen(QUEUE, account.queues, request.get("jobQueues"))
    found, token = page(chosen, request)
    return {"jobQueues": [_view(queue) for queue in found], "nextToken": token}


def update(account: Account, request: Request) -> Answer:
    """UpdateJobQueue. A policy can be replaced by another with quota shares, not removed."""
    queue = account.queue(request["jobQueue"])
    priority, actions = request.get("priority"), request.get("jobStateTimeLimitActions")
    if priority is not None:
        check_between("priority", priority, 0, HIGHEST_PRIORITY)
    if request.get("computeEnvironmentOrder"):
        raise AwsError("computeEnvironmentOrder: a quota-managed queue has a service environment")
    time_limits = _time_limits(queue.time_limits if actions is None else actions)
    policy = request.get("schedulingPolicyArn")
    policy = queue.policy if policy is None else _quota_policy(account, policy)
    order, environment = queue.order, queue.environment
    if request.get("serviceEnvironmentOrder") is not None:
        order, environment = _environment(account, request["serviceEnvironmentOrder"], queue)
    queue.priority = queue.priority if priority is None else priority
    queue.time_limits = queue.time_limits if actions is None else list(actions)
    queue.policy, queue.order = policy, order
    queue.state = request.get("state") or queue.state
    live = queue.scheduler.open()
    if environment is not queue.environment:
        queue.environment = environment
        model = environment.model
        live.configure(EnvironmentUpdate(account.now, model.limits, model.enabled))
    live.configure_queue(enabled=queue.state == "ENABLED", time_limits=time_limits)
    return _named(queue)


def delete(account: Account, request: Request) -> Answer:
    """DeleteJobQueue, which must be DISABLED and have no quota shares any more; one that is not there is no error."""
    name = account.identity.name(QUEUE, request["jobQueue"])
    queue = account.queues.get(name)
    if queue is None:
        return {}
    if queue.state != "DISABLED":
        raise AwsError(f"Job queue {name} must be DISABLED before it is deleted")
    if queue.shares:
        raise AwsError(f"Job queue {name} has quota shares; delete them before the queue")
    del account.queues[name]
    for job in queue.scheduler.jobs:
        account.jobs.pop(job.id, None)
    return {}


def _quota_policy(account: Account, arn: str | None) -> str:
    if not arn:
        raise AwsError("schedulingPolicyArn: this emulator serves quota-managed queues, which need a scheduling policy")
    policy = account.policy(arn)
    if not policy.is_quota_policy:
        raise AwsError(f"schedulingPolicyArn: {arn} has no quotaSharePolicy")
    return policy.arn


def _environment(
    account: Account, given: Sequence[Mapping[str, Any]] | None, queue: JobQueue | None
) -> tuple[int, ServiceEnvironment]:
    place = "serviceEnvironmentOrder"
    if not given or len(given) != 1:
        raise AwsError(f"{place}: a quota-managed queue has exactly one service environment")
    environment = account.environment(given[0]["serviceEnvironment"])
    if NUM_INSTANCES in environment.limits:
        raise AwsError(f"{place}: the limits of {environment.name} must be in instance types, not {NUM_INSTANCES}")
    user = user_of(account, environment)
    if user is not None and user is not queue:
        raise AwsError(f"{place}: {environment.name} is attached to job queue {user.name} already")
    return given[0]["order"], environment


def _time_limits(actions: Sequence[Mapping[str, Any]]) -> tuple[TimeLimitAction, ...]:
    found: list[TimeLimitAction] = []
    for index, action in enumerate(actions):
        place = f"jobStateTimeLimitActions.{index}"
        if action["action"] != "TERMINATE":
            raise AwsError(f"{place}.action: only TERMINATE is possible in a queue of type {_SAGEMAKER}")
        if action["reason"] not in list(TimeLimitReason):
            raise AwsError(f"{place}.reason: must be one of {', '.join(TimeLimitReason)}")
        seconds = check_between(f"{place}.maxTimeSeconds", action["maxTimeSeconds"], LEAST_WAIT_S, MOST_WAIT_S)
        if any(other.reason == action["reason"] for other in found):
            raise AwsError(f"{place}.reason: {action['reason']} is listed twice")
        found.append(TimeLimitAction(TimeLimitReason(action["reason"]), seconds * 1000))
    return tuple(found)


def _named(queue: JobQueue) -> Answer:
    return {"jobQueueName": queue.name, "jobQueueArn": queue.arn}


def _view(queue: JobQueue) -> Answer:
    return {
        **_named(queue),
        "state": queue.state,
        "schedulingPolicyArn": queue.policy,
        "status": "VALID",
        "statusReason": "JobQueue Healthy",
        "priority": queue.priority,
        "computeEnvironmentOrder": [],
        "serviceEnvironmentOrder": [{"order": queue.order, "serviceEnvironment": queue.environment.arn}],
        "jobQueueType": _SAGEMAKER,
        "jobStateTimeLimitActions": queue.time_limits,
        "tags": queue.tags or None,
    }
