"""E9502: a queue with quota shares has a scheduling policy with QuotaSharePolicy."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation, unknown
from quota_verifier.lint.values import value_at
from quota_verifier.template import (
    JOB_QUEUE,
    SCHEDULING_POLICY,
    Outside,
    Resource,
    Template,
    Unresolved,
    policy_of,
    quota_managed_queues,
)

PATH = ("SchedulingPolicyArn",)
FIX = "name a policy with QuotaSharePolicy: {IdleResourceAssignmentStrategy: FIFO}"


def check(template: Template) -> Iterator[Result]:
    """An empty or misdirected SchedulingPolicyArn is the business of E9506."""
    for queue in quota_managed_queues(template):
        if value_at(queue, *PATH) is None:
            fix = "name a policy that has QuotaSharePolicy"
            yield Violation(queue, PATH, "a queue with quota shares has no scheduling policy", fix)
            continue
        match policy_of(template, queue):
            case Resource() as policy if policy.type == SCHEDULING_POLICY:
                yield from _of_policy(queue, policy)
            case Outside(name=name, left_out=False):
                yield Unknown(queue, PATH, f"names {name!r}, which is not in this template")
            case Unresolved() as left_open:
                yield unknown(queue, PATH, left_open)
            case _:
                pass


def _of_policy(queue: Resource, policy: Resource) -> Iterator[Result]:
    quota, fairshare = (value_at(policy, name) for name in ("QuotaSharePolicy", "FairsharePolicy"))
    if isinstance(quota, Unresolved):
        yield unknown(policy, ("QuotaSharePolicy",), quota)
    elif quota is None:
        has = "no QuotaSharePolicy" if fairshare is None else "FairsharePolicy"
        yield Violation(policy, ("QuotaSharePolicy",), f"the policy of queue {queue.logical_id} has {has}", FIX)


RULE = Rule(
    id="E9502",
    title="A queue with quota shares has a scheduling policy with QuotaSharePolicy",
    why="Without it the queue is FIFO or fair-share and takes no quota shares; a policy's kind is fixed at creation.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html",
    properties={JOB_QUEUE: ("SchedulingPolicyArn",), SCHEDULING_POLICY: ("QuotaSharePolicy",)},
    check=check,
)
