"""E9509: names have letters, digits, hyphens and underscores only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.queues import quota_managed_environments, quota_policies
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    Resource,
    Template,
    Unresolved,
    quota_managed_queues,
)
from quota_verifier.template.resources import NAME_PROPERTIES
from quota_verifier.words import shown

REFUSED = re.compile(r"[^A-Za-z0-9_-]")
LONGEST = 128
LENGTH_KNOWN_TO_CFN_LINT = {JOB_QUEUE, QUOTA_SHARE}


def check(template: Template) -> Iterator[Result]:
    """Names of other queues, environments and policies are none of our business."""
    subjects = (
        *quota_managed_environments(template),
        *quota_policies(template),
        *quota_managed_queues(template),
        *template.of_type(QUOTA_SHARE),
    )
    for resource in subjects:
        path = (NAME_PROPERTIES.get(resource.type, ""),)
        if isinstance(resource.name, Unresolved):
            yield unknown(resource, path, resource.name)
        elif isinstance(resource.name, str) and (message := _message(resource, resource.name)):
            fix = f"use letters, digits, hyphens and underscores, at most {LONGEST}"
            yield Violation(resource, path, message, fix)


def _message(resource: Resource, name: str) -> str:
    refused = dict.fromkeys(REFUSED.findall(name))
    if refused:
        return f"the name {shown(name)} has {', '.join(repr(character) for character in refused)}"
    if resource.type in LENGTH_KNOWN_TO_CFN_LINT:
        return ""
    if len(name) > LONGEST:
        return f"the name has {len(name)} characters"
    return "" if name else "the name is empty"


RULE = Rule(
    id="E9509",
    title="Names have letters, digits, hyphens and underscores only",
    why="AWS Batch refuses other characters, and names stand in ARNs.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_CreateQuotaShare.html",
    properties={resource_type: (name,) for resource_type, name in NAME_PROPERTIES.items()},
    check=check,
)
