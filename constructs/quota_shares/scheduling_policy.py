"""The scheduling policy that makes a job queue quota-managed."""

from __future__ import annotations

from enum import StrEnum

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk.interfaces import aws_batch as refs
from constructs import Construct

from quota_shares._checks import Place, check_name, resource_name_of
from quota_shares._source import record_source


class IdleResourceAssignmentStrategy(StrEnum):
    """How idle capacity is given to the shares that want to borrow it."""

    FIFO = "FIFO"
    """First in, first out: the only strategy of AWS Batch."""


@jsii.implements(refs.ISchedulingPolicyRef)
class QuotaShareSchedulingPolicyBase(cdk.Resource):
    """A quota-share scheduling policy of this app or an imported one."""

    _arn: str
    _name: str

    @property
    def scheduling_policy_arn(self) -> str:
        """The ARN of the policy."""
        return self._arn

    @property
    def scheduling_policy_name(self) -> str:
        """The name of the policy."""
        return self._name

    @property
    def scheduling_policy_ref(self) -> refs.SchedulingPolicyReference:
        """A reference that every construct with an ISchedulingPolicyRef accepts."""
        return refs.SchedulingPolicyReference(scheduling_policy_arn=self._arn)


class QuotaShareSchedulingPolicy(QuotaShareSchedulingPolicyBase):
    """An AWS::Batch::SchedulingPolicy with a quota-share policy.

    Its kind is fixed: AWS Batch can neither remove the policy nor turn it into a fair-share policy.

    :param scope: The construct that this one belongs to.
    :param id: Its id there.
    :param scheduling_policy_name: 1 to 128 letters, digits, - and _. Changing it replaces the policy.
        Default: CloudFormation makes a name.
    :param idle_resource_assignment_strategy: How idle capacity is given to borrowers. Default: FIFO.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        scheduling_policy_name: str | None = None,
        idle_resource_assignment_strategy: IdleResourceAssignmentStrategy = IdleResourceAssignmentStrategy.FIFO,
    ) -> None:
        check_name("scheduling policy name", scheduling_policy_name, Place(scope, id))
        super().__init__(scope, id, physical_name=scheduling_policy_name)
        record_source(self)
        resource = batch.CfnSchedulingPolicy(
            self,
            "Resource",
            name=self._physical_name,
            quota_share_policy=batch.CfnSchedulingPolicy.QuotaSharePolicyProperty(
                idle_resource_assignment_strategy=IdleResourceAssignmentStrategy(
                    idle_resource_assignment_strategy
                ).value
            ),
        )
        self._arn = self._get_resource_arn_attribute(
            resource.attr_arn,
            service="batch",
            resource="scheduling-policy",
            resource_name=self._physical_name,
        )
        self._name = self._get_resource_name_attribute(cdk.Fn.select(1, cdk.Fn.split("/", resource.attr_arn)))

    @classmethod
    def from_quota_share_scheduling_policy_arn(
        cls, scope: Construct, id: str, quota_share_scheduling_policy_arn: str
    ) -> QuotaShareSchedulingPolicyBase:
        """Refer to an existing policy by its literal ARN; InputError for a token or another kind of ARN."""
        name = resource_name_of(quota_share_scheduling_policy_arn, "scheduling-policy", Place(scope, id))
        return _ImportedPolicy(
            scope, id, quota_share_scheduling_policy_arn, name, environment_from_arn=quota_share_scheduling_policy_arn
        )

    @classmethod
    def from_quota_share_scheduling_policy_name(
        cls, scope: Construct, id: str, quota_share_scheduling_policy_name: str
    ) -> QuotaShareSchedulingPolicyBase:
        """Refer to an existing policy in the stack's account and Region by its name."""
        check_name("scheduling policy name", quota_share_scheduling_policy_name, Place(scope, id))
        arn = cdk.Stack.of(scope).format_arn(
            service="batch", resource="scheduling-policy", resource_name=quota_share_scheduling_policy_name
        )
        return _ImportedPolicy(scope, id, arn, quota_share_scheduling_policy_name)


class _ImportedPolicy(QuotaShareSchedulingPolicyBase):
    def __init__(
        self, scope: Construct, id: str, arn: str, name: str, *, environment_from_arn: str | None = None
    ) -> None:
        super().__init__(scope, id, environment_from_arn=environment_from_arn)
        record_source(self)
        self._arn = arn
        self._name = name
