"""E9514: numbers are whole, and no larger than AWS takes."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.numbers import NUMBERS, numbers
from quota_verifier.template import Template, Unresolved
from quota_verifier.template.properties import LARGEST


def check(template: Template) -> Iterator[Result]:
    """Texts that are no number are reported by cfn-lint."""
    for number in numbers(template):
        value, path = number.value, number.path
        if isinstance(value, Unresolved):
            yield unknown(number.resource, path, value)
        elif isinstance(value, float) and not value.is_integer():
            percent = path[-1] == "BorrowLimit"
            fix = "write a percentage such as 50 for one half" if percent else "write a whole number"
            yield Violation(number.resource, path, f"{path[-1]} {value} is not a whole number", fix)
        elif isinstance(value, int) and value > LARGEST:
            fix = "write -1 for no limit" if path[-1] == "BorrowLimit" else f"write at most {LARGEST}"
            yield Violation(number.resource, path, f"{path[-1]} {value} is above {LARGEST}", fix)


RULE = Rule(
    id="E9514",
    title="Numbers are whole, and no larger than AWS takes",
    why="CloudFormation lets fractions pass, AWS Batch does not: its integers are whole and have 32 bits.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html",
    properties=NUMBERS,
    check=check,
)
