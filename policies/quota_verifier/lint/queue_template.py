"""A queue file as the template that would deploy it, so that the same rules look at both."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.documents import DataPath, Document, as_map, load_document
from quota_verifier.model import Environment, Queue, Share, TimeLimitAction
from quota_verifier.template import Template, parse_template

ENVIRONMENT, POLICY, QUEUE = "environment", "policy", "queue"
"""The logical ids of what a queue file describes besides its shares, which have their names."""


def queue_template(queue: Queue) -> Template:
    """The template of `queue`, whose source is its queue file; lines and columns are those of that file."""
    written = load_document(queue.source)
    places = dict(_places(queue, written))

    def place(path: DataPath) -> DataPath:
        while path not in places and path:
            path = path[:-1]
        return places.get(path, ())

    document = Document(
        data={"Resources": queue_resources(queue)},
        source=queue.source,
        line_of=lambda path: written.line_of(place(path)),
        column_of=lambda path: written.column_of(place(path)),
    )
    return parse_template(document)


def queue_resources(queue: Queue) -> dict[str, object]:
    """The resources of `queue` by logical id, as a template declares them. Names that deployments give are left out."""
    return {
        POLICY: _resource("SchedulingPolicy", {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}),
        ENVIRONMENT: _resource("ServiceEnvironment", _environment(queue.environment)),
        QUEUE: _resource("JobQueue", _job_queue(queue)),
        **{_id(share): _resource("QuotaShare", _share(share)) for share in queue.shares},
    }


def _id(share: Share) -> str:
    taken = share.name in {ENVIRONMENT, POLICY, QUEUE} or share.name.startswith("Fn::")
    return f"share {share.name}" if taken else share.name


def _resource(kind: str, properties: Mapping[str, object]) -> dict[str, object]:
    return {"Type": f"AWS::Batch::{kind}", "Properties": properties}


def _environment(environment: Environment) -> dict[str, object]:
    return {
        "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
        "CapacityLimits": _limits(environment.limits),
        "State": _state(enabled=environment.enabled),
    }


def _job_queue(queue: Queue) -> dict[str, object]:
    return {
        "JobQueueType": "SAGEMAKER_TRAINING",
        "Priority": 1,
        "SchedulingPolicyArn": {"Fn::GetAtt": [POLICY, "Arn"]},
        "ServiceEnvironmentOrder": [
            {"Order": 1, "ServiceEnvironment": {"Fn::GetAtt": [ENVIRONMENT, "ServiceEnvironmentArn"]}}
        ],
        "State": _state(enabled=queue.enabled),
        "JobStateTimeLimitActions": [_time_limit(action) for action in queue.time_limits],
    }


def _share(share: Share) -> dict[str, object]:
    limit = {} if share.borrow_limit is None else {"BorrowLimit": share.borrow_limit}
    return {
        "QuotaShareName": share.name,
        "JobQueue": {"Fn::GetAtt": [QUEUE, "JobQueueArn"]},
        "CapacityLimits": _limits(share.limits),
        "ResourceSharingConfiguration": {"Strategy": share.strategy.value, **limit},
        "PreemptionConfiguration": {"InSharePreemption": _state(enabled=share.in_share_preemption)},
        "State": _state(enabled=share.enabled),
    }


def _limits(limits: Mapping[str, int]) -> list[dict[str, object]]:
    return [{"CapacityUnit": unit, "MaxCapacity": capacity} for unit, capacity in limits.items()]


def _time_limit(action: TimeLimitAction) -> dict[str, object]:
    seconds = action.max_time_ms // 1000
    return {"Action": "TERMINATE", "State": "RUNNABLE", "Reason": action.reason.value, "MaxTimeSeconds": seconds}


def _state(*, enabled: bool) -> str:
    return "ENABLED" if enabled else "DISABLED"


def _places(queue: Queue, written: Document) -> dict[DataPath, DataPath]:
    """Where in the queue file each part of the template stands."""
    environment = (as_map(written.data) or {}).get("environment")
    in_full = "limits" in (as_map(environment) or {})
    limits: DataPath = ("environment", "limits") if in_full else ("environment",)
    places: dict[DataPath, DataPath] = {("Resources", ENVIRONMENT): ("environment",)}
    places |= _limit_places(("Resources", ENVIRONMENT), queue.environment.limits, limits)
    places["Resources", ENVIRONMENT, "Properties", "State"] = ("environment", "state")
    places["Resources", QUEUE, "Properties", "JobStateTimeLimitActions"] = ("time_limits",)
    places["Resources", QUEUE, "Properties", "State"] = ("state",)
    for index, share in enumerate(queue.shares):
        resource: DataPath = ("Resources", _id(share))
        here: DataPath = ("shares", index)
        sharing = (*resource, "Properties", "ResourceSharingConfiguration")
        places |= {
            resource: here,
            (*resource, "Properties", "QuotaShareName"): (*here, "name"),
            (*resource, "Properties", "State"): (*here, "state"),
            sharing: (*here, "strategy"),
            (*sharing, "BorrowLimit"): (*here, "borrow_limit"),
        }
        places |= _limit_places(resource, share.limits, (*here, "limits"))
    return places


def _limit_places(resource: DataPath, limits: Mapping[str, int], here: DataPath) -> dict[DataPath, DataPath]:
    properties = (*resource, "Properties", "CapacityLimits")
    return {properties: here, **{(*properties, index): (*here, unit) for index, unit in enumerate(limits)}}
