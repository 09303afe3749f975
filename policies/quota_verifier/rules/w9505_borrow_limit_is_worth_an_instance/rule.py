"""W9505: a borrow limit is worth at least one instance of each type."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation
from quota_verifier.lint.sharing import BORROW_LIMIT, capped, percent_of, read_capped_share
from quota_verifier.model import Share
from quota_verifier.template import QUOTA_SHARE, Resource, Template


def check(template: Template) -> Iterator[Result]:
    """The limit is a percentage of the share's own capacity, for each type (A4)."""
    for resource in template.of_type(QUOTA_SHARE):
        share = read_capped_share(resource)
        if isinstance(share, Unknown):
            yield share
        elif share is not None:
            yield from _of(resource, share)


def _of(resource: Resource, share: Share) -> Iterator[Result]:
    for unit, percent in capped(share):
        if percent and share.borrow_cap(unit) == 0:
            message = f"{percent_of(share, unit)}, rounded to 0: borrowing switched off"
            least = -(-100 // share.limit(unit))
            yield Violation(resource, BORROW_LIMIT, message, f"raise BorrowLimit to {least} or more, or use LEND")


RULE = Rule(
    id="W9505",
    title="A borrow limit is worth at least one instance of each type",
    why="A percentage of a small limit is less than one instance, and what becomes of it is not documented (A4).",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit",)},
    check=check,
)
