"""The service environment: the SageMaker Training capacity that the shares of one queue divide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import aws_cdk as cdk
import jsii
from aws_cdk import aws_batch as batch
from aws_cdk.interfaces import aws_batch as refs
from constructs import Construct

from quota_shares._capacity import CapacityLimits, checked_limits
from quota_shares._checks import Place, check_flag, check_name, resource_name_of
from quota_shares._source import record_source


@jsii.implements(refs.IServiceEnvironmentRef)
class ServiceEnvironmentBase(cdk.Resource):
    """A service environment of this app or an imported one."""

    _arn: str
    _name: str

    @property
    def service_environment_arn(self) -> str:
        """The ARN of the environment."""
        return self._arn

    @property
    def service_environment_name(self) -> str:
        """The name of the environment."""
        return self._name

    @property
    def service_environment_ref(self) -> refs.ServiceEnvironmentReference:
        """A reference that every construct with an IServiceEnvironmentRef accepts."""
        return refs.ServiceEnvironmentReference(service_environment_arn=self._arn)


class ServiceEnvironment(ServiceEnvironmentBase):
    """An AWS::Batch::ServiceEnvironment of type SAGEMAKER_TRAINING with limits per instance type.

    One quota-managed queue can use it, and that queue can use no other.

    :param scope: The construct that this one belongs to.
    :param id: Its id there.
    :param capacity_limits: Instances by SageMaker training instance type, 1 to 5 types with at least
        1 instance each: the most that all jobs together may use. Number tokens are allowed.
    :param service_environment_name: 1 to 128 letters, digits, - and _. Changing it replaces the
        environment. Default: CloudFormation makes a name.
    :param enabled: Whether its queue starts jobs; a disabled one starts none. Default: True.
    :param additional_instance_types: Instance types to accept besides those that this version knows,
        for types that AWS has added since. Default: none.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        capacity_limits: CapacityLimits,
        service_environment_name: str | None = None,
        enabled: bool = True,
        additional_instance_types: Collection[str] = (),
    ) -> None:
        place = Place(scope, id)
        check_name("service environment name", service_environment_name, place)
        check_flag("enabled", enabled, place)
        limits = checked_limits(capacity_limits, place, additional_instance_types=additional_instance_types)
        super().__init__(scope, id, physical_name=service_environment_name)
        record_source(self)
        self._limits = MappingProxyType(limits)
        resource = batch.CfnServiceEnvironment(
            self,
            "Resource",
            service_environment_type="SAGEMAKER_TRAINING",
            service_environment_name=self._physical_name,
            state="ENABLED" if enabled else "DISABLED",
            capacity_limits=[
                batch.CfnServiceEnvironment.CapacityLimitProperty(capacity_unit=unit, max_capacity=instances)
                for unit, instances in limits.items()
            ],
        )
        arn = resource.attr_service_environment_arn
        self._arn = self._get_resource_arn_attribute(
            arn, service="batch", resource="service-environment", resource_name=self._physical_name
        )
        self._name = self._get_resource_name_attribute(cdk.Fn.select(1, cdk.Fn.split("/", arn)))

    @property
    def capacity_limits(self) -> Mapping[str, jsii.Number]:
        """Instances by capacity unit, sorted by unit."""
        return self._limits

    @classmethod
    def from_service_environment_arn(
        cls, scope: Construct, id: str, service_environment_arn: str
    ) -> ServiceEnvironmentBase:
        """Refer to an existing environment by its literal ARN; InputError for a token or another kind of ARN."""
        name = resource_name_of(service_environment_arn, "service-environment", Place(scope, id))
        return _ImportedEnvironment(
            scope, id, service_environment_arn, name, environment_from_arn=service_environment_arn
        )

    @classmethod
    def from_service_environment_name(
        cls, scope: Construct, id: str, service_environment_name: str
    ) -> ServiceEnvironmentBase:
        """Refer to an existing environment in the stack's account and Region by its name."""
        check_name("service environment name", service_environment_name, Place(scope, id))
        arn = cdk.Stack.of(scope).format_arn(
            service="batch", resource="service-environment", resource_name=service_environment_name
        )
        return _ImportedEnvironment(scope, id, arn, service_environment_name)


class _ImportedEnvironment(ServiceEnvironmentBase):
    def __init__(
        self, scope: Construct, id: str, arn: str, name: str, *, environment_from_arn: str | None = None
    ) -> None:
        super().__init__(scope, id, environment_from_arn=environment_from_arn)
        record_source(self)
        self._arn = arn
        self._name = name
