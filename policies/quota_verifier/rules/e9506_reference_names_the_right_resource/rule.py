"""E9506: a reference names a resource of the type that is wanted there."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.links import Link, links
from quota_verifier.template import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Outside,
    Resource,
    Template,
    Unresolved,
)

NOUNS = {JOB_QUEUE: "job queue", SCHEDULING_POLICY: "scheduling policy", SERVICE_ENVIRONMENT: "service environment"}


def check(template: Template) -> Iterator[Result]:
    """A name or ARN of something outside the template is taken on trust."""
    for link in links(template):
        message = _message(link)
        if message:
            fix = f"refer to the {NOUNS[link.wanted]} with Ref or Fn::GetAtt"
            yield Violation(link.resource, link.path, message, fix)
        elif isinstance(link.target, Unresolved):
            yield unknown(link.resource, link.path, link.target)


def _message(link: Link) -> str:
    noun = NOUNS[link.wanted]
    match link.target:
        case Resource() as found if found.type != link.wanted:
            return f"{found.logical_id} is no {noun} but an {found.type}"
        case Outside(name=name, left_out=True):
            return f"the {noun} {name} is left out by its condition"
        case _:
            return f"an empty text names no {noun}" if link.value == "" else ""


RULE = Rule(
    id="E9506",
    title="A reference names a resource of the type that is wanted there",
    why="The deployment fails, or worse: an empty policy ARN is taken for no policy, and the queue becomes FIFO.",
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-batch-quotashare.html",
    properties={
        QUOTA_SHARE: ("JobQueue",),
        JOB_QUEUE: ("SchedulingPolicyArn", "ServiceEnvironmentOrder[].ServiceEnvironment"),
    },
    check=check,
)
