"""C35: values that are known at deployment only are rendered, not compared."""

from __future__ import annotations

import re

import aws_cdk as cdk
import pytest
from batch_builders import G5, environment, job_queue, managed_queue, properties, quota_share, resources

from quota_shares import (
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
    ServiceJobQueue,
    ServiceJobTimeLimitAction,
    TimeLimitReason,
)
from quota_verifier.errors import InputError


@pytest.fixture
def number(stack: cdk.Stack) -> float:
    return cdk.CfnParameter(stack, "Number", type="Number").value_as_number


def test_a_capacity_may_be_a_parameter_in_environment_and_share(stack: cdk.Stack, number: float) -> None:
    queue = managed_queue(stack, capacity_limits={G5: number})
    queue.add_share("A", capacity_limits={G5: number})
    queue.add_share("B", capacity_limits={G5: 1000})

    for kind in ("ServiceEnvironment", "QuotaShare"):
        values = [r["Properties"]["CapacityLimits"][0]["MaxCapacity"] for r in resources(stack, kind).values()]
        assert {"Ref": "Number"} in values


def test_the_sum_of_the_known_limits_is_still_checked(stack: cdk.Stack, number: float) -> None:
    queue = managed_queue(stack)
    queue.add_share("A", capacity_limits={G5: number})
    queue.add_share("B", capacity_limits={G5: 3})

    with pytest.raises(InputError, match=re.escape("(B: 3, C: 1), the service environment has 3: over by 1")):
        queue.add_share("C", capacity_limits={G5: 1})


def test_a_borrow_limit_may_be_a_parameter_and_warns_of_nothing(stack: cdk.Stack, number: float) -> None:
    share = quota_share(stack, resource_sharing=ResourceSharing.lend_and_borrow(number))

    rendered = properties(stack, "QuotaShare")["ResourceSharingConfiguration"]
    assert rendered == {"Strategy": "LEND_AND_BORROW", "BorrowLimit": {"Ref": "Number"}}
    assert share.resource_sharing.borrow_limit_percent == number


def test_priority_and_time_limits_may_be_parameters(stack: cdk.Stack, number: float) -> None:
    reason = TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY
    action = ServiceJobTimeLimitAction(reason, cdk.Duration.seconds(number))
    job_queue(stack, priority=number, job_state_time_limit_actions=[action])

    rendered = properties(stack, "JobQueue")
    assert rendered["Priority"] == {"Ref": "Number"}
    assert rendered["JobStateTimeLimitActions"][0]["MaxTimeSeconds"] == {"Ref": "Number"}


def test_names_may_be_parameters_on_l2_constructs(stack: cdk.Stack) -> None:
    name = cdk.CfnParameter(stack, "Name").value_as_string
    queue = job_queue(stack, job_queue_name=name)
    quota_share(stack, "A", job_queue=queue, quota_share_name=name)

    assert properties(stack, "QuotaShare")["QuotaShareName"] == {"Ref": "Name"}
    assert properties(stack, "JobQueue")["JobQueueName"] == {"Ref": "Name"}


def test_the_name_of_a_managed_share_must_be_literal(stack: cdk.Stack) -> None:
    name = cdk.CfnParameter(stack, "Name").value_as_string

    with pytest.raises(InputError, match="the name of a share must be literal"):
        managed_queue(stack).add_share(name, capacity_limits={G5: 1})


def test_a_unit_may_be_a_parameter_and_comes_behind_the_literal_ones(stack: cdk.Stack) -> None:
    unit = cdk.CfnParameter(stack, "Unit").value_as_string
    queue = managed_queue(stack, capacity_limits={unit: 2, G5: 3})
    queue.add_share("A", capacity_limits={unit: 1, "ml.p5.48xlarge": 1})  # the unit may turn out to be p5

    units = [limit["CapacityUnit"] for limit in properties(stack, "ServiceEnvironment")["CapacityLimits"]]
    assert units == [G5, {"Ref": "Unit"}]


def test_an_element_of_a_list_parameter_is_an_error_that_names_the_parameter(stack: cdk.Stack) -> None:
    units = cdk.CfnParameter(stack, "Units", type="CommaDelimitedList").value_as_list

    with pytest.raises(InputError, match=re.escape("capacity units come from the list {'Ref': 'Units'}")):
        environment(stack, capacity_limits=dict.fromkeys(units, 1))


def test_a_text_token_as_a_number_is_an_error_that_names_the_fix(stack: cdk.Stack) -> None:
    text = cdk.CfnParameter(stack, "Text").value_as_string

    with pytest.raises(InputError, match=re.escape("wrap it in cdk.Token.as_number(...)")):
        environment(stack, capacity_limits={G5: text})


def test_imports_refuse_an_arn_that_is_known_at_deployment_only(stack: cdk.Stack) -> None:
    arn = cdk.CfnParameter(stack, "Arn").value_as_string

    for build in (
        ServiceJobQueue.from_job_queue_arn,
        ServiceEnvironment.from_service_environment_arn,
        QuotaShare.from_quota_share_arn,
    ):
        with pytest.raises(InputError, match="ARN is only known at deployment, and its name must be split out"):
            build(stack, "Imported", arn)
