"""What a service job's description tells of its submission, in the model's terms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal, cast

from quota_verifier.model import RetryRule
from quota_verifier.workload.readers.records import Details

_Fields = Mapping[str, object]


def usage_of(job: _Fields) -> Mapping[str, int] | None:
    """Whole instances by unit, from `capacityUsage` or else the training request; None where neither tells."""
    usage = _list(job, "capacityUsage")
    pairs = [(entry.get("capacityUnit"), entry.get("quantity")) for entry in usage] or _requested(job)
    demand: dict[str, int] = {}
    for unit, quantity in pairs:
        if not isinstance(unit, str) or not isinstance(quantity, int | float) or quantity != int(quantity):
            return None
        demand[unit] = demand.get(unit, 0) + int(quantity)
    return demand if demand and min(demand.values()) >= 1 else None


def details_of(job: _Fields, demand: Mapping[str, int]) -> Details:
    """Demand, priority, retries, timeout and tags; defaults for what a ListServiceJobs summary leaves out."""
    retry = _map(job, "retryStrategy")
    rules: list[RetryRule] = []
    for rule in _list(retry, "evaluateOnExit"):
        action: Literal["RETRY", "EXIT"] = "EXIT" if str(rule.get("action")).upper() == "EXIT" else "RETRY"
        rules.append(RetryRule(action, str(rule.get("onStatusReason") or "*")))
    seconds = _whole(_map(job, "timeoutConfig"), "attemptDurationSeconds")
    tags = {str(key): str(value) for key, value in sorted(_map(job, "tags").items())}
    return Details(
        demand=demand,
        priority=_whole(job, "schedulingPriority") or 0,
        attempts=_whole(retry, "attempts") or 1,
        preemption_retries=_whole(_map(job, "preemptionConfiguration"), "preemptionRetriesBeforeTermination"),
        timeout_ms=None if seconds is None else seconds * 1_000,
        retry_rules=tuple(rules),
        labels={**tags, "name": str(job.get("jobName") or "")},
    )


def _requested(job: _Fields) -> list[tuple[object, object]]:
    """Instance types and counts of the CreateTrainingJob request, which AWS keeps as JSON text."""
    payload = job.get("serviceRequestPayload")
    try:
        request: object = json.loads(payload) if isinstance(payload, str) else {}
    except ValueError:
        return []
    resources = _map({"request": request}, "request")
    resources = _map(resources, "ResourceConfig")
    groups = _list(resources, "InstanceGroups") or [resources]
    return [(group.get("InstanceType"), group.get("InstanceCount")) for group in groups if group]


def _map(fields: _Fields, key: str) -> _Fields:
    value = fields.get(key)
    return cast("_Fields", value) if isinstance(value, Mapping) else {}


def _list(fields: _Fields, key: str) -> list[_Fields]:
    value = fields.get(key)
    if not isinstance(value, list):
        return []
    return [cast("_Fields", item) for item in cast("Sequence[object]", value) if isinstance(item, Mapping)]


def _whole(fields: _Fields, key: str) -> int | None:
    value = fields.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
