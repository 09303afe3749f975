"""A whole quota-managed queue in one construct."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import jsii
from aws_cdk import aws_iam as iam
from aws_cdk.interfaces import aws_batch as refs
from constructs import Construct

from quota_shares._capacity import CapacityLimits
from quota_shares._checks import Place, check_name, is_token
from quota_shares._events import EventSource, PreemptionEvents
from quota_shares._source import record_source
from quota_shares.quota_share import QuotaShare
from quota_shares.resource_sharing import ResourceSharing
from quota_shares.scheduling_policy import QuotaShareSchedulingPolicy
from quota_shares.service_environment import ServiceEnvironment
from quota_shares.service_job_queue import ServiceJobQueue
from quota_shares.time_limits import ServiceJobTimeLimitAction


class QuotaManagedQueue(Construct, PreemptionEvents):
    """A service environment, a scheduling policy and a job queue for SageMaker Training, and its quota shares.

    The logical ids of a share depend on its name alone, so adding, removing or reordering shares changes
    no other resource.

    :param scope: The construct that this one belongs to.
    :param id: Its id there.
    :param capacity_limits: Instances by SageMaker training instance type, 1 to 5 types with at least 1
        instance each: what the shares divide. Number tokens are allowed.
    :param job_queue_name: 1 to 128 letters, digits, - and _. Changing it replaces the queue and its shares.
        Default: CloudFormation makes a name.
    :param service_environment_name: The same for the environment. Default: CloudFormation makes a name.
    :param scheduling_policy: A policy with a quota-share policy; several queues can use one.
        Default: a policy of this queue's own, with the idle resource assignment strategy FIFO.
    :param priority: 0 to 1000; AWS Batch requires it, and nothing depends on it here. Default: 1.
    :param enabled: Whether the queue accepts jobs; those in a disabled one can finish. Default: True.
    :param job_state_time_limit_actions: When jobs that block their share are terminated; an empty list lets
        them block for ever. Default: after 10 minutes a job that can never start (MISCONFIGURATION
        reasons), after 24 hours of waiting one for which SageMaker has no machines.
    :param allow_overcommit: Whether the shares may promise more than `capacity_limits`. Default: False.
    :param additional_instance_types: Instance types to accept besides those that this version knows, for
        types that AWS has added since. Default: none.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        capacity_limits: CapacityLimits,
        job_queue_name: str | None = None,
        service_environment_name: str | None = None,
        scheduling_policy: refs.ISchedulingPolicyRef | None = None,
        priority: jsii.Number = 1,
        enabled: bool = True,
        job_state_time_limit_actions: Sequence[ServiceJobTimeLimitAction] | None = None,
        allow_overcommit: bool = False,
        additional_instance_types: Collection[str] = (),
    ) -> None:
        super().__init__(scope, id)
        record_source(self)
        self._service_environment = ServiceEnvironment(
            self,
            "ServiceEnvironment",
            capacity_limits=capacity_limits,
            service_environment_name=service_environment_name,
            additional_instance_types=additional_instance_types,
        )
        if scheduling_policy is None:
            scheduling_policy = QuotaShareSchedulingPolicy(self, "SchedulingPolicy")
        self._scheduling_policy = scheduling_policy
        self._job_queue = ServiceJobQueue(
            self,
            "JobQueue",
            service_environment=self._service_environment,
            scheduling_policy=scheduling_policy,
            job_queue_name=job_queue_name,
            priority=priority,
            enabled=enabled,
            job_state_time_limit_actions=job_state_time_limit_actions,
            allow_overcommit=allow_overcommit,
        )
        self.node.default_child = self._job_queue.node.default_child
        # A scope of their own: a share may be called JobQueue.
        self._share_scope = Construct(self, "Shares")
        self._shares: dict[str, QuotaShare] = {}
        self._policy_files: list[Path] = []

    @property
    def service_environment(self) -> ServiceEnvironment:
        """The capacity that the shares divide."""
        return self._service_environment

    @property
    def scheduling_policy(self) -> refs.ISchedulingPolicyRef:
        """The queue's scheduling policy."""
        return self._scheduling_policy

    @property
    def job_queue(self) -> ServiceJobQueue:
        """The job queue."""
        return self._job_queue

    @property
    def shares(self) -> Mapping[str, QuotaShare]:
        """The shares by name, in the order in which they were added."""
        return MappingProxyType(self._shares)

    @property
    def policy_files(self) -> tuple[Path, ...]:
        """The policy files that this queue must satisfy, absolute."""
        return tuple(self._policy_files)

    def add_share(
        self,
        name: str,
        *,
        capacity_limits: CapacityLimits,
        resource_sharing: ResourceSharing | None = None,
        in_share_preemption: bool = False,
        enabled: bool = True,
    ) -> QuotaShare:
        """Add a quota share.

        :param name: Its name, literal because it makes the logical id: 1 to 128 letters, digits, - and _,
            unique in the queue.
        :param capacity_limits: Instances by unit of the environment that the share may use without borrowing.
        :param resource_sharing: What the share does with idle capacity. Default: ResourceSharing.reserve(),
            it keeps idle capacity to itself and borrows none.
        :param in_share_preemption: Whether a job may preempt jobs of lower priority in the same share.
            Preemption that returns borrowed capacity to its owner is always on. Default: False.
        :param enabled: Whether the share accepts jobs; those in a disabled one can finish. Default: True.
        """
        place = Place(self._share_scope, name)
        if is_token(name):
            raise place.error("the name of a share must be literal, because its logical id is made of it")
        check_name("quota share name", name, place)
        if name in self._shares:
            raise place.error(f"the job queue has a quota share named {name!r} already", "names are unique per queue")
        share = QuotaShare(
            self._share_scope,
            name,
            job_queue=self._job_queue,
            capacity_limits=capacity_limits,
            resource_sharing=resource_sharing,
            in_share_preemption=in_share_preemption,
            quota_share_name=name,
            enabled=enabled,
        )
        self._shares[name] = share
        return share

    def grant_submit(self, grantee: iam.IGrantable) -> iam.Grant:
        """Allow the grantee to submit service jobs to every share; see ServiceJobQueue.grant_submit."""
        return self._job_queue.grant_submit(grantee)

    def verify(self, policy_file: str | Path) -> None:
        """Have the validation plugin check this queue against a policy file at synth.

        :param policy_file: Its path, relative to the working directory. InputError where there is no such file.
        """
        path = Path(policy_file)
        if not path.is_file():
            raise Place(self, "").error(f"there is no policy file {str(policy_file)!r}", f"looked in {Path.cwd()}")
        self._policy_files.append(path.resolve())

    def _event_source(self) -> EventSource:
        return EventSource(self._job_queue, {"jobQueue": [self._job_queue.job_queue_arn]})
