"""E9507: a resource that is named by a literal in the same template is waited for."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation
from quota_verifier.lint.links import dependencies, links, waits_for
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, Resource, Template


def check(template: Template) -> Iterator[Result]:
    """Ref, Fn::GetAtt, Fn::Sub and DependsOn all make CloudFormation wait; a name alone does not."""
    edges = dependencies(template)
    for link in links(template):
        found = link.target
        if isinstance(found, Resource) and not waits_for(edges, link.resource.logical_id, found.logical_id):
            message = f"literal reference, no dependency: {found.logical_id} is named, but not waited for"
            fix = f"use Ref or Fn::GetAtt, or add DependsOn: {found.logical_id}"
            yield Violation(link.resource, link.path, message, fix)


RULE = Rule(
    id="E9507",
    title="A resource that is named in the same template is waited for",
    why="Without a dependency CloudFormation creates both at once and deletes them in any order, and one fails.",
    source="https://docs.aws.amazon.com/batch/latest/APIReference/API_CreateQuotaShare.html",
    properties={
        QUOTA_SHARE: ("JobQueue",),
        JOB_QUEUE: ("SchedulingPolicyArn", "ServiceEnvironmentOrder[].ServiceEnvironment"),
    },
    check=check,
)
