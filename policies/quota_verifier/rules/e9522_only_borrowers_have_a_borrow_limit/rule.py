"""E9522: only a share that borrows has a borrow limit."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.sharing import BORROW_LIMIT, STRATEGY, strategy
from quota_verifier.lint.values import value_at
from quota_verifier.template import QUOTA_SHARE, Template, Unresolved
from quota_verifier.template.unresolved import in_text


def check(template: Template) -> Iterator[Result]:
    """Strategies are compared as CloudFormation takes them, in any case."""
    for share in template.of_type(QUOTA_SHARE):
        limit, kind = value_at(share, *BORROW_LIMIT), strategy(share)
        if limit is None or kind is None:
            continue
        if isinstance(kind, Unresolved):
            yield unknown(share, STRATEGY, kind)
        elif not kind.borrows:
            message = f"BorrowLimit {in_text(limit)} on a share of strategy {kind}, which does not borrow"
            yield Violation(share, BORROW_LIMIT, message, "remove BorrowLimit, or use LEND_AND_BORROW")


RULE = Rule(
    id="E9522",
    title="Only a share that borrows has a borrow limit",
    why="AWS Batch takes BorrowLimit with LEND_AND_BORROW alone.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit",)},
    check=check,
)
