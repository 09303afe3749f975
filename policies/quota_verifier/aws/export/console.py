"""Values for the AWS Batch console, in the order of its forms.

Source: AWS Batch user guide, create quota management resources, create quota shares. Fields that the guide does
not tell of are listed apart, because nobody here has seen them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quota_verifier.aws.export.files import ExportedFile
from quota_verifier.model import UNLIMITED_BORROWING, Queue, Share, Strategy, TimeLimitReason
from quota_verifier.template.declaration import Declaration, Tags

Row = tuple[str, str, str]

_GUIDE = "https://docs.aws.amazon.com/batch/latest/userguide"
_STRATEGIES = {
    Strategy.RESERVE: "Reserve",
    Strategy.LEND: "Lend",
    Strategy.LEND_AND_BORROW: "Lend and borrow",
}
_TIME_LIMITS = {
    TimeLimitReason.SERVICE_ENVIRONMENT_MAX_RESOURCE: "Misconfiguration",
    TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY: "Capacity",
}
"""The guide's form has these two; the third reason is known to the API."""


def export(declaration: Declaration) -> tuple[ExportedFile, ...]:
    """`console.md`."""
    queue = declaration.queue
    parts = [
        f"# Job queue {queue.name} in the AWS Batch console\n",
        f"After AWS's guide: [quota management resources]({_GUIDE}/create-quota-management-resources.html),"
        f" [quota shares]({_GUIDE}/create-quota-shares.html).\n",
        "## 1. Job queues, Create\n",
        _table(("section", "field", "value"), _queue_rows(declaration)),
        f"Choose **Create job queue**, and wait until {queue.name} is VALID.\n",
    ]
    for place, share in enumerate(queue.shares, 2):
        parts += [
            f"## {place}. Job queues, {queue.name}, Quota shares, Create quota share\n",
            _table(("section", "field", "value"), _share_rows(share)),
            "Choose **Create quota share**.\n",
        ]
    others = list(_other_rows(declaration))
    if others:
        parts += [
            "## What the guide's steps do not tell of\n",
            "Look for these on the forms above. What is not there is set by the API: export it as `aws-cli`.\n",
            _table(("resource", "field", "value"), others),
        ]
    return (ExportedFile("console.md", "\n".join(parts)),)


def _queue_rows(declaration: Declaration) -> Iterator[Row]:
    queue = declaration.queue
    yield "Orchestration type", "", "SageMaker Training"
    yield "Job queue configuration", "Name", queue.name
    yield "", "Priority", str(declaration.priority)
    yield "Scheduling", "Scheduling algorithm", "Quota management"
    yield "", "Scheduling policy ARN", "Create scheduling policy"
    yield "Create scheduling policy (sidebar)", "Name", declaration.policy_name
    yield "", "", "Create"
    yield "Service environment", "Connected service environment", "Create a service environment"
    yield "Create a service environment (sidebar)", "Name", queue.environment.name
    for unit, most in queue.environment.limits.items():
        yield "", "Instance type", unit
        yield "", "Maximum number of instances", str(most)
    for action in queue.time_limits:
        if action.reason in _TIME_LIMITS:
            yield "Job state limits", _TIME_LIMITS[action.reason], action.reason.value.partition(":")[2]
            yield "", "Maximum runnable time (seconds)", str(action.max_time_ms // 1000)


def _share_rows(share: Share) -> Iterator[Row]:
    yield "", "Name", share.name
    for unit, most in share.limits.items():
        yield "Capacity limits, Add capacity limits", "Instance type", unit
        yield "", "Maximum instances", str(most)
    yield "Capacity sharing", "", _STRATEGIES[share.strategy]
    yield "In-share preemption", "", "Enable" if share.in_share_preemption else "Disable"


def _other_rows(declaration: Declaration) -> Iterator[Row]:
    queue, environment = declaration.queue, declaration.queue.environment
    policy, room, line = f"policy {declaration.policy_name}", f"environment {environment.name}", f"queue {queue.name}"
    yield from _tag_rows(policy, declaration.policy_tags)
    yield from _state_rows(room, enabled=environment.enabled)
    yield from _tag_rows(room, declaration.environment_tags)
    yield from _state_rows(line, enabled=queue.enabled)
    yield from _time_limit_rows(line, queue)
    yield from _tag_rows(line, declaration.queue_tags)
    for share in queue.shares:
        who = f"share {share.name}"
        if share.strategy.borrows:
            yield who, "Borrow limit (percent of its own limits)", _borrow_limit(share.borrow_limit)
        yield from _state_rows(who, enabled=share.enabled)
        yield from _tag_rows(who, declaration.share_tags.get(share.name, {}))


def _borrow_limit(limit: int | None) -> str:
    if limit is None:
        return "none given: unlimited"
    return (
        f"{limit}: unlimited"
        if limit == UNLIMITED_BORROWING
        else f"{limit}: no borrowing"
        if limit == 0
        else str(limit)
    )


def _time_limit_rows(who: str, queue: Queue) -> Iterator[Row]:
    for action in queue.time_limits:
        if action.reason not in _TIME_LIMITS:
            yield who, f"Job state limit {action.reason.value}", f"{action.max_time_ms // 1000} seconds"


def _state_rows(who: str, *, enabled: bool) -> Iterator[Row]:
    if not enabled:
        yield who, "State", "DISABLED"


def _tag_rows(who: str, tags: Tags) -> Iterator[Row]:
    for key, value in tags.items():
        yield who, f"Tag {key}", value


def _table(heads: Row, rows: Iterable[Row]) -> str:
    lines = [heads, ("---", "---", "---"), *rows]
    return "".join(f"| {' | '.join(_cell(cell) for cell in line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")
