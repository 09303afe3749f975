"""I9507: a share that may borrow nothing is of strategy LEND."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.sharing import BORROW_LIMIT, STRATEGY, borrow_limit, strategy
from quota_verifier.model import Strategy
from quota_verifier.template import QUOTA_SHARE, Template, Unresolved


def check(template: Template) -> Iterator[Result]:
    """The limit 0 is valid and means what it says (case C30)."""
    for share in template.of_type(QUOTA_SHARE):
        kind, limit = strategy(share), borrow_limit(share)
        if isinstance(limit, Unresolved):
            yield unknown(share, BORROW_LIMIT, limit)
        elif limit == 0 and isinstance(kind, Unresolved):
            yield unknown(share, STRATEGY, kind)
        elif limit == 0 and kind is Strategy.LEND_AND_BORROW:
            message = "BorrowLimit 0: the share lends and never borrows"
            yield Violation(share, BORROW_LIMIT, message, "use strategy LEND, or raise the limit")


RULE = Rule(
    id="I9507",
    title="A share that may borrow nothing is of strategy LEND",
    why="LEND_AND_BORROW with limit 0 does the same and reads as something else.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit",)},
    check=check,
)
