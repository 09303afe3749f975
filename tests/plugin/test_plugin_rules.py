"""The static rules as the plugin reports them."""

from __future__ import annotations

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from validated_apps import G5, about, only, plugin_report, queue, validate

from quota_shares import QuotaManagedQueue, QuotaShareValidation, ResourceSharing


def _override(share: object, path: str, value: object) -> None:
    resource = share.node.default_child
    assert isinstance(resource, batch.CfnQuotaShare)
    resource.add_property_override(path, value)


def test_a_rule_that_is_broken_is_an_error_with_its_fix_and_the_construct(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    _override(made.shares["QS3"], "ResourceSharingConfiguration.BorrowLimit", 100)

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("E9522", "error")
    assert about(found) == "Demo/Training/Shares/QS3/Resource"
    assert found["description"].startswith("ResourceSharingConfiguration.BorrowLimit: ")
    assert found["suggestedFix"]
    assert "validated_apps.py:" in found["ruleMetadata"]["declared"]
    assert "Demo.template.json:" in found["ruleMetadata"]["template"]


def test_a_rule_can_be_acknowledged_by_its_id(app: cdk.App, stack: cdk.Stack) -> None:
    made = queue(stack)
    _override(made.shares["QS3"], "ResourceSharingConfiguration.BorrowLimit", 100)
    acknowledgement = cdk.Acknowledgment(id="quota-shares::E9522", reason="AWS ignores it")
    cdk.Validations.of(made.shares["QS3"]).acknowledge(acknowledgement)

    assert validate(app) == []


def test_a_warning_is_reported_and_passes(app: cdk.App, stack: cdk.Stack) -> None:
    QuotaManagedQueue(stack, "Empty", capacity_limits={G5: 3})

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("W9509", "warning")


def test_informational_rules_are_reported_on_request(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack)
    cdk.Validations.of(app).add_plugins(QuotaShareValidation(informational=True))
    app.synth()

    found = plugin_report(app)["violations"]
    assert {(violation["ruleName"], violation["severity"]) for violation in found} == {("I9503", "info")}


def test_what_the_constructs_say_themselves_is_not_said_twice(app: cdk.App, stack: cdk.Stack) -> None:
    made = QuotaManagedQueue(
        stack, "Training", capacity_limits={"ml.new9.xlarge": 4}, additional_instance_types=["ml.new9.xlarge"]
    )
    for name, percent in (("A", 50), ("B", 150)):
        made.add_share(
            name,
            capacity_limits={"ml.new9.xlarge": 1},
            resource_sharing=ResourceSharing.lend_and_borrow(borrow_limit_percent=percent),
        )

    assert validate(app) == []


def test_overcommitment_that_was_asked_for_is_accepted(app: cdk.App, stack: cdk.Stack) -> None:
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: 1}, allow_overcommit=True)
    for name in ("A", "B"):
        made.add_share(name, capacity_limits={G5: 1})

    assert validate(app) == []


def test_overcommitment_that_only_the_template_shows_is_an_error(app: cdk.App, stack: cdk.Stack) -> None:
    default = cdk.CfnParameter(stack, "Own", type="Number", default=2).value_as_number
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: 3})
    for name in ("A", "B"):
        made.add_share(name, capacity_limits={G5: default})

    assert only(validate(app))["ruleName"] == "E9516"


@pytest.mark.parametrize("kind", ["fair-share", "none"])
def test_queues_of_other_kinds_are_left_alone(app: cdk.App, stack: cdk.Stack, kind: str) -> None:
    fair = batch.FairshareSchedulingPolicy(stack, "Fair") if kind == "fair-share" else None
    compute = batch.FargateComputeEnvironment(stack, "Compute", vpc=_vpc(stack))
    made = batch.JobQueue(stack, "Queue", scheduling_policy=fair)
    made.add_compute_environment(compute, 1)

    assert validate(app) == []


def _vpc(stack: cdk.Stack) -> object:
    from aws_cdk import aws_ec2 as ec2

    return ec2.Vpc(stack, "Vpc", max_azs=1)
