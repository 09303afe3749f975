"""A share's limits lowered under running jobs: who becomes preemptible, and what can no longer start (case C17)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.links import (
    environment_change,
    queue_change,
    queues_in_place,
    shares_in_place,
    shares_of_queue,
)
from quota_verifier.diff.pairs import Found
from quota_verifier.diff.rule import ChangeRule, batch_page
from quota_verifier.diff.rules.capacity import lowered, place_of
from quota_verifier.errors import InputError
from quota_verifier.lint.limits import limit_on
from quota_verifier.lint.queues import shares_may_be_elsewhere
from quota_verifier.lint.results import Result, Unknown, Violation
from quota_verifier.lint.sharing import strategy
from quota_verifier.lint.values import called
from quota_verifier.model import Queue, Strategy
from quota_verifier.schedulability import largest_job
from quota_verifier.template import QUOTA_SHARE

TRY_IT = "quota-shares diff with --workload and --at tells whom it hits"


def share_limits_fall(comparison: Comparison) -> Iterator[Result]:
    """W9404."""
    for change, old, new in shares_in_place(comparison):
        for fall in lowered(old, new):
            if isinstance(fall, Unknown):
                yield fall
                continue
            held = min(fall.old, _capacity(comparison, change, fall.unit, fall.old))
            if held > fall.new:
                yield Violation(
                    new.resource,
                    place_of(new.resource, fall.unit),
                    f"{_described(new)}: limit on {fall.unit} {fall.old} -> {fall.new}: {_at_risk(held - fall.new)}; "
                    f"{_who(comparison, change, fall.unit)}",
                    f"let the share shrink to {fall.new} before, or expect preemptions; {TRY_IT}",
                )


def _described(share: Found) -> str:
    kind = strategy(share.resource)
    name = called(share.resource)
    return f"{name} ({kind.value})" if isinstance(kind, Strategy) else name


def _at_risk(instances: int) -> str:
    """How much, at the most: what the share may hold within its old limit and above the new one."""
    plural = instances != 1
    return f"up to {instances} instance{'s' * plural} of running work become{'s' * (not plural)} preemptible"


def _capacity(comparison: Comparison, share: Change, unit: str, otherwise: int) -> int:
    """What the environment had of a unit, as far as that is known: a share can hold no more."""
    queue = queue_change(comparison, share, "old")
    found = None if queue is None or queue.pair.old is None else environment_change(comparison, queue.pair.old, "old")
    capacity = None if found is None or found.pair.old is None else limit_on(found.pair.old.resource, unit)
    return capacity if isinstance(capacity, int) else otherwise


def _who(comparison: Comparison, share: Change, unit: str) -> str:
    """Who may take back what the share holds above its limit."""
    queue = queue_change(comparison, share, "new")
    all_shares = () if queue is None else shares_of_queue(comparison, queue, "new")
    others = [found.resource for found in all_shares if found is not share.pair.new]
    owners = [called(other) for other in others if limit_on(other, unit) != 0]
    if owners:
        return f"waiting jobs of {', '.join(owners)} may take that back"
    found = None if queue is None else queue.pair.new
    if found is None or shares_may_be_elsewhere(found.stack.template, found.resource):
        return "waiting jobs of other shares may take that back"
    return "no other share owns any, so nothing takes that back yet"


def largest_jobs_shrink(comparison: Comparison) -> Iterator[Result]:
    """W9405."""
    if all(change.fate is Fate.KEPT for change in comparison.changes):
        return
    for change, old, new in queues_in_place(comparison):
        try:
            before, after = old.stack.queue(old.resource), new.stack.queue(new.resource)
        except InputError as error:
            yield Unknown(new.resource, (), f"cannot be reckoned with as a whole: {error.problem}", error.remedy)
            continue
        for share in comparison.of_type(QUOTA_SHARE):
            if not share.fate.lives_on or queue_change(comparison, share, "new") is not change:
                continue
            if share.pair.subject.stack.name == change.pair.subject.stack.name:
                yield from _shrinking(share, before, after)
            elif share.properties:
                reason = "is in another stack than its queue, so the largest job that it can start is not known"
                yield Unknown(share.pair.resource, (), reason)


def _shrinking(change: Change, before: Queue, after: Queue) -> Iterator[Result]:
    name = called(change.pair.resource)
    old, new = before.share(name), after.share(name)
    for unit in sorted({*old.limits, *new.limits}):
        was, now = largest_job(before, old, unit), largest_job(after, new, unit)
        if now < was:
            which = f"one that asks for more than {now}" if now else "one that asks for it"
            yield Violation(
                change.pair.resource,
                place_of(change.pair.resource, unit),
                f"{name}: the largest {unit} job that can ever start falls from {was} to {now}: {which} blocks the "
                "share while it waits, and once preempted never starts again",
                "lower the demand of such jobs first",
            )


RULES = (
    ChangeRule(
        "W9404",
        "A share's limit is lowered",
        "Running jobs above the new limit become preemptible, whatever the share's strategy (R20).",
        batch_page("quota-shares"),
        share_limits_fall,
    ),
    ChangeRule(
        "W9405",
        "The largest job that a share can start becomes smaller",
        "Larger jobs are accepted, never start, and block their share (R21).",
        batch_page("sm_job_stuck_in_runnable_misconfiguration"),
        largest_jobs_shrink,
    ),
)
