"""References between resources: creation order, other stacks, other accounts, stable logical ids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk.assertions import Template
from batch_builders import G5, job_queue, logical_id, managed_queue, properties, quota_share, resources

SHARES = ("nlp-v1", "nlpv1", "vision")


def referred(value: Any) -> Iterator[str]:
    """The logical ids in the Ref and Fn::GetAtt of a rendered value."""
    if isinstance(value, dict):
        if set(value) == {"Ref"}:
            yield value["Ref"]
        elif set(value) == {"Fn::GetAtt"}:
            yield value["Fn::GetAtt"][0]
        for item in value.values():
            yield from referred(item)
    elif isinstance(value, list):
        for item in value:
            yield from referred(item)


def test_shares_need_the_queue_and_the_queue_needs_policy_and_environment(stack: cdk.Stack) -> None:
    # C26: deletion goes against these edges, so shares go first and the environment goes after its queue.
    queue = managed_queue(stack)
    queue.add_share("QS1", capacity_limits={G5: 1})
    queue.add_share("QS2", capacity_limits={G5: 1})

    rendered = Template.from_stack(stack).to_json()["Resources"]
    kinds = {name: resource["Type"].removeprefix("AWS::Batch::") for name, resource in rendered.items()}
    edges = [(kinds[name], kinds[to]) for name, r in rendered.items() for to in referred(r["Properties"])]
    assert sorted(edges) == [
        ("JobQueue", "SchedulingPolicy"),
        ("JobQueue", "ServiceEnvironment"),
        ("QuotaShare", "JobQueue"),
        ("QuotaShare", "JobQueue"),
    ]


def test_a_share_in_another_stack_imports_the_queue_arn(app: cdk.App) -> None:
    # C27, second case: the export locks the queue against replacement.
    producer, consumer = cdk.Stack(app, "A"), cdk.Stack(app, "C")
    queue = job_queue(producer)
    quota_share(consumer, job_queue=queue)

    (export,) = [o["Export"]["Name"] for o in Template.from_stack(producer).to_json()["Outputs"].values()]
    assert properties(consumer, "QuotaShare")["JobQueue"] == {"Fn::ImportValue": export}
    assert consumer.dependencies == [producer]


def test_a_named_share_is_referred_to_by_its_full_arn_from_another_account(app: cdk.App) -> None:
    here = cdk.Stack(app, "A", env=cdk.Environment(account="111111111111", region="us-east-1"))
    there = cdk.Stack(app, "B", env=cdk.Environment(account="222222222222", region="us-east-1"))
    queue = job_queue(here, job_queue_name="gpu")
    share = quota_share(here, job_queue=queue, quota_share_name="team")
    cdk.CfnOutput(there, "Arn", value=share.quota_share_arn)
    cdk.CfnOutput(there, "Queue", value=queue.job_queue_name)

    outputs = Template.from_stack(there).to_json()["Outputs"]
    arn = "".join(str(part) for part in outputs["Arn"]["Value"]["Fn::Join"][1])
    assert arn.endswith(":batch:us-east-1:111111111111:job-queue/gpu/quota-share/team")
    assert outputs["Queue"]["Value"] == "gpu"


def test_names_that_differ_by_a_hyphen_have_different_logical_ids(stack: cdk.Stack) -> None:
    # C28: both in a managed queue and directly under the stack.
    queue = managed_queue(stack, capacity_limits={G5: 4})
    inside = [queue.add_share(name, capacity_limits={G5: 1}) for name in SHARES[:2]]
    directly = [
        quota_share(stack, name, job_queue=queue.job_queue, quota_share_name=f"{name}-x") for name in SHARES[:2]
    ]

    ids = {logical_id(share) for share in [*inside, *directly]}
    assert len(ids) == 4
    assert ids == set(resources(stack, "QuotaShare"))


def ids_by_name(names: tuple[str, ...]) -> dict[str, str]:
    stack = cdk.Stack(cdk.App(), "Stack")
    queue = managed_queue(stack, capacity_limits={G5: 9})
    for name in names:
        queue.add_share(name, capacity_limits={G5: 1})
    return {r["Properties"]["QuotaShareName"]: name for name, r in resources(stack, "QuotaShare").items()}


@pytest.mark.parametrize("order", list(permutations(SHARES)))
def test_the_order_of_shares_and_a_share_put_first_change_no_logical_id(order: tuple[str, ...]) -> None:
    # C28.
    expected = ids_by_name(SHARES)

    assert ids_by_name(order) == expected
    assert expected.items() <= ids_by_name(("audio", *order)).items()


@pytest.mark.parametrize("name", ["Resource", "Default", "JobQueue", "Shares", "ServiceEnvironment"])
def test_a_share_may_have_the_name_of_a_construct(stack: cdk.Stack, name: str) -> None:
    queue = managed_queue(stack)
    queue.add_share(name, capacity_limits={G5: 1})
    queue.add_share("other", capacity_limits={G5: 1})

    names = [r["Properties"]["QuotaShareName"] for r in resources(stack, "QuotaShare").values()]
    assert sorted(names) == sorted([name, "other"])
