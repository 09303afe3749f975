"""W9507: somebody lends each instance type that a share may borrow."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation
from quota_verifier.lint.limits import names_a_type, units
from quota_verifier.lint.queues import shares_may_be_elsewhere
from quota_verifier.lint.sharing import STRATEGY, borrowers, may_borrow, may_lend, read_shares, strategy
from quota_verifier.model import Strategy
from quota_verifier.template import QUOTA_SHARE, Resource, Template, quota_managed_queues, shares_of


def check(template: Template) -> Iterator[Result]:
    """Other shares of the queue lend what they list, unless they reserve it; what is no type is E9512's business."""
    for queue in quota_managed_queues(template):
        shares, missing = read_shares(template, queue)
        yield from (note for note in missing if may_borrow(note.resource))
        alone: dict[str, list[str]] = {}
        for borrower, unit in borrowers(shares):
            others = (share for share in shares_of(template, queue) if share is not borrower.resource)
            if names_a_type(unit) and not any(_lends(other, unit) for other in others):
                alone.setdefault(borrower.resource.logical_id, []).append(unit)
        left_open = [note for note in missing if may_lend(note.resource)]
        if alone and left_open:
            yield from left_open
        elif alone and shares_may_be_elsewhere(template, queue):
            yield Unknown(queue, (), "may have more shares in another stack")
        else:
            for logical_id, missed in alone.items():
                message = f"nobody lends {', '.join(missed)} to this share"
                fix = "let another share of the queue lend it, or use LEND or RESERVE here"
                yield Violation(template.resources[logical_id], STRATEGY, message, fix)


def _lends(share: Resource, unit: str) -> bool:
    """Whether a share is there, lends and has the type, however much of it."""
    kind = strategy(share)
    return isinstance(kind, Strategy) and kind.lends and share.condition is None and unit in units([share])


RULE = Rule(
    id="W9507",
    title="Somebody lends each instance type that a share may borrow",
    why="The share never gets more than its own limit, whatever its strategy says.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.Strategy",)},
    check=check,
)
