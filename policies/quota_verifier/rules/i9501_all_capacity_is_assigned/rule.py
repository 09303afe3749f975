"""I9501: all capacity of the environment belongs to some share."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation
from quota_verifier.lint.limits import CAPACITY_LIMITS, Limit, known_limits, limit_on, names_a_type, unknown_limit
from quota_verifier.lint.queues import shares_may_be_elsewhere, the_environment
from quota_verifier.template import (
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
    Unresolved,
    quota_managed_queues,
    shares_of,
)


def check(template: Template) -> Iterator[Result]:
    """A queue without any share is the business of W9509."""
    for queue in quota_managed_queues(template):
        environment, shares = the_environment(template, queue), shares_of(template, queue)
        if not isinstance(environment, Resource) or not shares:
            continue
        if shares_may_be_elsewhere(template, queue):
            yield Unknown(queue, (), "may have more shares in another stack")
            continue
        for limit in known_limits(environment):
            yield from _of(environment, limit, shares)


def _of(environment: Resource, limit: Limit, shares: tuple[Resource, ...]) -> Iterator[Result]:
    unit, capacity = limit.unit, limit.capacity
    if not names_a_type(unit) or not isinstance(capacity, int):
        return
    owned = [(share, limit_on(share, unit)) for share in shares]
    left_open = [unknown_limit(share, unit, own) for share, own in owned if isinstance(own, Unresolved)]
    unassigned = capacity - sum(own for _, own in owned if isinstance(own, int))
    if unassigned > 0 and left_open:
        yield from left_open
    elif unassigned > 0:
        lower = f"lower MaxCapacity to {capacity - unassigned}" if unassigned < capacity else "remove the type"
        fix = f"raise the shares' limits, or {lower}"
        yield Violation(environment, limit.capacity_path, f"{unit}: {unassigned} unassigned", fix)


RULE = Rule(
    id="I9501",
    title="All capacity of the environment belongs to some share",
    why="Shares borrow from shares; nothing documented lets them use capacity that no share owns (A6).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html",
    properties={SERVICE_ENVIRONMENT: (f"{CAPACITY_LIMITS}[].MaxCapacity",)},
    check=check,
)
