"""Queues and shares that a change deletes, with their jobs (cases C25, C28)."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.links import causes_text, follows_its_queue, is_left_out, is_retained, its_shares, noun_of
from quota_verifier.diff.rule import PAGES, ChangeRule, api_page, cloudformation_page
from quota_verifier.diff.rules.wording import DELETES, keep_it, moved, name_clashes, with_its_shares
from quota_verifier.diff.values import Difference
from quota_verifier.lint.results import Result, Unknown, Violation
from quota_verifier.template import JOB_QUEUE, Unresolved


def replacement_deletes(comparison: Comparison) -> Iterator[Result]:
    """W9401."""
    for change in comparison.changes:
        yield from _open_questions(change)
        if change.fate is not Fate.REPLACED or name_clashes(comparison, change) or is_retained(change):
            continue
        if change.type in DELETES and not follows_its_queue(comparison, change):
            yield Violation(
                change.pair.resource,
                _path_of(change),
                f"{causes_text(change)}: the replacement deletes {with_its_shares(comparison, change)}; "
                "all its jobs are eventually terminated",
                f"keep {' and '.join(one.path for one in change.causes)}, or let the jobs end first",
            )


def _open_questions(change: Change) -> Iterator[Result]:
    for one in change.properties:
        if one.create_only and one.difference is Difference.OPEN:
            value = one.new if isinstance(one.new, Unresolved) else one.old
            if isinstance(value, Unresolved):
                reason = f"{value.reason}, so whether the {noun_of(change.type)} is replaced is not known"
                yield Unknown(change.pair.resource, (one.path,), reason, value.remedy)


def _path_of(change: Change) -> tuple[str | int, ...]:
    return (change.causes[0].path,) if change.causes else ()


def recreation_deletes(comparison: Comparison) -> Iterator[Result]:
    """W9402."""
    for change in comparison.changes:
        if change.fate is not Fate.RECREATED or name_clashes(comparison, change):
            continue
        if change.type in DELETES and not follows_its_queue(comparison, change):
            stays = is_retained(change)
            what = "leaves behind, out of any stack," if stays else "deletes"
            end = "" if stays else "; all its jobs are eventually terminated"
            yield Violation(
                change.pair.resource,
                (),
                f"{moved(change)}: CloudFormation creates a new one and "
                f"{what} {with_its_shares(comparison, change)}{end}",
                keep_it(change),
            )


def removals(comparison: Comparison) -> Iterator[Result]:
    """W9403."""
    for change in comparison.changes:
        if change.fate is Fate.REMOVED and change.type in DELETES and not is_retained(change):
            if follows_its_queue(comparison, change) or is_left_out(comparison, change):
                continue
            shares = its_shares(comparison, change) if change.type == JOB_QUEUE else ""
            yield Violation(
                change.pair.resource,
                (),
                f"removed: all its jobs are eventually terminated{f', those of {shares}' if shares else ''}",
                "set its State to DISABLED, let its jobs end, then remove it",
            )


def stacks_left_out(comparison: Comparison) -> Iterator[Result]:
    """I9404."""
    for pair in comparison.stacks:
        gone = [change for change in comparison.changes if change.fate is Fate.REMOVED and change.type in DELETES]
        here = [change for change in gone if pair.old and change.pair.subject.stack.name == pair.old.name]
        if pair.old is not None and pair.new is None and here:
            yield Violation(
                here[0].pair.resource,
                (),
                f"its stack {pair.old.name} is not in NEW: it stays deployed as it is until somebody destroys it",
                "destroy the stack once its jobs have ended (cdk destroy)",
            )


def retained(comparison: Comparison) -> Iterator[Result]:
    """I9407."""
    for change in comparison.changes:
        gone = change.fate is Fate.REMOVED or (change.fate is Fate.REPLACED and not name_clashes(comparison, change))
        if gone and change.type in DELETES and is_retained(change) and not is_left_out(comparison, change):
            yield Violation(
                change.pair.resource,
                (),
                f"what is deployed stays, out of the stack, and its jobs go on: {DELETES[change.type]} that nobody "
                "manages",
                "set its State to DISABLED, and delete it once its jobs have ended",
            )


_BEHAVIORS = cloudformation_page("using-cfn-updating-stacks-update-behaviors")

RULES = (
    ChangeRule(
        "W9401",
        "A replacement deletes a queue or share with jobs",
        "Deleting it terminates all its jobs.",
        api_page("DeleteJobQueue"),
        replacement_deletes,
    ),
    ChangeRule(
        "W9402",
        "A queue or share gets another logical id or stack",
        "For CloudFormation that is a new one and an old one to delete, with all its jobs.",
        _BEHAVIORS,
        recreation_deletes,
    ),
    ChangeRule(
        "W9403",
        "A queue or share is removed",
        "Deleting it terminates all its jobs.",
        api_page("DeleteQuotaShare"),
        removals,
    ),
    ChangeRule(
        "I9404",
        "A stack is no longer there",
        "Its resources stay deployed until somebody destroys them.",
        _BEHAVIORS,
        stacks_left_out,
    ),
    ChangeRule(
        "I9407",
        "A queue or share is retained",
        "It goes on without a stack, and costs what it costs.",
        f"{PAGES}AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html",
        retained,
    ),
)
