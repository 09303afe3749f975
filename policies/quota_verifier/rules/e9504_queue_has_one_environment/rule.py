"""E9504: a quota-managed queue has exactly one service environment."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.values import items_at, value_at
from quota_verifier.template import JOB_QUEUE, Resource, Template, Unresolved, environments_of, quota_managed_queues

ORDER = "ServiceEnvironmentOrder"


def check(template: Template) -> Iterator[Result]:
    """An entry that the deployment decides may also turn out to be none."""
    for queue in quota_managed_queues(template):
        entries = items_at(queue, ORDER)
        if isinstance(entries, Unresolved):
            yield unknown(queue, (ORDER,), entries)
            continue
        left_open = [index for index, entry in enumerate(entries) if isinstance(entry, Unresolved)]
        if len(entries) - len(left_open) > 1 or not entries:
            yield Violation(queue, (ORDER,), _message(template, queue), "give it exactly one service environment")
            continue
        for index in left_open if len(entries) > 1 else []:
            entry = value_at(queue, ORDER, index)
            if isinstance(entry, Unresolved):
                yield unknown(queue, (ORDER, index), entry)


def _message(template: Template, queue: Resource) -> str:
    found = environments_of(template, queue)
    if not found:
        instead = ", but compute environments" if value_at(queue, "ComputeEnvironmentOrder") else ""
        return f"a quota-managed queue has no service environment{instead}"
    names = [environment.logical_id for environment in found if isinstance(environment, Resource)]
    listed = f" ({', '.join(names)})" if len(names) == len(found) else ""
    return f"a quota-managed queue has {len(found)} service environments{listed}"


RULE = Rule(
    id="E9504",
    title="A quota-managed queue has exactly one service environment",
    why="Shares divide the capacity of one environment; AWS Batch refuses a quota-managed queue with none or several.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html",
    properties={JOB_QUEUE: (ORDER, f"{ORDER}[]")},
    check=check,
)
