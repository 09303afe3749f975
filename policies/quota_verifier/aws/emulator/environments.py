"""Service environments."""

from __future__ import annotations

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.errors import ALREADY_EXISTS, AwsError
from quota_verifier.aws.emulator.identity import ENVIRONMENT
from quota_verifier.aws.emulator.limits import NUM_INSTANCES, check_name, check_tags, limits_view, read_limits
from quota_verifier.aws.emulator.paging import page
from quota_verifier.aws.emulator.records import JobQueue, ServiceEnvironment
from quota_verifier.aws.emulator.shapes import Answer, Request
from quota_verifier.model import EnvironmentUpdate

MOST_ENVIRONMENTS = 50


def create(account: Account, request: Request) -> Answer:
    """CreateServiceEnvironment; it is VALID at once."""
    name = check_name("serviceEnvironmentName", request["serviceEnvironmentName"])
    limits = read_limits(request["capacityLimits"], may_count_instances=True)
    _check_units(limits)
    tags = check_tags(request.get("tags"))
    if name in account.environments:
        raise AwsError(ALREADY_EXISTS)
    if len(account.environments) >= MOST_ENVIRONMENTS:
        raise AwsError(f"an account has at most {MOST_ENVIRONMENTS} service environments")
    environment = ServiceEnvironment(
        name,
        account.identity.arn(ENVIRONMENT, name),
        request["serviceEnvironmentType"],
        request.get("state") or "ENABLED",
        limits,
        tags,
    )
    account.environments[name] = environment
    return _named(environment)


def describe(account: Account, request: Request) -> Answer:
    """DescribeServiceEnvironments; what is not there is left out."""
    chosen = account.chosen(ENVIRONMENT, account.environments, request.get("serviceEnvironments"))
    found, token = page(chosen, request)
    return {"serviceEnvironments": [_view(environment) for environment in found], "nextToken": token}


def update(account: Account, request: Request) -> Answer:
    """UpdateServiceEnvironment; no running job is stopped."""
    environment = account.environment(request["serviceEnvironment"])
    queue = user_of(account, environment)
    limits = environment.limits
    if request.get("capacityLimits") is not None:
        limits = read_limits(request["capacityLimits"], may_count_instances=True)
        _check_units(limits)
        lost = [unit for unit in environment.limits if unit not in limits]
        if queue is not None and lost:
            raise AwsError(f"capacityLimits: {lost[0]} cannot be removed while job queue {queue.name} uses it")
    environment.limits = limits
    environment.state = request.get("state") or environment.state
    if queue is not None:
        live = queue.scheduler.open()
        live.configure(EnvironmentUpdate(account.now, dict(limits), environment.state == "ENABLED"))
    return _named(environment)


def delete(account: Account, request: Request) -> Answer:
    """DeleteServiceEnvironment, which must be DISABLED and belong to no queue."""
    environment = account.environment(request["serviceEnvironment"])
    if environment.state != "DISABLED":
        raise AwsError(f"Service environment {environment.name} must be DISABLED before it is deleted")
    queue = user_of(account, environment)
    if queue is not None:
        raise AwsError(f"Service environment {environment.name} is in use by job queue {queue.name}")
    del account.environments[environment.name]
    return {}


def user_of(account: Account, environment: ServiceEnvironment) -> JobQueue | None:
    """The queue that an environment is attached to."""
    return next((queue for queue in account.queues.values() if queue.environment is environment), None)


def _check_units(limits: dict[str, int]) -> None:
    if NUM_INSTANCES in limits and len(limits) > 1:
        raise AwsError(f"capacityLimits: {NUM_INSTANCES} cannot stand beside instance types")


def _named(environment: ServiceEnvironment) -> Answer:
    return {"serviceEnvironmentName": environment.name, "serviceEnvironmentArn": environment.arn}


def _view(environment: ServiceEnvironment) -> Answer:
    return {
        **_named(environment),
        "serviceEnvironmentType": environment.kind,
        "state": environment.state,
        "status": "VALID",
        "capacityLimits": limits_view(environment.limits),
        "tags": environment.tags or None,
    }
