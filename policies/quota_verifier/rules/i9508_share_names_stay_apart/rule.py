"""I9508: share names differ in letters or digits."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.sharing import by_queue
from quota_verifier.template import QUOTA_SHARE, Template

PATH = ("QuotaShareName",)


def check(template: Template) -> Iterator[Result]:
    """Names that are equal are the business of E9521."""
    for shares in by_queue(template):
        first: dict[str, str] = {}
        for share in shares:
            if not isinstance(share.name, str):
                continue
            letters = "".join(character for character in share.name if character.isalnum())
            earlier = first.setdefault(letters, share.name)
            if earlier != share.name:
                message = f"{share.name!r} and {earlier!r} differ in punctuation alone"
                yield Violation(share, PATH, message, "let names differ in letters or digits")


RULE = Rule(
    id="I9508",
    title="Share names differ in letters or digits",
    why="Logical ids made from names drop punctuation, so the two clash in a template (case C28).",
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resources-section-structure.html",
    properties={QUOTA_SHARE: PATH},
    check=check,
)
