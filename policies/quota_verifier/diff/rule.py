"""A rule over a change: what it finds in a comparison, with what there is to say about it as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from quota_verifier.diff.changes import Comparison
from quota_verifier.lint.results import Result, Severity
from quota_verifier.lint.rule import SEVERITIES

Check = Callable[[Comparison], Iterable[Result]]
"""Looks at a comparison. A violation is about a resource of NEW, or about one of OLD that is gone."""

PAGES = "https://docs.aws.amazon.com/"


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """One rule; ids have E, W or I for the severity and four digits from 9401 to 9499.

    `title` states what the finding is, `why` what it leads to, in one line each; `source` is the page of
    AWS's documentation that it rests on.
    """

    id: str
    title: str
    why: str
    source: str
    check: Check = field(repr=False)

    @property
    def severity(self) -> Severity:
        """What its findings count as."""
        return SEVERITIES[self.id[0]]


def batch_page(page: str) -> str:
    """The address of a page of the AWS Batch user guide."""
    return f"{PAGES}batch/latest/userguide/{page}.html"


def api_page(operation: str) -> str:
    """The address of a page of the AWS Batch API reference."""
    return f"{PAGES}batch/latest/APIReference/API_{operation}.html"


def cloudformation_page(page: str) -> str:
    """The address of a page of the AWS CloudFormation user guide."""
    return f"{PAGES}AWSCloudFormation/latest/UserGuide/{page}.html"
