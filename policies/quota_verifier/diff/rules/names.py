"""Names and logical ids that stand in the way of a deployment (cases C25, C28)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.links import causes_text, environment_change
from quota_verifier.diff.pairs import Found
from quota_verifier.diff.rule import PAGES, ChangeRule, batch_page, cloudformation_page
from quota_verifier.diff.rules.wording import keep_it, moved, name_holder
from quota_verifier.lint.results import Result, Violation
from quota_verifier.lint.values import value_at, word
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, is_quota_managed
from quota_verifier.template.resources import NAME_PROPERTIES
from quota_verifier.template.unresolved import in_text


def names_taken(comparison: Comparison) -> Iterator[Result]:
    """E9401."""
    for change in comparison.changes:
        holder = name_holder(comparison, change)
        if holder is None or (holder is change and change.fate is not Fate.REPLACED):
            continue
        resource, name = change.pair.resource, NAME_PROPERTIES[change.type]
        if holder is change:
            why = f"{causes_text(change)} replaces it, and the replacement"
            who = "what it replaces"
        else:
            why = f"{causes_text(change)} replaces it, and the replacement" if change.causes else "it is new, and"
            who = (holder.pair.old or holder.pair.subject).resource.logical_id
        yield Violation(
            resource,
            (name,),
            f"{why} needs the name {in_text(resource.name)!r} while {who} still has it",
            _another_name(change, name, holder),
        )


def _another_name(change: Change, name: str, holder: Change) -> str:
    if holder is change and change.type == QUOTA_SHARE:
        return f"keep {change.causes[0].path} as it is, or give the share another {name}"
    free = "leave it out" if change.type != QUOTA_SHARE else "take two deployments"
    return f"write another {name}, or {free}"


def names_kept_under_another_id(comparison: Comparison) -> Iterator[Result]:
    """E9402."""
    for change in comparison.changes:
        if change.fate is Fate.RECREATED and name_holder(comparison, change) is change:
            resource = change.pair.resource
            yield Violation(
                resource,
                (NAME_PROPERTIES[change.type],),
                f"{moved(change)}: it is created anew and needs the name {in_text(resource.name)!r} while the old one "
                "still has it",
                keep_it(change),
            )


def retyped(comparison: Comparison) -> Iterator[Result]:
    """E9403."""
    for change in comparison.changes:
        old = change.pair.old
        if change.fate is Fate.RETYPED and old is not None:
            resource = change.pair.resource
            yield Violation(
                resource,
                (),
                f"its type changes from {old.resource.type} to {resource.type}, which CloudFormation refuses",
                "give the new resource a logical id of its own",
            )


def environment_is_held(comparison: Comparison) -> Iterator[Result]:
    """E9404."""
    for change in comparison.of_type(JOB_QUEUE):
        sides = change.both()
        if sides is None or not change.fate.deletes or not _is_service_queue(sides[1]):
            continue
        old, new = environment_change(comparison, sides[0], "old"), environment_change(comparison, sides[1], "new")
        if old is not None and old is new and old.fate.lives_on:
            yield Violation(
                sides[1].resource,
                ("ServiceEnvironmentOrder",),
                f"the new queue is created while the old one still has the environment {old.pair.resource.logical_id}, "
                "and an environment takes one quota-managed queue",
                "give the new queue an environment of its own, or delete the old queue in a deployment before",
            )


def _is_service_queue(queue: Found) -> bool:
    kind = word(value_at(queue.resource, "JobQueueType"))
    return kind in (None, "SAGEMAKER_TRAINING") and is_quota_managed(queue.stack.template, queue.resource)


_NAMES = f"{PAGES}AWSCloudFormation/latest/TemplateReference/aws-properties-name.html"

RULES = (
    ChangeRule(
        "E9401",
        "What a change creates needs a name that is taken",
        "CloudFormation deletes what goes only after it has created what comes, so the deployment fails.",
        _NAMES,
        names_taken,
    ),
    ChangeRule(
        "E9402",
        "A resource of a fixed name gets another logical id or stack",
        "It is created before the old one is deleted, so the deployment fails.",
        _NAMES,
        names_kept_under_another_id,
    ),
    ChangeRule(
        "E9403",
        "A logical id changes its type",
        "CloudFormation refuses the whole update.",
        cloudformation_page("using-cfn-updating-stacks-update-behaviors"),
        retyped,
    ),
    ChangeRule(
        "E9404",
        "A queue is replaced and its environment stays",
        "A service environment takes one quota-managed queue, and the new one is created before the old one goes.",
        batch_page("create-quota-management-resources"),
        environment_is_held,
    ),
)
