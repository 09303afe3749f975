"""The quota share: one team's part of a quota-managed job queue."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk import aws_iam as iam
from aws_cdk.interfaces import aws_batch as refs
from constructs import Construct

from quota_shares._borrowing import warn_of_fractions
from quota_shares._capacity import CapacityLimits, checked_limits
from quota_shares._checks import Place, check_flag, check_name, check_reference, is_token, resource_name_of
from quota_shares._events import EventSource, ServiceJobEvents
from quota_shares._grants import grant_submit
from quota_shares._source import record_source
from quota_shares.resource_sharing import ResourceSharing
from quota_shares.service_job_queue import ServiceJobQueueBase


@jsii.implements(refs.IQuotaShareRef)
class QuotaShareBase(cdk.Resource, ServiceJobEvents):
    """A quota share of this app or an imported one."""

    _arn: str
    _name: str
    _queue_arn: str

    @property
    def quota_share_arn(self) -> str:
        """The ARN of the share; it holds the name of the queue too."""
        return self._arn

    @property
    def quota_share_name(self) -> str:
        """The name of the share, as jobs give it in `quotaShareName`; literal unless a token was given."""
        return self._name

    @property
    def job_queue_arn(self) -> str:
        """The ARN of the share's job queue."""
        return self._queue_arn

    @property
    def quota_share_ref(self) -> refs.QuotaShareReference:
        """A reference that every construct with an IQuotaShareRef accepts."""
        return refs.QuotaShareReference(quota_share_arn=self._arn)

    def grant_submit(self, grantee: iam.IGrantable) -> iam.Grant:
        """Allow the grantee to submit service jobs to this share, and to no other share of the queue.

        Granted: batch:SubmitServiceJob on the queue, on the share and on the jobs that come of it.
        Not granted: batch:TagResource (for jobs with tags), iam:PassRole on the training job's role with
        iam:PassedToService sagemaker.amazonaws.com, and looking at, updating or terminating jobs.
        """
        return grant_submit(self, grantee, queue_arn=self._queue_arn, shares_arn=self._arn)

    def _event_source(self) -> EventSource:
        return EventSource(self, {"jobQueue": [self._queue_arn], "quotaShareName": [self._name]})


class QuotaShare(QuotaShareBase):
    """An AWS::Batch::QuotaShare.

    The share refers to its queue's ARN, so it is created after the queue and deleted before it. In another
    stack than the queue the reference becomes an export, and the queue cannot be replaced while it is used.

    :param scope: The construct that this one belongs to.
    :param id: Its id there.
    :param job_queue: The quota-managed queue. Changing it replaces the share.
    :param capacity_limits: Instances by SageMaker training instance type that the share may use
        without borrowing, 1 to 5 types with at least 1 instance each. Number tokens are allowed.
    :param resource_sharing: What the share does with idle capacity. Default: ResourceSharing.reserve(),
        it keeps idle capacity to itself and borrows none.
    :param in_share_preemption: Whether a job may preempt jobs of lower priority in the same share.
        Preemption that returns borrowed capacity to its owner is always on. Default: False.
    :param quota_share_name: 1 to 128 letters, digits, - and _, unique in the queue. Changing it
        replaces the share. Default: a name made from the construct path.
    :param enabled: Whether the share accepts jobs; those in a disabled one can finish. Default: True.
    :param additional_instance_types: Instance types to accept besides those that this version and the
        queue's environment know. Default: none.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        job_queue: refs.IJobQueueRef,
        capacity_limits: CapacityLimits,
        resource_sharing: ResourceSharing | None = None,
        in_share_preemption: bool = False,
        quota_share_name: str | None = None,
        enabled: bool = True,
        additional_instance_types: Collection[str] = (),
    ) -> None:
        place = Place(scope, id)
        check_name("quota share name", quota_share_name, place)
        check_flag("in_share_preemption", in_share_preemption, place)
        check_flag("enabled", enabled, place)
        _check_queue(job_queue, place)
        sharing = ResourceSharing.reserve() if resource_sharing is None else resource_sharing
        _check_sharing(sharing, place)
        ledger = job_queue.ledger if isinstance(job_queue, ServiceJobQueueBase) else None
        limits = checked_limits(
            capacity_limits,
            place,
            additional_instance_types=additional_instance_types,
            environment_units=ledger.units if ledger else (),
        )
        if ledger:
            ledger.check(quota_share_name, limits, place)
        super().__init__(scope, id, physical_name=quota_share_name)
        record_source(self)
        self._queue_arn = job_queue.job_queue_ref.job_queue_arn
        self._limits = MappingProxyType(limits)
        self._sharing = sharing
        self._name = quota_share_name or cdk.Names.unique_resource_name(self, max_length=128)
        if ledger:
            ledger.enter(self._name, limits)
        resource = self._resource(in_share_preemption=in_share_preemption, enabled=enabled)
        self._arn = self._get_resource_arn_attribute(
            resource.attr_quota_share_arn,
            service="batch",
            resource="job-queue",
            resource_name=f"{_queue_name(job_queue)}/quota-share/{self._physical_name}",
        )
        warn_of_fractions(self, limits, sharing.borrow_limit_percent)

    def _resource(self, *, in_share_preemption: bool, enabled: bool) -> batch.CfnQuotaShare:
        return batch.CfnQuotaShare(
            self,
            "Resource",
            quota_share_name=self._name,
            job_queue=self._queue_arn,
            capacity_limits=[
                batch.CfnQuotaShare.QuotaShareCapacityLimitProperty(capacity_unit=unit, max_capacity=instances)
                for unit, instances in self._limits.items()
            ],
            resource_sharing_configuration=batch.CfnQuotaShare.QuotaShareResourceSharingConfigurationProperty(
                strategy=self._sharing.strategy.value, borrow_limit=self._sharing.borrow_limit_percent
            ),
            preemption_configuration=batch.CfnQuotaShare.QuotaSharePreemptionConfigurationProperty(
                in_share_preemption="ENABLED" if in_share_preemption else "DISABLED"
            ),
            state="ENABLED" if enabled else "DISABLED",
        )

    @property
    def capacity_limits(self) -> Mapping[str, jsii.Number]:
        """Instances by capacity unit, sorted by unit."""
        return self._limits

    @property
    def resource_sharing(self) -> ResourceSharing:
        """What the share does with idle capacity."""
        return self._sharing

    @classmethod
    def from_quota_share_arn(cls, scope: Construct, id: str, quota_share_arn: str) -> QuotaShareBase:
        """Refer to an existing share by its literal ARN; InputError for a token or another kind of ARN."""
        name = resource_name_of(quota_share_arn, "quota-share", Place(scope, id))
        share = _ImportedShare(scope, id, environment_from_arn=quota_share_arn)
        share.identify(queue_arn=quota_share_arn.removesuffix(f"/quota-share/{name}"), name=name)
        return share

    @classmethod
    def from_quota_share_name(
        cls, scope: Construct, id: str, *, job_queue: refs.IJobQueueRef, quota_share_name: str
    ) -> QuotaShareBase:
        """Refer to an existing share of a queue by its name."""
        place = Place(scope, id)
        check_name("quota share name", quota_share_name, place)
        _check_queue(job_queue, place)
        share = _ImportedShare(scope, id, account=job_queue.env.account, region=job_queue.env.region)
        share.identify(queue_arn=job_queue.job_queue_ref.job_queue_arn, name=quota_share_name)
        return share


class _ImportedShare(QuotaShareBase):
    def identify(self, *, queue_arn: str, name: str) -> None:
        record_source(self)
        self._arn = f"{queue_arn}/quota-share/{name}"
        self._queue_arn = queue_arn
        self._name = name


def _check_queue(queue: refs.IJobQueueRef, place: Place) -> None:
    check_reference("job_queue", queue, "job_queue_ref", "ServiceJobQueue.from_job_queue_name", place)
    for_containers = isinstance(queue, batch.JobQueue) or (
        isinstance(queue, batch.CfnJobQueue)
        and not is_token(queue.job_queue_type)
        and queue.job_queue_type != "SAGEMAKER_TRAINING"
    )
    if for_containers:
        raise place.error(
            f"{queue.node.path} is a job queue for compute environments",
            "a quota share needs a ServiceJobQueue, of the type SAGEMAKER_TRAINING",
        )


def _check_sharing(sharing: object, place: Place) -> None:
    if not isinstance(sharing, ResourceSharing):
        raise place.error(
            f"resource_sharing must be a ResourceSharing, got {sharing!r}",
            "make one with ResourceSharing.reserve(), .lend() or .lend_and_borrow(...)",
        )


def _queue_name(queue: refs.IJobQueueRef) -> str:
    """The name for ARNs in other accounts and Regions, where a reference to the queue cannot be resolved."""
    if isinstance(queue, ServiceJobQueueBase):
        return queue.job_queue_name
    return cdk.Fn.select(1, cdk.Fn.split("/", queue.job_queue_ref.job_queue_arn))
