"""Values that a template leaves to the deployment, kept as what is known of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quota_verifier.documents import as_list


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A value that the template alone does not tell.

    `expression` is the value in Fn::Sub notation: `${MaxTeamA}`, `${Queue.JobQueueArn}`,
    `arn:${AWS::Partition}:batch:...:job-queue/train`. `reason` continues a sentence that starts with
    the property's name. `parameter` is the parameter that would tell it, `resource` the one logical
    id that it is made from, `fix` what would mend a template that is wrong; empty where there is none.
    """

    expression: str
    reason: str
    parameter: str = ""
    resource: str = ""
    fix: str = ""

    @property
    def remedy(self) -> str:
        """What would make the value known."""
        if self.parameter:
            return f"give --param {self.parameter}=VALUE"
        return self.fix or "write the value, or make it a parameter and give --param NAME=VALUE"


def in_text(value: object) -> str:
    """`value` as it stands inside an expression."""
    if isinstance(value, Unresolved):
        return value.expression
    if isinstance(value, bool):
        return "true" if value else "false"
    items = as_list(value)
    if items is not None:
        return ",".join(in_text(item) for item in items)
    return str(value)


def concatenated(parts: Iterable[object]) -> str | Unresolved:
    """`parts` as one text; unresolved where one of them is, with the parts that are known kept readable."""
    listed = list(parts)
    expression = "".join(in_text(part) for part in listed)
    return derived(expression, listed) if first_unresolved(listed) else expression


def derived(expression: str, parts: Iterable[object]) -> Unresolved:
    """What is made from `parts`, of which at least one is unresolved."""
    missing = [part for part in parts if isinstance(part, Unresolved)]
    resources = list(dict.fromkeys(part.resource for part in missing if part.resource))
    # A parameter's lack is what a person can mend, so it speaks first.
    speaker = next((part for part in missing if part.parameter), missing[0])
    resource = resources[0] if len(resources) == 1 else ""
    return Unresolved(expression, speaker.reason, speaker.parameter, resource, speaker.fix)


def first_unresolved(parts: Iterable[object]) -> Unresolved | None:
    """The first of `parts` that is unresolved, or None."""
    return next((part for part in parts if isinstance(part, Unresolved)), None)
