"""I9506: shares, queues, policies and environments that belong together are in one stack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.links import links
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, Template, Unresolved

IMPORT = re.compile(r"\$\{Fn::ImportValue\((?P<export>.*)\)\}")


def check(template: Template) -> Iterator[Result]:
    """The use is legitimate, so this is a note and no warning (case C27)."""
    for link in links(template):
        expression = link.value.expression if isinstance(link.value, Unresolved) else ""
        found = IMPORT.search(expression)
        if found:
            message = f"export lock: {link.path[0]} is imported from another stack (export {found['export']})"
            fix = "to replace the resource there, first remove this reference"
            yield Violation(link.resource, link.path, message, fix)


RULE = Rule(
    id="I9506",
    title="Shares and their queue are in one stack",
    why="An export that is in use can be neither changed nor removed, so the other stack cannot replace its resource.",
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-importvalue.html",
    properties={
        QUOTA_SHARE: ("JobQueue",),
        JOB_QUEUE: ("SchedulingPolicyArn", "ServiceEnvironmentOrder[].ServiceEnvironment"),
    },
    check=check,
)
