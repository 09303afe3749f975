"""E9521: the shares of a queue have different names."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.sharing import by_queue
from quota_verifier.template import QUOTA_SHARE, Resource, Template
from quota_verifier.template.unresolved import in_text

PATH = ("QuotaShareName",)


def check(template: Template) -> Iterator[Result]:
    """Shares that exclude each other by their conditions may share a name, so those are not judged."""
    for shares in by_queue(template):
        first: dict[str, Resource] = {}
        for share in shares:
            if share.name is None:
                continue
            earlier = first.setdefault(in_text(share.name), share)
            if earlier is share:
                continue
            condition = share.condition or earlier.condition
            if condition is not None and share.body.get("Condition") != earlier.body.get("Condition"):
                yield unknown(share, (), condition)
                continue
            message = f"{in_text(share.name)!r} is also the name of {earlier.logical_id}"
            yield Violation(share, PATH, message, "give every share of a queue its own name")


RULE = Rule(
    id="E9521",
    title="The shares of a queue have different names",
    why="Jobs name their share, and the second share of a name is refused as already there.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_CreateQuotaShare.html",
    properties={QUOTA_SHARE: PATH},
    check=check,
)
