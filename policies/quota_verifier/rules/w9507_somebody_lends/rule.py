"""W9507: somebody lends each instance type that a share may borrow."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation
from quota_verifier.lint.queues import shares_may_be_elsewhere
from quota_verifier.lint.sharing import STRATEGY, KnownShare, borrowers, read_shares
from quota_verifier.template import QUOTA_SHARE, Template, quota_managed_queues


def check(template: Template) -> Iterator[Result]:
    """Other shares of the queue lend what they list, unless they reserve it; what is no type is E9512's business."""
    for queue in quota_managed_queues(template):
        shares, missing = read_shares(template, queue)
        alone: dict[str, list[str]] = {}
        for borrower, unit in borrowers(shares):
            if unit.startswith("ml.") and not _lent(shares, borrower, unit):
                alone.setdefault(borrower.resource.logical_id, []).append(unit)
        if alone and missing:
            yield from missing
        elif alone and shares_may_be_elsewhere(template, queue):
            yield Unknown(queue, (), "may have more shares in another stack")
        else:
            for logical_id, units in alone.items():
                message = f"nobody lends {', '.join(units)} to this share"
                fix = "let another share of the queue lend it, or use LEND or RESERVE here"
                yield Violation(template.resources[logical_id], STRATEGY, message, fix)


def _lent(shares: tuple[KnownShare, ...], borrower: KnownShare, unit: str) -> bool:
    return any(other.share.strategy.lends and other.share.limit(unit) for other in shares if other is not borrower)


RULE = Rule(
    id="W9507",
    title="Somebody lends each instance type that a share may borrow",
    why="The share never gets more than its own limit, whatever its strategy says.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.Strategy",)},
    check=check,
)
