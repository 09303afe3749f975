"""A queue as the data of a queue file: for export, and for reading back."""

from __future__ import annotations

from quota_verifier.model import Environment, Queue, Share, TimeLimitAction

_DEFAULT_NAMES = {kind: kind.__dataclass_fields__["name"].default for kind in (Queue, Environment)}


def queue_document(queue: Queue) -> dict[str, object]:
    """The queue file that reads back as `queue`, without what is so by default; sources are left out."""
    found: dict[str, object] = {}
    if queue.name != _DEFAULT_NAMES[Queue]:
        found["name"] = queue.name
    found["environment"] = _environment(queue.environment)
    found["shares"] = [_share(share) for share in queue.shares]
    found.update(_state(enabled=queue.enabled))
    if queue.time_limits:
        found["time_limits"] = [_time_limit(action) for action in queue.time_limits]
    return found


def _environment(environment: Environment) -> dict[str, object]:
    limits = dict(environment.limits)
    named = environment.name != _DEFAULT_NAMES[Environment]
    if environment.enabled and not named and "limits" not in limits:
        return {**limits}
    name: dict[str, object] = {"name": environment.name} if named else {}
    return {**name, "limits": limits, **_state(enabled=environment.enabled)}


def _share(share: Share) -> dict[str, object]:
    found: dict[str, object] = {
        "name": share.name,
        "limits": dict(share.limits),
        "strategy": share.strategy.value,
    }
    if share.borrow_limit is not None:
        found["borrow_limit"] = share.borrow_limit
    if share.in_share_preemption:
        found["in_share_preemption"] = True
    return {**found, **_state(enabled=share.enabled)}


def _time_limit(action: TimeLimitAction) -> dict[str, object]:
    from quota_verifier.durations import format_duration  # loads pydantic, which reading does without

    return {"reason": action.reason.value, "max_time": format_duration(action.max_time_ms)}


def _state(*, enabled: bool) -> dict[str, object]:
    return {} if enabled else {"state": "DISABLED"}
