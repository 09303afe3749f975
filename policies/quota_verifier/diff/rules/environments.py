"""Service environments changed under running jobs: capacity, units, states (R20)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.changes import Change, Comparison
from quota_verifier.diff.links import environment_change, noun_of, shares_of_queue
from quota_verifier.diff.pairs import Found
from quota_verifier.diff.rule import ChangeRule, batch_page
from quota_verifier.diff.rules.capacity import Fall, lowered, place_of
from quota_verifier.lint.limits import limit_on, names_a_type, units
from quota_verifier.lint.results import Result, Unknown, Violation
from quota_verifier.lint.values import called, value_at, word
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, SERVICE_ENVIRONMENT, Resource

_UPDATING = batch_page("updating-service-environments")


def _in_place(comparison: Comparison) -> Iterator[tuple[Change, Found, Found]]:
    for change in comparison.of_type(SERVICE_ENVIRONMENT):
        if change.fate.lives_on and (sides := change.both()):
            yield change, *sides


def _shares(comparison: Comparison, environment: Change) -> list[Resource]:
    """The shares, in NEW, of the queues that have the environment."""
    return [
        share.resource
        for queue in comparison.of_type(JOB_QUEUE)
        if queue.pair.new is not None and environment_change(comparison, queue.pair.new, "new") is environment
        for share in shares_of_queue(comparison, queue, "new")
    ]


def _falls(comparison: Comparison) -> Iterator[tuple[Change, Found, Fall, int | None]]:
    """Each capacity that falls but stays above 0, with what shares own of it where that is known."""
    for change, old, new in _in_place(comparison):
        for fall in lowered(old, new):
            if isinstance(fall, Fall) and fall.unit in units((new.resource,)):
                owned = [limit_on(share, fall.unit) for share in _shares(comparison, change)]
                whole = [limit for limit in owned if isinstance(limit, int)]
                yield change, new, fall, sum(whole) if len(whole) == len(owned) else None


def capacity_falls_below_shares(comparison: Comparison) -> Iterator[Result]:
    """W9409."""
    for _, old, new in _in_place(comparison):
        yield from (fall for fall in lowered(old, new) if isinstance(fall, Unknown))
    for _, new, fall, owned in _falls(comparison):
        if owned is not None and owned > fall.new:
            yield Violation(
                new.resource,
                place_of(new.resource, fall.unit),
                f"{fall.unit} {fall.old} -> {fall.new}, below the {owned} that its shares own: nothing is terminated, "
                "but owners may wait for capacity that is not there, and cannot preempt each other for it",
                f"lower the shares' limits to {fall.new} together as well",
            )


def capacity_falls(comparison: Comparison) -> Iterator[Result]:
    """I9401."""
    for _, new, fall, owned in _falls(comparison):
        if owned is None or owned <= fall.new:
            yield Violation(
                new.resource,
                place_of(new.resource, fall.unit),
                f"{fall.unit} {fall.old} -> {fall.new}: nothing is terminated; use may exceed it until jobs end, and "
                "new ones obey it",
                "",
            )


def units_change(comparison: Comparison) -> Iterator[Result]:
    """W9410."""
    for _, old, new in _in_place(comparison):
        was, now = (units((found.resource,)) for found in (old, new))
        gone = [unit for unit in sorted(was) if unit not in now]
        come = [unit for unit in sorted(now) if unit not in was]
        if not gone:
            continue
        if any(names_a_type(unit) for unit in was) != any(names_a_type(unit) for unit in now):
            problem = (
                f"units change from {', '.join(gone)} to {', '.join(come) or 'none'}: AWS documents no such change of "
                "an environment with jobs, and a queue with quota shares counts instance types alone"
            )
            fix = "make a new environment and a new queue, and move the jobs"
        else:
            problem = (
                f"no limit on {', '.join(gone)} any more: running jobs go on, waiting ones that ask for it never "
                "start until there is one again"
            )
            fix = "let such jobs end first, or keep the unit"
        yield Violation(new.resource, ("CapacityLimits",), problem, fix)


_DISABLED = {
    QUOTA_SHARE: "new jobs of the share are refused, those that were submitted go on",
    JOB_QUEUE: "new jobs of the queue are refused, those that were submitted go on",
    SERVICE_ENVIRONMENT: "nothing new is placed: all waiting jobs of its queue wait until it is ENABLED again",
}


def disabled(comparison: Comparison) -> Iterator[Result]:
    """W9408."""
    for change in comparison.changes:
        sides = change.both()
        if sides is None or change.type not in _DISABLED or not change.fate.lives_on:
            continue
        was, now = (word(value_at(found.resource, "State")) for found in sides)
        if was in (None, "ENABLED") and now == "DISABLED":
            yield Violation(
                sides[1].resource,
                ("State",),
                f"{noun_of(change.type)} {called(sides[1].resource)}: ENABLED -> DISABLED: {_DISABLED[change.type]}",
                "write ENABLED, unless it is about to be removed",
            )


RULES = (
    ChangeRule(
        "W9408",
        "A share, queue or environment is disabled",
        "Jobs that are there go on; new ones are refused, or wait (R20).",
        _UPDATING,
        disabled,
    ),
    ChangeRule(
        "W9409",
        "An environment falls below what its shares own",
        "Owners cannot preempt each other, so some wait for capacity that they own (R13, R20).",
        _UPDATING,
        capacity_falls_below_shares,
    ),
    ChangeRule(
        "W9410",
        "An environment loses a unit",
        "A job that asks for a unit without a limit waits until there is one.",
        _UPDATING,
        units_change,
    ),
    ChangeRule(
        "I9401",
        "An environment is lowered",
        "Lowering terminates nothing (R20).",
        _UPDATING,
        capacity_falls,
    ),
)
