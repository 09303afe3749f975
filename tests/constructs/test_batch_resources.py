"""What each construct renders, how it is referred to and imported."""

from __future__ import annotations

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from batch_builders import G5, P5, environment, job_queue, managed_queue, properties, quota_share, resources

from quota_shares import (
    IdleResourceAssignmentStrategy,
    QuotaShare,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
    ServiceJobQueue,
    ServiceJobTimeLimitAction,
    TimeLimitReason,
)

ACCOUNT = "arn:aws:batch:eu-west-1:111122223333"


def test_a_policy_is_a_fifo_quota_share_policy_and_no_fair_share_policy(stack: cdk.Stack) -> None:
    QuotaShareSchedulingPolicy(stack, "Policy")

    assert properties(stack, "SchedulingPolicy") == {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}


def test_a_policy_takes_a_name_and_a_strategy(stack: cdk.Stack) -> None:
    QuotaShareSchedulingPolicy(
        stack,
        "Policy",
        scheduling_policy_name="fifo",
        idle_resource_assignment_strategy=IdleResourceAssignmentStrategy.FIFO,
    )

    assert properties(stack, "SchedulingPolicy")["Name"] == "fifo"


def test_an_environment_is_for_sagemaker_training_with_limits_sorted_by_unit(stack: cdk.Stack) -> None:
    environment(stack, capacity_limits={P5: 2, G5: 3}, service_environment_name="gpus", enabled=False)

    assert properties(stack, "ServiceEnvironment") == {
        "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
        "ServiceEnvironmentName": "gpus",
        "State": "DISABLED",
        "CapacityLimits": [
            {"CapacityUnit": G5, "MaxCapacity": 3},
            {"CapacityUnit": P5, "MaxCapacity": 2},
        ],
    }


def test_names_are_left_to_cloudformation_but_for_the_share_whose_name_is_required(stack: cdk.Stack) -> None:
    # C25: a fixed name forbids replacement.
    quota_share(stack)

    assert "ServiceEnvironmentName" not in properties(stack, "ServiceEnvironment")
    assert "Name" not in properties(stack, "SchedulingPolicy")
    assert "JobQueueName" not in properties(stack, "JobQueue")
    assert properties(stack, "QuotaShare")["QuotaShareName"].startswith("StackShare")


def test_a_queue_refers_to_policy_and_environment_by_arn_and_is_a_sagemaker_queue(stack: cdk.Stack) -> None:
    env = environment(stack, "Env")
    policy = QuotaShareSchedulingPolicy(stack, "Policy")
    job_queue(stack, service_environment=env, scheduling_policy=policy, priority=7, enabled=False)

    rendered = properties(stack, "JobQueue")
    assert rendered["JobQueueType"] == "SAGEMAKER_TRAINING"
    assert rendered["Priority"] == 7
    assert rendered["State"] == "DISABLED"
    assert rendered["SchedulingPolicyArn"] == stack.resolve(policy.scheduling_policy_arn)
    assert rendered["ServiceEnvironmentOrder"] == [
        {"Order": 1, "ServiceEnvironment": stack.resolve(env.service_environment_arn)}
    ]


def test_a_queue_terminates_blocked_jobs_for_all_three_sagemaker_reasons_by_default(stack: cdk.Stack) -> None:
    # C54: the reasons of SageMaker queues, with the only action they know.
    job_queue(stack)

    actions = properties(stack, "JobQueue")["JobStateTimeLimitActions"]
    assert {(a["Action"], a["State"]) for a in actions} == {("TERMINATE", "RUNNABLE")}
    assert {a["Reason"]: a["MaxTimeSeconds"] for a in actions} == {
        "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY": 86_400,
        "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE": 600,
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED": 600,
    }


def test_time_limits_can_be_chosen_or_left_out(stack: cdk.Stack) -> None:
    reason = TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY
    job_queue(
        stack,
        "One",
        job_state_time_limit_actions=[ServiceJobTimeLimitAction(reason, cdk.Duration.hours(2))],
    )
    job_queue(stack, "None", job_state_time_limit_actions=[])

    by_id = resources(stack, "JobQueue")
    (one,) = [r["Properties"] for name, r in by_id.items() if name.startswith("One")]
    (none,) = [r["Properties"] for name, r in by_id.items() if name.startswith("None")]
    assert one["JobStateTimeLimitActions"] == [
        {"Action": "TERMINATE", "State": "RUNNABLE", "Reason": reason.value, "MaxTimeSeconds": 7200}
    ]
    assert "JobStateTimeLimitActions" not in none


def test_a_share_reserves_and_preempts_nothing_inside_unless_asked(stack: cdk.Stack) -> None:
    queue = job_queue(stack)
    quota_share(stack, job_queue=queue, quota_share_name="QS3")

    assert properties(stack, "QuotaShare") == {
        "QuotaShareName": "QS3",
        "JobQueue": stack.resolve(queue.job_queue_arn),
        "CapacityLimits": [{"CapacityUnit": G5, "MaxCapacity": 1}],
        "ResourceSharingConfiguration": {"Strategy": "RESERVE"},
        "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
        "State": "ENABLED",
    }


@pytest.mark.parametrize(
    ("sharing", "expected"),
    [
        (ResourceSharing.reserve(), {"Strategy": "RESERVE"}),
        (ResourceSharing.lend(), {"Strategy": "LEND"}),
        (ResourceSharing.lend_and_borrow(), {"Strategy": "LEND_AND_BORROW"}),
        (ResourceSharing.lend_and_borrow(None), {"Strategy": "LEND_AND_BORROW"}),
        (ResourceSharing.lend_and_borrow(-1), {"Strategy": "LEND_AND_BORROW", "BorrowLimit": -1}),
        (ResourceSharing.lend_and_borrow(0), {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 0}),
        (ResourceSharing.lend_and_borrow(200), {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 200}),
    ],
)
def test_an_absent_an_unlimited_and_a_zero_borrow_limit_stay_apart(
    stack: cdk.Stack, sharing: ResourceSharing, expected: dict[str, object]
) -> None:
    # C03, C30.
    quota_share(stack, resource_sharing=sharing)

    assert properties(stack, "QuotaShare")["ResourceSharingConfiguration"] == expected


def test_a_share_takes_in_share_preemption_and_a_state(stack: cdk.Stack) -> None:
    quota_share(stack, in_share_preemption=True, enabled=False)

    rendered = properties(stack, "QuotaShare")
    assert rendered["PreemptionConfiguration"] == {"InSharePreemption": "ENABLED"}
    assert rendered["State"] == "DISABLED"


def test_the_cfn_resource_is_the_default_child_called_resource(stack: cdk.Stack) -> None:
    # C28.
    queue = managed_queue(stack)
    share = queue.add_share("QS1", capacity_limits={G5: 1})

    expected = {
        queue.service_environment: batch.CfnServiceEnvironment,
        queue.scheduling_policy: batch.CfnSchedulingPolicy,
        queue.job_queue: batch.CfnJobQueue,
        share: batch.CfnQuotaShare,
    }
    for construct, kind in expected.items():
        assert isinstance(construct.node.default_child, kind)
        assert construct.node.default_child.node.id == "Resource"
    assert queue.node.default_child is queue.job_queue.node.default_child


def test_l1_constructs_are_accepted_and_ours_are_accepted_where_l1_ones_are(stack: cdk.Stack) -> None:
    env = batch.CfnServiceEnvironment(stack, "E", service_environment_type="SAGEMAKER_TRAINING", capacity_limits=[])
    policy = batch.CfnSchedulingPolicy(
        stack, "P", quota_share_policy=batch.CfnSchedulingPolicy.QuotaSharePolicyProperty()
    )
    queue = job_queue(stack, service_environment=env, scheduling_policy=policy)
    l1_queue = batch.CfnJobQueue(stack, "Q", priority=1, job_queue_type="SAGEMAKER_TRAINING")
    on_ours = quota_share(stack, "OnOurs", job_queue=queue)
    on_theirs = quota_share(stack, "OnTheirs", job_queue=l1_queue)

    targets = {name: r["Properties"]["JobQueue"] for name, r in resources(stack, "QuotaShare").items()}
    assert stack.resolve(l1_queue.job_queue_ref.job_queue_arn) in targets.values()
    # The CDK's own consumers of references read ours.
    assert batch.CfnJobQueue.arn_for_job_queue(queue) == queue.job_queue_arn
    assert batch.CfnQuotaShare.arn_for_quota_share(on_ours) == on_ours.quota_share_arn
    assert batch.CfnQuotaShare.arn_for_quota_share(on_theirs) == on_theirs.quota_share_arn
    ours = environment(stack)
    assert batch.CfnServiceEnvironment.arn_for_service_environment(ours) == ours.service_environment_arn
    our_policy = QuotaShareSchedulingPolicy(stack, "Ours")
    assert batch.CfnSchedulingPolicy.arn_for_scheduling_policy(our_policy) == our_policy.scheduling_policy_arn


def test_imports_by_arn_know_arn_name_and_environment(stack: cdk.Stack) -> None:
    policy = QuotaShareSchedulingPolicy.from_quota_share_scheduling_policy_arn(
        stack, "P", f"{ACCOUNT}:scheduling-policy/fifo"
    )
    env = ServiceEnvironment.from_service_environment_arn(stack, "E", f"{ACCOUNT}:service-environment/gpus")
    queue = ServiceJobQueue.from_job_queue_arn(stack, "Q", f"{ACCOUNT}:job-queue/train")
    share = QuotaShare.from_quota_share_arn(stack, "S", f"{ACCOUNT}:job-queue/train/quota-share/nlp")

    assert (policy.scheduling_policy_name, policy.env.region) == ("fifo", "eu-west-1")
    assert (env.service_environment_name, env.env.account) == ("gpus", "111122223333")
    assert (queue.job_queue_name, queue.job_queue_ref.job_queue_arn) == ("train", f"{ACCOUNT}:job-queue/train")
    assert (share.quota_share_name, share.job_queue_arn) == ("nlp", f"{ACCOUNT}:job-queue/train")
    assert share.quota_share_ref.quota_share_arn == f"{ACCOUNT}:job-queue/train/quota-share/nlp"
    assert share.env.region == "eu-west-1"


def test_imports_by_name_are_in_the_account_and_region_of_the_stack(app: cdk.App) -> None:
    stack = cdk.Stack(app, "S", env=cdk.Environment(account="111122223333", region="eu-west-1"))
    policy = QuotaShareSchedulingPolicy.from_quota_share_scheduling_policy_name(stack, "P", "fifo")
    env = ServiceEnvironment.from_service_environment_name(stack, "E", "gpus")
    queue = ServiceJobQueue.from_job_queue_name(stack, "Q", "train")
    share = QuotaShare.from_quota_share_name(stack, "S", job_queue=queue, quota_share_name="nlp")

    def arn(value: str) -> str:
        return "".join(str(part) for part in stack.resolve(value)["Fn::Join"][1])

    assert arn(policy.scheduling_policy_arn).endswith(":batch:eu-west-1:111122223333:scheduling-policy/fifo")
    assert arn(env.service_environment_arn).endswith(":batch:eu-west-1:111122223333:service-environment/gpus")
    assert arn(share.quota_share_arn).endswith(":batch:eu-west-1:111122223333:job-queue/train/quota-share/nlp")
    assert (env.service_environment_name, queue.job_queue_name, share.quota_share_name) == ("gpus", "train", "nlp")


def test_a_share_can_be_added_to_an_imported_queue(stack: cdk.Stack) -> None:
    queue = ServiceJobQueue.from_job_queue_arn(stack, "Q", f"{ACCOUNT}:job-queue/train")
    quota_share(stack, job_queue=queue, capacity_limits={P5: 500})

    assert properties(stack, "QuotaShare")["JobQueue"] == f"{ACCOUNT}:job-queue/train"


def test_names_of_our_resources_are_split_out_of_their_arns(stack: cdk.Stack) -> None:
    queue = managed_queue(stack)

    arn = stack.resolve(queue.job_queue.job_queue_arn)
    assert stack.resolve(queue.job_queue.job_queue_name) == {"Fn::Select": [1, {"Fn::Split": ["/", arn]}]}
    env = queue.service_environment
    assert stack.resolve(env.service_environment_name) == {
        "Fn::Select": [1, {"Fn::Split": ["/", stack.resolve(env.service_environment_arn)]}]
    }


def test_tags_reach_every_resource(stack: cdk.Stack) -> None:
    queue = managed_queue(stack)
    queue.add_share("QS1", capacity_limits={G5: 1})
    cdk.Tags.of(queue).add("team", "nlp")

    for kind in ("SchedulingPolicy", "ServiceEnvironment", "JobQueue", "QuotaShare"):
        assert properties(stack, kind)["Tags"] == {"team": "nlp"}


def test_removal_policies_reach_the_resources(stack: cdk.Stack) -> None:
    queue = managed_queue(stack)
    share = queue.add_share("QS1", capacity_limits={G5: 1})
    queue.job_queue.apply_removal_policy(cdk.RemovalPolicy.RETAIN)
    share.apply_removal_policy(cdk.RemovalPolicy.RETAIN)

    for kind in ("JobQueue", "QuotaShare"):
        (resource,) = resources(stack, kind).values()
        assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
