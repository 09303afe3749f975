"""I9502: a share that borrows states its borrow limit."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.sharing import BORROW_LIMIT, STRATEGY, strategy
from quota_verifier.lint.values import value_at
from quota_verifier.model import Strategy
from quota_verifier.template import QUOTA_SHARE, Template, Unresolved


def check(template: Template) -> Iterator[Result]:
    """Absent, -1 and 0 are three different things (cases C03, C30)."""
    for share in template.of_type(QUOTA_SHARE):
        kind, limit = strategy(share), value_at(share, *BORROW_LIMIT)
        if limit is not None:
            continue
        if isinstance(kind, Unresolved):
            yield unknown(share, STRATEGY, kind)
        elif kind is Strategy.LEND_AND_BORROW:
            message = "no BorrowLimit, which is unlimited borrowing"
            fix = "write -1 to say so, or a percentage of the share's own limits"
            yield Violation(share, BORROW_LIMIT, message, fix)


RULE = Rule(
    id="I9502",
    title="A share that borrows states its borrow limit",
    why="An absent limit is unlimited, where readers may take it for none.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit", "ResourceSharingConfiguration.Strategy")},
    check=check,
)
