"""C35 and its kin: a queue of which the template does not tell enough cannot be proven, which is said."""

from __future__ import annotations

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from validated_apps import G5, about, only, policy, queue, validate

from quota_shares import (
    QuotaManagedQueue,
    QuotaShare,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
    ServiceJobQueue,
)


def _parameter(stack: cdk.Stack, **default: int) -> float:
    return cdk.CfnParameter(stack, "MaxTeamA", type="Number", **default).value_as_number


def test_a_capacity_without_a_value_is_an_error_that_says_how_to_give_one(app: cdk.App, stack: cdk.Stack) -> None:
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: _parameter(stack)})
    made.add_share("QS3", capacity_limits={G5: 1})
    made.verify(policy())

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("unverifiable-queue", "error")
    assert about(found) == "Demo/Training/JobQueue/Resource"
    first, second = found["description"].splitlines()
    assert first.endswith("MaxCapacity: depends on parameter MaxTeamA, which has no default")
    assert second.strip() == "so this queue cannot be checked against urgent.yaml"
    assert found["suggestedFix"].startswith("give MaxTeamA a default, or take the value from context")
    assert "--param MaxTeamA=VALUE" in found["suggestedFix"]


def test_every_open_parameter_is_named_at_once(app: cdk.App, stack: cdk.Stack) -> None:
    other = cdk.CfnParameter(stack, "Borrow", type="Number").value_as_number
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: 3})
    made.add_share("QS1", capacity_limits={G5: 1}, resource_sharing=ResourceSharing.lend_and_borrow(other))
    made.add_share("QS3", capacity_limits={G5: _parameter(stack)})
    made.verify(policy())

    fix = only([found for found in validate(app) if found["severity"] == "error"])["suggestedFix"]
    assert fix.startswith("give Borrow, MaxTeamA a default")


def test_a_queue_without_policies_may_have_open_capacities(app: cdk.App, stack: cdk.Stack) -> None:
    QuotaManagedQueue(stack, "Training", capacity_limits={G5: _parameter(stack)}).add_share(
        "QS3", capacity_limits={G5: 1}
    )

    assert validate(app) == []


def test_a_parameter_counts_with_its_default(app: cdk.App, stack: cdk.Stack) -> None:
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: 4})
    made.add_share("QS3", capacity_limits={G5: _parameter(stack, default=2)})
    made.verify(policy())

    assert validate(app) == []


def test_it_can_be_acknowledged_until_the_value_is_known(app: cdk.App, stack: cdk.Stack) -> None:
    made = QuotaManagedQueue(stack, "Training", capacity_limits={G5: _parameter(stack)})
    made.add_share("QS3", capacity_limits={G5: 1})
    made.verify(policy())
    acknowledgement = cdk.Acknowledgment(id="quota-shares::unverifiable-queue", reason="deployed by hand")
    cdk.Validations.of(made).acknowledge(acknowledgement)

    assert validate(app) == []


def test_an_imported_environment_tells_no_capacity(app: cdk.App, stack: cdk.Stack) -> None:
    imported = ServiceEnvironment.from_service_environment_name(stack, "Imported", "gpus")
    _l2_queue(stack, imported)
    policy()

    found = only([found for found in validate(app, "urgent.yaml") if found["severity"] == "error"])
    assert found["ruleName"] == "unverifiable-queue"
    assert "the service environment 'gpus' is not in this template" in found["description"]


@pytest.mark.parametrize("weak", [False, True])
def test_a_queue_with_a_share_in_another_stack_is_not_judged_without_it(stack: cdk.Stack, weak: bool) -> None:
    app = cdk.App(context={"@aws-cdk/core:defaultCrossStackReferences": "weak"} if weak else None)
    made = QuotaManagedQueue(cdk.Stack(app, "Demo"), "Training", capacity_limits={G5: 3})
    made.add_share("QS3", capacity_limits={G5: 1})
    QuotaShare(cdk.Stack(app, "Team"), "Far", job_queue=made.job_queue, capacity_limits={G5: 1})
    made.verify(policy(BOUND="1h"))

    found = only([found for found in validate(app) if found["severity"] == "error"])
    assert found["ruleName"] == "unverifiable-queue"
    assert about(found) == "Demo/Training/JobQueue/Resource"
    assert "the quota share Team/Far/Resource, of the stack Team," in found["description"]
    assert found["suggestedFix"] == "declare the share in the stack Demo and refer to the construct"


def test_a_share_of_an_imported_queue_is_none_of_this_queues_business(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(BOUND="1h"))
    imported = ServiceJobQueue.from_job_queue_name(stack, "Imported", "nightly")
    QuotaShare(stack, "Far", job_queue=imported, capacity_limits={G5: 1}, quota_share_name="far")

    assert [found for found in validate(app) if found["severity"] == "error"] == []


def test_a_share_whose_queue_is_a_parameter_may_be_of_any_queue(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy(BOUND="1h"))
    name = cdk.CfnParameter(stack, "QueueName").value_as_string
    QuotaShare(
        stack,
        "Open",
        job_queue=ServiceJobQueue.from_job_queue_name(stack, "Imported", name),
        capacity_limits={G5: 1},
        quota_share_name="open",
    )

    found = only([found for found in validate(app) if found["severity"] == "error"])
    assert "the quota share Demo/Open/Resource, whose queue only the deployment tells," in found["description"]


def test_raw_resources_are_checked_like_constructs(app: cdk.App, stack: cdk.Stack) -> None:
    environment = ServiceEnvironment(stack, "Environment", capacity_limits={G5: 3})
    made = _l2_queue(stack, environment)
    batch.CfnQuotaShare(
        stack,
        "Raw",
        job_queue=made.job_queue_arn,
        quota_share_name="QS3",
        capacity_limits=[{"capacityUnit": G5, "maxCapacity": 1}],
        resource_sharing_configuration={"strategy": "RESERVE"},
        preemption_configuration={"inSharePreemption": "DISABLED"},
    )
    policy()

    found = only([found for found in validate(app, "urgent.yaml") if found["severity"] == "error"])
    assert about(found) == "Demo/Raw"
    assert "declared" not in found["ruleMetadata"]


def test_a_template_that_cannot_be_read_is_an_error_where_policies_want_it(app: cdk.App, stack: cdk.Stack) -> None:
    queue(stack).verify(policy())
    cdk.CfnResource(stack, "Typeless", type="AWS::SNS::Topic").add_deletion_override("Type")

    found = [found for found in validate(app) if found["severity"] == "error"]
    assert only(found)["ruleName"] == "unreadable-template"


def _l2_queue(stack: cdk.Stack, environment: object) -> ServiceJobQueue:
    policy_of_queue = QuotaShareSchedulingPolicy(stack, "Policy")
    made = ServiceJobQueue(stack, "Queue", service_environment=environment, scheduling_policy=policy_of_queue)
    QuotaShare(stack, "QS2", job_queue=made, capacity_limits={G5: 1}, quota_share_name="QS2")
    return made
