"""Every documented limit is an error at construction that gives the bad value and the allowed range."""

from __future__ import annotations

import re
from collections.abc import Callable

import aws_cdk as cdk
import pytest
from aws_cdk import aws_batch as batch
from batch_builders import G5, P5, environment, job_queue, managed_queue, quota_share

from quota_shares import (
    QuotaShare,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
    ServiceJobQueue,
    ServiceJobTimeLimitAction,
    TimeLimitReason,
)
from quota_verifier.errors import InputError

Build = Callable[[cdk.Stack], object]
REASON = TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED
SIX = ["ml.g5.xlarge", "ml.g5.2xlarge", "ml.g5.4xlarge", "ml.g5.8xlarge", "ml.g5.12xlarge", "ml.g5.16xlarge"]
ARN = "arn:aws:batch:eu-west-1:111122223333"


def time_limit(stack: cdk.Stack, *actions: ServiceJobTimeLimitAction) -> ServiceJobQueue:
    return job_queue(stack, job_state_time_limit_actions=list(actions))


def after(seconds: int) -> ServiceJobTimeLimitAction:
    return ServiceJobTimeLimitAction(REASON, cdk.Duration.seconds(seconds))


def add_twice(stack: cdk.Stack) -> None:
    queue = managed_queue(stack)
    queue.add_share("QS1", capacity_limits={G5: 1})
    queue.add_share("QS1", capacity_limits={G5: 1})


def two_shares_of_one_name(stack: cdk.Stack) -> None:
    queue = job_queue(stack)
    quota_share(stack, "A", job_queue=queue, quota_share_name="QS1")
    quota_share(stack, "B", job_queue=queue, quota_share_name="QS1")


def twenty_one_shares(stack: cdk.Stack) -> None:
    queue = managed_queue(stack, capacity_limits={G5: 100})
    for number in range(21):
        queue.add_share(f"QS{number}", capacity_limits={G5: 1})


def two_queues_on_one_environment(stack: cdk.Stack) -> None:
    env = environment(stack)
    job_queue(stack, "First", service_environment=env)
    job_queue(stack, "Second", service_environment=env)


def over_the_environment(stack: cdk.Stack) -> None:
    queue = managed_queue(stack, capacity_limits={G5: 7})
    queue.add_share("A", capacity_limits={G5: 6})
    queue.add_share("B", capacity_limits={G5: 4})


def fair_share_queue(stack: cdk.Stack) -> None:
    job_queue(stack, scheduling_policy=batch.FairshareSchedulingPolicy(stack, "Fair"))


def container_queue(stack: cdk.Stack) -> None:
    quota_share(stack, job_queue=batch.CfnJobQueue(stack, "Q", priority=1, job_queue_type="ECS"))


TABLE: list[tuple[str, Build, str]] = [
    (
        "share name with a blank",
        lambda s: managed_queue(s).add_share("team a/b", capacity_limits={G5: 1}),
        "quota share name must be 1 to 128 letters, digits, hyphens (-) and underscores (_), got 'team a/b'",
    ),
    ("empty share name", lambda s: quota_share(s, quota_share_name=""), "quota share name must be 1 to 128"),
    ("long name", lambda s: quota_share(s, quota_share_name="x" * 129), "quota share name must be 1 to 128"),
    ("name with a newline", lambda s: quota_share(s, quota_share_name="a\n"), "got 'a\\n'"),
    ("queue name", lambda s: job_queue(s, job_queue_name="a.b"), "job queue name must be 1 to 128"),
    ("environment name", lambda s: environment(s, service_environment_name="ä"), "service environment name must"),
    (
        "policy name",
        lambda s: QuotaShareSchedulingPolicy(s, "P", scheduling_policy_name="a b"),
        "scheduling policy name must be 1 to 128",
    ),
    ("no limits", lambda s: environment(s, capacity_limits={}), "capacity_limits must have 1 to 5 entries, got 0"),
    (
        "six limits",
        lambda s: environment(s, capacity_limits=dict.fromkeys(SIX, 1)),
        "capacity_limits must have 1 to 5 entries, got 6",
    ),
    ("limits as pairs", lambda s: environment(s, capacity_limits=[(G5, 1)]), "must map instance types to instances"),
    (
        "capacity 0",
        lambda s: environment(s, capacity_limits={G5: 0}),
        "max capacity of ml.g5.xlarge must be an integer of at least 1, got 0",
    ),
    ("capacity -5", lambda s: environment(s, capacity_limits={G5: -5}), "of at least 1, got -5"),
    ("capacity 1.5", lambda s: quota_share(s, capacity_limits={G5: 1.5}), "of at least 1, got 1.5"),
    ("capacity as text", lambda s: quota_share(s, capacity_limits={G5: "2"}), "of at least 1, got '2'"),
    ("capacity True", lambda s: quota_share(s, capacity_limits={G5: True}), "of at least 1, got True"),
    (
        "NUM_INSTANCES in an environment",
        lambda s: environment(s, capacity_limits={"NUM_INSTANCES": 3}),
        "NUM_INSTANCES cannot be the capacity unit of a quota-managed environment or of a quota share",
    ),
    (
        "NUM_INSTANCES in a share",
        lambda s: quota_share(s, capacity_limits={"NUM_INSTANCES": 3}),
        "NUM_INSTANCES cannot be the capacity unit",
    ),
    (
        "unit without ml.",
        lambda s: environment(s, capacity_limits={"g5.xlarge": 3}),
        "'g5.xlarge' is not a SageMaker training instance type",
    ),
    (
        "misspelt unit",
        lambda s: environment(s, capacity_limits={"ml.g5.xlrage": 3}),
        "did you mean ml.g5.xlarge? a type that AWS has added since can be named in additional_instance_types",
    ),
    (
        "hosting type",
        lambda s: environment(s, capacity_limits={"ml.inf1.xlarge": 3}),
        "'ml.inf1.xlarge' is not a SageMaker training instance type",
    ),
    (
        "additional type that is none",
        lambda s: environment(s, additional_instance_types=["g5"]),
        "additional_instance_types must hold instance types such as ml.g5.xlarge, got 'g5'",
    ),
    (
        "additional types as text",
        lambda s: environment(s, additional_instance_types="ml.x9.large"),
        "additional_instance_types must be a list of names, got the string 'ml.x9.large'",
    ),
    (
        "unit that the environment lacks",
        lambda s: managed_queue(s).add_share("A", capacity_limits={P5: 1}),
        "ml.p5.48xlarge is not a capacity unit of the service environment; its units are ml.g5.xlarge",
    ),
    (
        "share above the environment",
        lambda s: managed_queue(s).add_share("A", capacity_limits={G5: 4}),
        "the quota shares promise 4 instances of ml.g5.xlarge (A: 4), the service environment has 3: over by 1",
    ),
    (
        "C19: shares above the environment",
        over_the_environment,
        "promise 10 instances of ml.g5.xlarge (A: 6, B: 4), the service environment has 7: over by 3; lower a"
        " share, raise the environment, or pass allow_overcommit=True",
    ),
    (
        "borrow limit -2",
        lambda _: ResourceSharing.lend_and_borrow(-2),
        "borrow limit must be an integer percentage of at least -1, got -2",
    ),
    ("borrow limit 50.5", lambda _: ResourceSharing.lend_and_borrow(50.5), "of at least -1, got 50.5"),
    ("borrow limit True", lambda _: ResourceSharing.lend_and_borrow(True), "of at least -1, got True"),
    (
        "borrow limit with another strategy",
        lambda _: ResourceSharing(ResourceSharing.lend().strategy, 100),
        "a borrow limit can only be applied with LEND_AND_BORROW, got 100 with LEND",
    ),
    (
        "strategy as text",
        lambda s: quota_share(s, resource_sharing="LEND"),
        "resource_sharing must be a ResourceSharing, got 'LEND'; make one with ResourceSharing.reserve()",
    ),
    (
        "priority 1001",
        lambda s: job_queue(s, priority=1001),
        "priority must be an integer between 0 and 1000, got 1001",
    ),
    ("priority -1", lambda s: job_queue(s, priority=-1), "between 0 and 1000, got -1"),
    (
        "max time 599 s",
        lambda s: time_limit(s, after(599)),
        "max time in seconds for MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED must be an integer between 600"
        " and 86400, got 599",
    ),
    ("max time 86401 s", lambda s: time_limit(s, after(86_401)), "between 600 and 86400, got 86401"),
    (
        "a reason twice",
        lambda s: time_limit(s, after(600), after(700)),
        "name the reason MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED twice",
    ),
    (
        "C54: a reason that SageMaker queues lack",
        lambda s: time_limit(s, ServiceJobTimeLimitAction("QUOTA_LIMIT", cdk.Duration.hours(1))),
        "has the reason 'QUOTA_LIMIT'; a SageMaker queue knows CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
    ),
    ("a name twice", add_twice, "the job queue has a quota share named 'QS1' already"),
    ("a name twice on L2", two_shares_of_one_name, "the job queue has a quota share named 'QS1' already"),
    ("21 shares", twenty_one_shares, "a job queue can have at most 20 quota shares, got one more"),
    (
        "C33: two queues on one environment",
        two_queues_on_one_environment,
        "service environment Stack/Environment is attached to the job queue Stack/First already",
    ),
    ("fair-share policy", fair_share_queue, "Stack/Fair is a scheduling policy without a quota-share policy"),
    ("share on a container queue", container_queue, "Stack/Q is a job queue for compute environments"),
    (
        "C27: queue as a name",
        lambda s: quota_share(s, job_queue="gpu-queue"),
        "job_queue must be a construct, got 'gpu-queue'; import an existing one with ServiceJobQueue.from_job_queue",
    ),
    (
        "policy as text",
        lambda s: job_queue(s, scheduling_policy=""),
        "scheduling_policy must be a construct, got ''",
    ),
    (
        "environment as text",
        lambda s: job_queue(s, service_environment="gpus"),
        "service_environment must be a construct, got 'gpus'",
    ),
    ("state as text", lambda s: quota_share(s, enabled="DISABLED"), "enabled must be True or False, got 'DISABLED'"),
    (
        "in-share preemption as text",
        lambda s: quota_share(s, in_share_preemption="DISABLED"),
        "in_share_preemption must be True or False, got 'DISABLED'",
    ),
    (
        "policy file that is not there",
        lambda s: managed_queue(s).verify("no-such-policy.yaml"),
        "there is no policy file 'no-such-policy.yaml'; looked in ",
    ),
    (
        "ARN of a queue for a share",
        lambda s: QuotaShare.from_quota_share_arn(s, "S", f"{ARN}:job-queue/q"),
        "is not the ARN of a quota-share; expected arn:aws:batch:REGION:ACCOUNT:job-queue/QUEUE/quota-share/NAME",
    ),
    (
        "ARN of a share for a queue",
        lambda s: ServiceJobQueue.from_job_queue_arn(s, "Q", f"{ARN}:job-queue/q/quota-share/s"),
        "is not the ARN of a job-queue; expected arn:aws:batch:REGION:ACCOUNT:job-queue/NAME",
    ),
    (
        "empty ARN",
        lambda s: ServiceEnvironment.from_service_environment_arn(s, "E", ""),
        "'' is not the ARN of a service-environment",
    ),
    (
        "bad name for an import",
        lambda s: ServiceJobQueue.from_job_queue_name(s, "Q", "a/b"),
        "job queue name must be 1 to 128",
    ),
]


@pytest.mark.parametrize(("build", "message"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_a_documented_limit_is_an_error_at_construction(stack: cdk.Stack, build: Build, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        build(stack)


def test_an_error_names_the_line_and_the_construct(stack: cdk.Stack) -> None:
    with pytest.raises(InputError) as caught:
        managed_queue(stack).add_share("QS1", capacity_limits={G5: 0})

    assert re.fullmatch(r".*test_construct_checks\.py:\d+", caught.value.source)
    assert caught.value.where == "Stack/Gpu/Shares/QS1"


@pytest.mark.parametrize(
    "build",
    [
        lambda s: quota_share(s, capacity_limit={G5: 1}),
        lambda s: environment(s, capacitylimits={G5: 1}),
        lambda s: managed_queue(s).add_share("A", capacity_limits={G5: 1}, strategy="LEND"),
        lambda s: job_queue(s, job_queue_type="ECS"),
    ],
)
def test_an_unknown_argument_is_an_error(stack: cdk.Stack, build: Build) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        build(stack)


def test_a_share_that_was_refused_promises_nothing(stack: cdk.Stack) -> None:
    queue = managed_queue(stack)
    with pytest.raises(InputError):
        queue.add_share("A", capacity_limits={G5: 4})
    queue.add_share("A", capacity_limits={G5: 3})

    assert queue.job_queue.ledger.promised(G5) == 3


@pytest.mark.parametrize(
    "build",
    [
        lambda s: managed_queue(s, allow_overcommit=True).add_share("A", capacity_limits={G5: 4}),
        lambda s: managed_queue(s).add_share("A", capacity_limits={G5: 3}),
        lambda s: environment(s, capacity_limits=dict.fromkeys(SIX[:5], 1)),
        lambda s: quota_share(s, quota_share_name="x" * 128),
        lambda s: (job_queue(s, "A", priority=0), job_queue(s, "B", priority=1000)),
        lambda s: job_queue(s, job_state_time_limit_actions=[after(600)]),
        lambda s: job_queue(s, job_state_time_limit_actions=[after(86_400)]),
        lambda s: ResourceSharing.lend_and_borrow(10_000),
    ],
)
def test_the_edges_of_the_ranges_are_accepted(stack: cdk.Stack, build: Build) -> None:
    build(stack)


def test_a_type_that_is_new_can_be_allowed(stack: cdk.Stack) -> None:
    queue = managed_queue(stack, capacity_limits={"ml.x99.large": 2}, additional_instance_types=["ml.x99.large"])
    queue.add_share("A", capacity_limits={"ml.x99.large": 2})  # the environment vouches for it
    imported = ServiceJobQueue.from_job_queue_name(stack, "Q", "q")
    quota_share(
        stack,
        job_queue=imported,
        capacity_limits={"ml.x99.large": 2},
        additional_instance_types=["ml.x99.large"],
    )


def test_the_21st_share_counts_per_queue(stack: cdk.Stack) -> None:
    for queue in ("A", "B"):
        managed = managed_queue(stack, queue, capacity_limits={G5: 20})
        for number in range(20):
            managed.add_share(f"QS{number}", capacity_limits={G5: 1})
