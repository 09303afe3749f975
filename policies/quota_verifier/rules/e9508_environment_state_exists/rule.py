"""E9508: the state of a service environment is ENABLED or DISABLED."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.lint.values import value_at, word
from quota_verifier.template import SERVICE_ENVIRONMENT, Template, Unresolved
from quota_verifier.words import shown

STATES = ("ENABLED", "DISABLED")


def check(template: Template) -> Iterator[Result]:
    """The registry schema takes any text here."""
    for environment in quota_managed_environments(template):
        written = value_at(environment, "State")
        state = word(written)
        if isinstance(state, Unresolved):
            yield unknown(environment, ("State",), state)
        elif written is not None and state not in STATES:
            yield Violation(environment, ("State",), f"{shown(written)} is no state", "write ENABLED or DISABLED")


RULE = Rule(
    id="E9508",
    title="The state of a service environment is ENABLED or DISABLED",
    why="The registry schema takes any text, AWS Batch only these two.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_CreateServiceEnvironment.html",
    properties={SERVICE_ENVIRONMENT: ("State",)},
    check=check,
)
