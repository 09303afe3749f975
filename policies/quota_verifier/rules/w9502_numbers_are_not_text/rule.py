"""W9502: numbers are written as numbers."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.numbers import NUMBERS, numbers
from quota_verifier.lint.values import whole
from quota_verifier.template import Template


def check(template: Template) -> Iterator[Result]:
    """Looks at values as written: those of parameters and loops are text by nature."""
    for number in numbers(template):
        written = number.written
        if isinstance(written, str) and isinstance(whole(written), int):
            message = f"{number.path[-1]} is the text {written!r}"
            yield Violation(number.resource, number.path, message, f"write {written.strip()} without quotes")


RULE = Rule(
    id="W9502",
    title="Numbers are written as numbers",
    why="CloudFormation may turn the text into a number, but nothing promises it, and other tools do not.",
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-batch-quotashare.html",
    properties=NUMBERS,
    check=check,
)
