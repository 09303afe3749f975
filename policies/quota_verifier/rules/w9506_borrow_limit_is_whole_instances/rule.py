"""W9506: a borrow limit comes to whole instances of each type."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Unknown, Violation
from quota_verifier.lint.sharing import BORROW_LIMIT, capped, percent_of, read_capped_share
from quota_verifier.model import Share
from quota_verifier.template import QUOTA_SHARE, Resource, Template


def check(template: Template) -> Iterator[Result]:
    """A limit that comes to less than one instance is the business of W9505."""
    for resource in template.of_type(QUOTA_SHARE):
        share = read_capped_share(resource)
        if isinstance(share, Unknown):
            yield share
        elif share is not None:
            yield from _of(resource, share)


def _of(resource: Resource, share: Share) -> Iterator[Result]:
    for unit, percent in capped(share):
        cap = share.borrow_cap(unit)
        if cap and share.limit(unit) * percent % 100:
            message = f"{percent_of(share, unit)}, a fraction: taken for {cap}, but AWS may take {cap + 1}"
            yield Violation(resource, BORROW_LIMIT, message, "choose a percentage that comes to whole instances")


RULE = Rule(
    id="W9506",
    title="A borrow limit comes to whole instances of each type",
    why="How AWS Batch rounds a fraction of an instance is not documented (A4).",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html",
    properties={QUOTA_SHARE: ("ResourceSharingConfiguration.BorrowLimit",)},
    check=check,
)
