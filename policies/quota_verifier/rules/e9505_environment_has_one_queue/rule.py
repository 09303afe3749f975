"""E9505: the service environment of a quota-managed queue belongs to no other queue."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.lint import Result, Rule, Violation, unknown
from quota_verifier.lint.queues import quota_managed_environments
from quota_verifier.template import JOB_QUEUE, Resource, Template, environments_of

ORDER = "ServiceEnvironmentOrder"


def check(template: Template) -> Iterator[Result]:
    """Two queues of which a condition admits only one may share an environment, so conditions are not judged."""
    for environment in quota_managed_environments(template):
        places = list(_places(template, environment))
        for queue, index in places[1:]:
            path = (ORDER, index, "ServiceEnvironment")
            first = places[0][0]
            condition = queue.condition or first.condition
            if condition is not None:
                yield unknown(queue, path, condition)
            else:
                message = f"environment {environment.logical_id} already belongs to queue {first.logical_id}"
                yield Violation(queue, path, message, "give the queue an environment of its own")


def _places(template: Template, environment: Resource) -> Iterator[tuple[Resource, int]]:
    for queue in template.of_type(JOB_QUEUE):
        found = environments_of(template, queue)
        index = next((index for index, named in enumerate(found) if named is environment), None)
        if index is not None:
            yield queue, index


RULE = Rule(
    id="E9505",
    title="The service environment of a quota-managed queue belongs to no other queue",
    why="AWS Batch refuses to attach it to a second queue: the shares could not rely on its capacity.",
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html",
    properties={JOB_QUEUE: (f"{ORDER}[].ServiceEnvironment",)},
    check=check,
)
