"""I9509: shares, their queue and its environment are ENABLED."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.lint.values import value_at, word
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SERVICE_ENVIRONMENT,
    Template,
    Unresolved,
    quota_managed_queues,
)

MEANING: Mapping[str, str] = {
    JOB_QUEUE: "the queue accepts no new job",
    QUOTA_SHARE: "the share accepts no new job",
    SERVICE_ENVIRONMENT: "no job starts",
}


def check(template: Template) -> Iterator[Result]:
    """The state is ENABLED where it is not written."""
    environments, queues = quota_managed_environments(template), quota_managed_queues(template)
    for resource in (*environments, *queues, *template.of_type(QUOTA_SHARE)):
        state = word(value_at(resource, "State"))
        if isinstance(state, Unresolved):
            yield unknown(resource, ("State",), state)
        elif state == "DISABLED":
            yield Violation(resource, ("State",), f"DISABLED: {MEANING[resource.type]}", "write ENABLED")


RULE = Rule(
    id="I9509",
    title="Shares, their queue and its environment are ENABLED",
    why="Jobs that are there go on, new ones are refused or wait; fine before a teardown, puzzling otherwise (R20).",
    source="https://docs.aws.amazon.com/batch/latest/userguide/updating-service-environments.html",
    properties=dict.fromkeys(MEANING, ("State",)),
    check=check,
)
