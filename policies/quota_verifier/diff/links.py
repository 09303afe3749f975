"""What hangs on what in a change: the queue of a share, the environment and policy of a queue, on either side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.pairs import Found
from quota_verifier.lint.values import called
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SERVICE_ENVIRONMENT,
    Outside,
    Resource,
    Target,
    Unresolved,
    environments_of,
    policy_of,
    target,
)

SideName = Literal["old", "new"]
_IMPORT = "${Fn::ImportValue("


def noun_of(resource_type: str) -> str:
    """What sentences call a resource of a type."""
    words = {JOB_QUEUE: "queue", QUOTA_SHARE: "share", SERVICE_ENVIRONMENT: "environment"}
    return words.get(resource_type, "policy")


def change_of(comparison: Comparison, found: Found, wanted: Target | None, side: SideName) -> Change | None:
    """The change of a target that is named in `found`, where that is a resource of the side, or an export of one."""
    of_side = comparison.of_old if side == "old" else comparison.of_new
    if isinstance(wanted, Resource):
        return of_side(found.stack.name, wanted.logical_id)
    if not isinstance(wanted, Unresolved) or not wanted.expression.startswith(_IMPORT):
        return None
    known = comparison.old_exports if side == "old" else comparison.new_exports
    export = known.get(wanted.expression[len(_IMPORT) : -2])
    if export is None or export.resource is None:
        return None
    return of_side(export.stack.name, export.resource.logical_id)


def queue_target(share: Found) -> Target | None:
    """What a share names as its queue."""
    return target(share.stack.template, share.resource.properties.get("JobQueue"), JOB_QUEUE)


def queue_change(comparison: Comparison, change: Change, side: SideName) -> Change | None:
    """The change of the queue that a share had, or has."""
    share = change.pair.old if side == "old" else change.pair.new
    return None if share is None else change_of(comparison, share, queue_target(share), side)


def follows_its_queue(comparison: Comparison, change: Change) -> bool:
    """Whether a share goes because its queue goes."""
    queue = queue_change(comparison, change, "old")
    return change.type == QUOTA_SHARE and queue is not None and queue.fate.deletes and not is_retained(queue)


def same_queue(comparison: Comparison, old: Change, new: Change) -> bool:
    """Whether the share of NEW is in the queue that the share of OLD was in, however that is written."""
    was, now = queue_change(comparison, old, "old"), queue_change(comparison, new, "new")
    if was is not None and now is not None:
        return was is now and was.fate.lives_on
    if old.pair.old is None or new.pair.new is None:
        return False
    named = [queue_target(found) for found in (old.pair.old, new.pair.new)]
    return all(isinstance(found, Outside | Unresolved) for found in named) and named[0] == named[1]


def shares_of_queue(comparison: Comparison, queue: Change, side: SideName) -> tuple[Found, ...]:
    """The shares of a queue, by name, those of other stacks among them."""
    having = (one for one in comparison.of_type(QUOTA_SHARE) if queue_change(comparison, one, side) is queue)
    found = (one.pair.old if side == "old" else one.pair.new for one in having)
    return tuple(sorted((one for one in found if one is not None), key=lambda one: called(one.resource)))


def its_shares(comparison: Comparison, queue: Change) -> str:
    """`its 2 shares (speech, vision)` of OLD; empty for a queue without shares."""
    names = [called(share.resource) for share in shares_of_queue(comparison, queue, "old")]
    noun = "share" if len(names) == 1 else f"{len(names)} shares"
    return f"its {noun} ({', '.join(names)})" if names else ""


def policy_change(comparison: Comparison, queue: Found, side: SideName) -> Change | None:
    """The change of a queue's scheduling policy."""
    return change_of(comparison, queue, policy_of(queue.stack.template, queue.resource), side)


def environment_change(comparison: Comparison, queue: Found, side: SideName) -> Change | None:
    """The change of a queue's only environment."""
    named = environments_of(queue.stack.template, queue.resource)
    return change_of(comparison, queue, named[0], side) if len(named) == 1 else None


def queues_in_place(comparison: Comparison) -> Iterator[tuple[Change, Found, Found]]:
    """The job queues that stay deployed, with what they were and are."""
    for change in comparison.of_type(JOB_QUEUE):
        if change.fate.lives_on and (sides := change.both()):
            yield change, *sides


def shares_in_place(comparison: Comparison) -> Iterator[tuple[Change, Found, Found]]:
    """The quota shares that stay deployed, with what they were and are."""
    for change in comparison.of_type(QUOTA_SHARE):
        if change.fate.lives_on and (sides := change.both()):
            yield change, *sides


def causes_text(change: Change) -> str:
    """`JobQueueType SAGEMAKER_TRAINING -> ECS` for the properties that replace a resource."""
    return ", ".join(one.text for one in change.causes)


def swapped(was: Change, now: Change) -> str:
    """`OldOne -> NewOne`, or what becomes of the one that it is before and after."""
    old = was.pair.old
    if was is now:
        cause = f" ({causes_text(now)})" if now.causes else ""
        renamed = f" as {now.pair.resource.logical_id}" if now.fate is Fate.RECREATED else ""
        return f"{(old or now.pair.subject).resource.logical_id} is {now.fate.value}{renamed}{cause}"
    return f"{(old or was.pair.subject).resource.logical_id} -> {now.pair.resource.logical_id}"


def is_retained(change: Change) -> bool:
    """Whether what is deployed stays behind when the stack lets go of it.

    A removed resource goes by the DeletionPolicy of OLD, the template that is deployed; for a replacement both
    templates must say UpdateReplacePolicy: Retain, since which of them counts is not documented.
    """
    old, new = change.pair.old, change.pair.new
    if old is None:
        return False
    if change.fate is Fate.REPLACED and new is not None:
        return all(one.resource.body.get("UpdateReplacePolicy") == "Retain" for one in (old, new))
    return old.resource.body.get("DeletionPolicy") in ("Retain", "RetainExceptOnCreate")


def is_left_out(comparison: Comparison, change: Change) -> bool:
    """Whether a resource is gone because its whole stack is not in NEW."""
    name = change.pair.subject.stack.name
    return any(pair.new is None and pair.old is not None and pair.old.name == name for pair in comparison.stacks)
