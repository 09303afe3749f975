"""The template of AWS's three-share demo, pinned with its logical ids: a changed id replaces a deployed resource."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_lambda as lambda_
from aws_cdk.assertions import Template
from batch_builders import G5, P5
from syrupy.assertion import SnapshotAssertion

from quota_shares import QuotaManagedQueue, ResourceSharing
from quota_shares.testing import BatchSnapshotExtension, batch_resources


@pytest.fixture
def json_snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(BatchSnapshotExtension)


def demo(stack: cdk.Stack) -> QuotaManagedQueue:
    queue = QuotaManagedQueue(stack, "Training", capacity_limits={G5: 3}, job_queue_name="qm-queue")
    queue.add_share(
        "QS1",
        capacity_limits={G5: 1},
        resource_sharing=ResourceSharing.lend_and_borrow(200),
        in_share_preemption=True,
    )
    queue.add_share("QS2", capacity_limits={G5: 1}, resource_sharing=ResourceSharing.lend())
    queue.add_share("QS3", capacity_limits={G5: 1}, resource_sharing=ResourceSharing.reserve())
    return queue


def test_the_demo_renders_as_pinned(stack: cdk.Stack, json_snapshot: SnapshotAssertion) -> None:
    demo(stack)

    assert stack == json_snapshot


def variant(*, limits: dict[str, int], legacy: bool = False, code: str | None = None) -> dict[str, Any]:
    synthesizer = cdk.LegacyStackSynthesizer() if legacy else cdk.DefaultStackSynthesizer()
    stack = cdk.Stack(cdk.App(), "Stack", synthesizer=synthesizer)
    QuotaManagedQueue(stack, "Q", capacity_limits=limits).add_share("A", capacity_limits=limits)
    if code is not None:
        lambda_.Function(
            stack,
            "F",
            runtime=lambda_.Runtime.PYTHON_3_12,
            handler="index.handler",
            code=lambda_.Code.from_inline(code),
        )
    return batch_resources(Template.from_stack(stack))


def test_the_filtered_template_does_not_change_with_the_toolchain() -> None:
    # C40, C38: another synthesizer, another order of limits, another function beside it.
    expected = variant(limits={G5: 3, P5: 1})

    assert len(expected) == 4
    assert variant(limits={P5: 1, G5: 3}) == expected
    assert variant(limits={G5: 3, P5: 1}, legacy=True) == expected
    assert variant(limits={G5: 3, P5: 1}, code="a = 1") == expected
    assert variant(limits={G5: 3, P5: 1}, code="a = 2") == expected


def test_asset_hashes_are_masked_and_changes_of_ours_are_not() -> None:
    hash_a, hash_b = "a" * 64, "b" * 64

    def template(digest: str, capacity: int) -> Template:
        resource = {"Type": "AWS::Batch::X", "Properties": {"Tag": f"s3://{digest}.zip", "Max": capacity}}
        return Template.from_json({"Resources": {"X": resource}})

    assert batch_resources(template(hash_a, 1)) == batch_resources(template(hash_b, 1))
    assert batch_resources(template(hash_a, 1)) != batch_resources(template(hash_a, 2))


def test_the_order_of_an_environments_limits_is_no_change_and_that_of_a_shares_is() -> None:
    # C40: the registry schema declares the former a set, the latter a list.
    def template(kind: str, *units: str) -> Template:
        limits = [{"CapacityUnit": unit, "MaxCapacity": 1} for unit in units]
        return Template.from_json({"Resources": {"X": {"Type": kind, "Properties": {"CapacityLimits": limits}}}})

    for kind, same in (("AWS::Batch::ServiceEnvironment", True), ("AWS::Batch::QuotaShare", False)):
        assert (batch_resources(template(kind, G5, P5)) == batch_resources(template(kind, P5, G5))) is same
