"""I9505: queues, environments and policies have no fixed names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.queues import quota_managed_environments, quota_policies
from quota_verifier.template import QUOTA_SHARE, Template, quota_managed_queues
from quota_verifier.template.resources import NAME_PROPERTIES
from quota_verifier.template.unresolved import in_text

NAMES: Mapping[str, str] = {kind: name for kind, name in NAME_PROPERTIES.items() if kind != QUOTA_SHARE}


def check(template: Template) -> Iterator[Result]:
    """QuotaShareName is required, so it is the exception (case C25)."""
    environments, policies = quota_managed_environments(template), quota_policies(template)
    for resource in (*environments, *policies, *quota_managed_queues(template)):
        name = NAMES.get(resource.type)
        if name is None or resource.name is None:
            continue
        message = f"{name} is fixed to {in_text(resource.name)!r}, and a replacement needs the name while it is taken"
        yield Violation(resource, (name,), message, f"leave {name} out unless others rely on it")


RULE = Rule(
    id="I9505",
    title="Queues, environments and policies have no fixed names",
    why="A replacement is created before the old one is deleted, and fails because the name is taken.",
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html",
    properties={kind: (name,) for kind, name in NAMES.items()},
    check=check,
)
