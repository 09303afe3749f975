"""E9516: the shares of a queue promise no more than its environment has."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation, unknown
from quota_verifier.lint.limits import CAPACITY_LIMITS, Limit, known_limits, limit_on, unknown_limit
from quota_verifier.lint.queues import the_environment
from quota_verifier.lint.values import called
from quota_verifier.template import (
    SERVICE_ENVIRONMENT,
    Resource,
    Template,
    Unresolved,
    quota_managed_queues,
    shares_of,
)


def check(template: Template) -> Iterator[Result]:
    """Limits that the deployment decides can only add to the sum, so a sum that is too high stays so."""
    for queue in quota_managed_queues(template):
        environment = the_environment(template, queue)
        if isinstance(environment, Unknown):
            yield environment
        elif environment is not None:
            for limit in known_limits(environment):
                yield from _of(environment, limit, shares_of(template, queue))


def _of(environment: Resource, limit: Limit, shares: tuple[Resource, ...]) -> Iterator[Result]:
    unit, capacity = limit.unit, limit.capacity
    if isinstance(capacity, Unresolved):
        yield unknown(environment, limit.capacity_path, capacity)
    if not isinstance(unit, str) or not isinstance(capacity, int) or capacity < 0:
        return
    owned = [(share, limit_on(share, unit)) for share in shares]
    certain = [(called(share), own) for share, own in owned if isinstance(own, int) and own]
    promised = sum(own for _, own in certain)
    if promised > capacity:
        terms = " + ".join(f"{name} {own}" for name, own in certain)
        message = f"{unit}: {promised} > {capacity} (over by {promised - capacity}): {terms}"
        fix = f"lower the shares' limits, or raise MaxCapacity to {promised}"
        yield Violation(environment, limit.capacity_path, message, fix)
        return
    for share, own in owned:
        if isinstance(own, Unresolved):
            yield unknown_limit(share, unit, own)


RULE = Rule(
    id="E9516",
    title="The shares of a queue promise no more than its environment has",
    why="A share within its limit is never preempted for another, so promises beyond the capacity cannot be kept.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html",
    properties={SERVICE_ENVIRONMENT: (f"{CAPACITY_LIMITS}[].MaxCapacity",)},
    check=check,
)
