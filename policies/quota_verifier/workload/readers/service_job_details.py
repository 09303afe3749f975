"""What a service job's description tells of its submission, in the model's terms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from quota_verifier.model import RetryRule
from quota_verifier.workload.readers.json_input import Fields, map_at, maps_at, whole_at
from quota_verifier.workload.readers.records import Details


def usage_of(job: Fields) -> Mapping[str, int] | None:
    """Whole instances by unit, from `capacityUsage` or else the training request; None where neither tells."""
    usage = maps_at(job, "capacityUsage")
    pairs = [(entry.get("capacityUnit"), entry.get("quantity")) for entry in usage] or _requested(job)
    demand: dict[str, int] = {}
    for unit, quantity in pairs:
        if not isinstance(unit, str) or isinstance(quantity, bool) or not isinstance(quantity, int | float):
            return None
        if isinstance(quantity, float) and not quantity.is_integer():
            return None
        demand[unit] = demand.get(unit, 0) + int(quantity)
    return demand if demand and min(demand.values()) >= 1 else None


def details_of(job: Fields, demand: Mapping[str, int]) -> Details:
    """Demand, priority, retries, timeout and tags; defaults for what a ListServiceJobs summary leaves out."""
    retry = map_at(job, "retryStrategy")
    rules: list[RetryRule] = []
    for rule in maps_at(retry, "evaluateOnExit"):
        action: Literal["RETRY", "EXIT"] = "EXIT" if str(rule.get("action")).upper() == "EXIT" else "RETRY"
        rules.append(RetryRule(action, str(rule.get("onStatusReason") or "*")))
    seconds = whole_at(map_at(job, "timeoutConfig"), "attemptDurationSeconds")
    tags = {str(key): str(value) for key, value in sorted(map_at(job, "tags").items())}
    return Details(
        demand=demand,
        priority=whole_at(job, "schedulingPriority") or 0,
        attempts=whole_at(retry, "attempts") or 1,
        preemption_retries=whole_at(map_at(job, "preemptionConfiguration"), "preemptionRetriesBeforeTermination"),
        timeout_ms=None if seconds is None else seconds * 1_000,
        retry_rules=tuple(rules),
        labels={**tags, "name": str(job.get("jobName") or "")},
    )


def _requested(job: Fields) -> list[tuple[object, object]]:
    """Instance types and counts of the CreateTrainingJob request, which AWS keeps as JSON text."""
    payload = job.get("serviceRequestPayload")
    try:
        request: object = json.loads(payload) if isinstance(payload, str) else {}
    except ValueError:
        return []
    resources = map_at({"request": request}, "request")
    resources = map_at(resources, "ResourceConfig")
    groups = maps_at(resources, "InstanceGroups") or [resources]
    return [(group.get("InstanceType"), group.get("InstanceCount")) for group in groups if group]
