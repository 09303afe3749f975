"""What the rules about replaced and deleted resources share: sentences, and when a name is taken."""

from __future__ import annotations

from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.links import its_shares, same_queue
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE
from quota_verifier.template.unresolved import in_text

DELETES = {JOB_QUEUE: "a queue with jobs", QUOTA_SHARE: "a share with jobs"}
"""What goes with a resource of a type that jobs are in."""


def name_holder(comparison: Comparison, change: Change) -> Change | None:
    """What has the name that this change needs for a resource it creates, itself first; None where the name is free.

    Names are free only after the deployment: what goes is deleted last. Share names are unique by queue.
    """
    new = change.pair.new
    if new is None or new.resource.name is None or change.fate not in (Fate.REPLACED, Fate.RECREATED, Fate.ADDED):
        return None
    for other in (change, *comparison.changes):
        old = other.pair.old
        if old is None or old.resource.type != new.resource.type or old.resource.name is None:
            continue
        same_name = in_text(old.resource.name) == in_text(new.resource.name)
        if same_name and (change.type != QUOTA_SHARE or same_queue(comparison, other, change)):
            return other
    return None


def name_clashes(comparison: Comparison, change: Change) -> bool:
    """Whether a resource cannot be created for its name."""
    return name_holder(comparison, change) is not None


def moved(change: Change) -> str:
    """How a resource that is recreated is told from the one of before."""
    old = change.pair.old
    if old is None:
        raise AssertionError("nothing that could have moved")
    if change.pair.moved:
        return f"moved here from {old.stack.name}, where it was {old.resource.logical_id}"
    renamed = f"{old.resource.logical_id} -> {change.pair.resource.logical_id}"
    return f"another logical id, {renamed} (paired by {change.pair.by})"


def keep_it(change: Change) -> str:
    """How to keep a resource that would be recreated."""
    old = change.pair.old
    logical_id = "" if old is None else old.resource.logical_id
    if change.pair.moved:
        return "leave it in its stack, or move it with a stack refactoring (cdk refactor)"
    return f"keep the logical id {logical_id} (override_logical_id), or rename it with cdk refactor"


def with_its_shares(comparison: Comparison, change: Change) -> str:
    """What goes, and with a queue its shares."""
    shares = its_shares(comparison, change) if change.type == JOB_QUEUE else ""
    return f"{DELETES[change.type]}, with {shares}" if shares else DELETES[change.type]
