"""The quota-managed job queue for SageMaker Training jobs."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk import aws_iam as iam
from aws_cdk.interfaces import aws_batch as refs
from constructs import Construct

from quota_shares._checks import (
    Place,
    check_flag,
    check_integer,
    check_name,
    check_reference,
    resource_name_of,
)
from quota_shares._events import EventSource, PreemptionEvents
from quota_shares._grants import grant_submit
from quota_shares._ledger import ShareLedger
from quota_shares._source import record_source
from quota_shares.service_environment import ServiceEnvironment
from quota_shares.time_limits import ServiceJobTimeLimitAction, default_time_limit_actions, rendered_actions

_QUEUE_OF_ENVIRONMENT: WeakKeyDictionary[refs.IServiceEnvironmentRef, str] = WeakKeyDictionary()


@jsii.implements(refs.IJobQueueRef)
class ServiceJobQueueBase(cdk.Resource, PreemptionEvents):
    """A job queue of this app or an imported one."""

    _arn: str
    _name: str
    _ledger: ShareLedger

    @property
    def job_queue_arn(self) -> str:
        """The ARN of the queue."""
        return self._arn

    @property
    def job_queue_name(self) -> str:
        """The name of the queue."""
        return self._name

    @property
    def job_queue_ref(self) -> refs.JobQueueReference:
        """A reference that every construct with an IJobQueueRef accepts."""
        return refs.JobQueueReference(job_queue_arn=self._arn)

    @property
    def ledger(self) -> ShareLedger:
        """What the queue's shares promise; every share of this app enters itself."""
        return self._ledger

    def grant_submit(self, grantee: iam.IGrantable) -> iam.Grant:
        """Allow the grantee to submit service jobs to every quota share of the queue.

        Granted: batch:SubmitServiceJob on the queue, on all its shares and on the jobs that come of it.
        Not granted: batch:TagResource (for jobs with tags), iam:PassRole on the training job's role with
        iam:PassedToService sagemaker.amazonaws.com, and looking at, updating or terminating jobs.
        """
        shares = f"{self._arn}/quota-share/*"
        return grant_submit(self, grantee, queue_arn=self._arn, shares_arn=shares)

    def _event_source(self) -> EventSource:
        return EventSource(self, {"jobQueue": [self._arn]})


class ServiceJobQueue(ServiceJobQueueBase):
    """An AWS::Batch::JobQueue of type SAGEMAKER_TRAINING under quota management.

    It has exactly one service environment, which no other queue may use, and at most 20 quota shares.
    Environment and policy come before the queue and go after it, because the queue refers to their ARNs.

    :param scope: The construct that this one belongs to.
    :param id: Its id there.
    :param service_environment: The capacity that the shares divide, with limits per instance type.
    :param scheduling_policy: A policy with a quota-share policy.
    :param job_queue_name: 1 to 128 letters, digits, - and _. Changing it replaces the queue and its
        shares. Default: CloudFormation makes a name.
    :param priority: 0 to 1000. AWS Batch requires it, and compares it between the queues of one
        environment, of which there is one here. Default: 1.
    :param enabled: Whether the queue accepts jobs; those in a disabled one can finish. Default: True.
    :param job_state_time_limit_actions: When jobs that block their share are terminated; an empty list
        lets them block for ever. Default: after 10 minutes a job that can never start
        (MISCONFIGURATION reasons), after 24 hours of waiting one for which SageMaker has no machines.
    :param allow_overcommit: Whether the shares may promise more than the environment has. AWS does not
        say what becomes of such promises. Default: False.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        service_environment: refs.IServiceEnvironmentRef,
        scheduling_policy: refs.ISchedulingPolicyRef,
        job_queue_name: str | None = None,
        priority: jsii.Number = 1,
        enabled: bool = True,
        job_state_time_limit_actions: Sequence[ServiceJobTimeLimitAction] | None = None,
        allow_overcommit: bool = False,
    ) -> None:
        place = Place(scope, id)
        check_name("job queue name", job_queue_name, place)
        check_integer("priority", priority, place, at_least=0, at_most=1000)
        check_flag("enabled", enabled, place)
        check_flag("allow_overcommit", allow_overcommit, place)
        _check_policy(scheduling_policy, place)
        if job_state_time_limit_actions is None:
            job_state_time_limit_actions = default_time_limit_actions()
        actions = rendered_actions(job_state_time_limit_actions, place)
        _claim_environment(service_environment, place)
        super().__init__(scope, id, physical_name=job_queue_name)
        record_source(self)
        known = service_environment.capacity_limits if isinstance(service_environment, ServiceEnvironment) else None
        self._ledger = ShareLedger(known, allow_overcommit=allow_overcommit)
        resource = batch.CfnJobQueue(
            self,
            "Resource",
            job_queue_name=self._physical_name,
            job_queue_type="SAGEMAKER_TRAINING",
            priority=priority,
            scheduling_policy_arn=scheduling_policy.scheduling_policy_ref.scheduling_policy_arn,
            service_environment_order=[
                batch.CfnJobQueue.ServiceEnvironmentOrderProperty(
                    order=1,
                    service_environment=service_environment.service_environment_ref.service_environment_arn,
                )
            ],
            state="ENABLED" if enabled else "DISABLED",
            job_state_time_limit_actions=actions or None,
        )
        arn = resource.attr_job_queue_arn
        self._arn = self._get_resource_arn_attribute(
            arn, service="batch", resource="job-queue", resource_name=self._physical_name
        )
        self._name = self._get_resource_name_attribute(cdk.Fn.select(1, cdk.Fn.split("/", arn)))

    @classmethod
    def from_job_queue_arn(cls, scope: Construct, id: str, job_queue_arn: str) -> ServiceJobQueueBase:
        """Refer to an existing queue by its literal ARN; InputError for a token or another kind of ARN."""
        name = resource_name_of(job_queue_arn, "job-queue", Place(scope, id))
        return _ImportedQueue(scope, id, job_queue_arn, name, environment_from_arn=job_queue_arn)

    @classmethod
    def from_job_queue_name(cls, scope: Construct, id: str, job_queue_name: str) -> ServiceJobQueueBase:
        """Refer to an existing queue in the stack's account and Region by its name."""
        check_name("job queue name", job_queue_name, Place(scope, id))
        arn = cdk.Stack.of(scope).format_arn(service="batch", resource="job-queue", resource_name=job_queue_name)
        return _ImportedQueue(scope, id, arn, job_queue_name)


class _ImportedQueue(ServiceJobQueueBase):
    def __init__(
        self, scope: Construct, id: str, arn: str, name: str, *, environment_from_arn: str | None = None
    ) -> None:
        super().__init__(scope, id, environment_from_arn=environment_from_arn)
        record_source(self)
        self._arn = arn
        self._name = name
        self._ledger = ShareLedger(None, allow_overcommit=False)


def _check_policy(policy: refs.ISchedulingPolicyRef, place: Place) -> None:
    check_reference(
        "scheduling_policy",
        policy,
        "scheduling_policy_ref",
        "QuotaShareSchedulingPolicy.from_quota_share_scheduling_policy_name",
        place,
    )
    fair_share = isinstance(policy, batch.FairshareSchedulingPolicy) or (
        isinstance(policy, batch.CfnSchedulingPolicy) and policy.quota_share_policy is None
    )
    if fair_share:
        raise place.error(
            f"{policy.node.path} is a scheduling policy without a quota-share policy",
            "a quota-managed queue needs a QuotaShareSchedulingPolicy; the kind of a policy cannot be changed",
        )


def _claim_environment(environment: refs.IServiceEnvironmentRef, place: Place) -> None:
    check_reference(
        "service_environment",
        environment,
        "service_environment_ref",
        "ServiceEnvironment.from_service_environment_name",
        place,
    )
    other = _QUEUE_OF_ENVIRONMENT.setdefault(environment, place.path)
    if other != place.path:
        raise place.error(
            f"service environment {environment.node.path} is attached to the job queue {other} already",
            "a quota-managed environment takes one queue: make another environment",
        )
