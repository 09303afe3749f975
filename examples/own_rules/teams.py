"""A rule as code: shares are named after teams."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.template import QUOTA_SHARE, Template

TEAMS = {"research", "speech"}


def check(template: Template) -> Iterator[Result]:
    for share in template.of_type(QUOTA_SHARE):
        if isinstance(share.name, str) and share.name not in TEAMS:
            yield Violation(share, ("QuotaShareName",), f"no team is called {share.name}", "name the team")


RULE = Rule(
    id="W9602",
    title="Shares are named after teams",
    why="Nobody feels responsible for the others.",
    properties={QUOTA_SHARE: ("QuotaShareName",)},
    check=check,
)
