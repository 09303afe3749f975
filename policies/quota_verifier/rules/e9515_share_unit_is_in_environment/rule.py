"""E9515: a share lists only instance types that its environment has."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation, unknown
from quota_verifier.lint.limits import CAPACITY_LIMITS, known_limits, limits, names_a_type
from quota_verifier.lint.queues import the_environment
from quota_verifier.template import QUOTA_SHARE, Resource, Template, Unresolved, quota_managed_queues, shares_of


def check(template: Template) -> Iterator[Result]:
    """Units that are no instance types at all are the business of E9512, limits without a unit of E9513."""
    for queue in quota_managed_queues(template):
        environment = the_environment(template, queue)
        if isinstance(environment, Unknown):
            yield environment
        elif environment is not None:
            yield from _of(environment, shares_of(template, queue))


def _of(environment: Resource, shares: tuple[Resource, ...]) -> Iterator[Result]:
    there = limits(environment)
    if isinstance(there, Unresolved):
        yield unknown(environment, (CAPACITY_LIMITS,), there)
        return
    units = [limit.unit for limit in there]
    if any(not names_a_type(unit) and not isinstance(unit, Unresolved) for unit in units):
        return
    for share in shares:
        for limit in known_limits(share):
            if not names_a_type(limit.unit) or limit.unit in units:
                continue
            left_open = next((entry for entry in there if isinstance(entry.unit, Unresolved)), None)
            if left_open is not None and isinstance(left_open.unit, Unresolved):
                yield unknown(environment, left_open.unit_path, left_open.unit)
                continue
            has = ", ".join(unit for unit in units if isinstance(unit, str)) or "nothing"
            message = f"environment {environment.logical_id} has no {limit.unit}; it has {has}"
            fix = "add the type to the environment, or limit a type that it has"
            yield Violation(share, limit.unit_path, message, fix)


RULE = Rule(
    id="E9515",
    title="A share lists only instance types that its environment has",
    why="Jobs of the share that ask for the missing type wait for ever, and everything behind them (R21).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_misconfiguration.html",
    properties={QUOTA_SHARE: (f"{CAPACITY_LIMITS}[].CapacityUnit",)},
    check=check,
)
