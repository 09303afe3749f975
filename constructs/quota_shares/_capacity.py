"""Capacity limits as users give them: instance type to whole instances."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import aws_cdk as cdk
import jsii

from quota_shares._checks import Place, check_integer, is_token
from quota_verifier.instance_types import (
    closest_instance_type,
    instance_types_source,
    training_instance_types,
)

CapacityLimits = Mapping[str, jsii.Number]
"""Instances by SageMaker training instance type, such as `{"ml.g5.xlarge": 3}`; number tokens are allowed."""

MAX_CAPACITY_LIMITS = 5
"""Entries per environment and per share (AWS Batch user guide, quota shares)."""

_INSTANCE_TYPE = re.compile(r"ml\.[a-z0-9-]+\.[a-z0-9-]+")
_LIST_TOKEN = "#{Token["  # noqa: S105  the CDK's marker, no secret


def checked_limits(
    limits: CapacityLimits,
    place: Place,
    *,
    additional_instance_types: Collection[str],
    environment_units: Collection[str] = (),
) -> dict[str, jsii.Number]:
    """A copy of the limits, sorted by unit; units that are tokens keep their order behind the others.

    `environment_units` were checked with their environment. InputError for anything but 1 to 5 training
    instance types with a whole number of at least 1 each.
    """
    _check_mapping(limits, place)
    _check_additional(additional_instance_types, place)
    for unit in limits:
        _check_unit(unit, place, {*additional_instance_types, *environment_units})
    if not 1 <= len(limits) <= MAX_CAPACITY_LIMITS:
        raise place.error(
            f"capacity_limits must have 1 to {MAX_CAPACITY_LIMITS} entries, got {len(limits)}",
            "list each instance type once",
        )
    for unit, instances in limits.items():
        check_integer(f"max capacity of {_shown(unit)}", instances, place, at_least=1)
    ordered = sorted(limits, key=lambda unit: (is_token(unit), "" if is_token(unit) else unit))
    return {unit: limits[unit] for unit in ordered}


def _check_mapping(limits: object, place: Place) -> None:
    if not isinstance(limits, Mapping):
        raise place.error(
            f"capacity_limits must map instance types to instances, got {limits!r}",
            'for example {"ml.g5.xlarge": 3}',
        )


def _shown(unit: str) -> str:
    return "a unit known at deployment only" if is_token(unit) else unit


def _check_additional(additional: Collection[str], place: Place) -> None:
    if isinstance(additional, str):
        raise place.error(f"additional_instance_types must be a list of names, got the string {additional!r}")
    for unit in additional:
        if _INSTANCE_TYPE.fullmatch(unit) is None:
            raise place.error(f"additional_instance_types must hold instance types such as ml.g5.xlarge, got {unit!r}")


def _check_unit(unit: str, place: Place, accepted: Collection[str]) -> None:
    if _LIST_TOKEN in unit:
        # An element of an encoded list: the CDK refuses it at synth without naming the parameter.
        source = cdk.Stack.of(place.scope).resolve([unit])
        raise place.error(
            f"capacity units come from the list {source}, whose length is only known at deployment",
            "take single elements with cdk.Fn.select(index, list) or give literal instance types",
        )
    if is_token(unit):
        return
    if unit == "NUM_INSTANCES":
        raise place.error(
            "NUM_INSTANCES cannot be the capacity unit of a quota-managed environment or of a quota share",
            "give limits per instance type, such as ml.g5.xlarge",
        )
    if unit in training_instance_types() or unit in accepted:
        return
    closest = closest_instance_type(unit)
    meant = f"did you mean {closest}? " if closest else ""
    newer = (
        f"a type that AWS has added since can be named in additional_instance_types=[{unit!r}]"
        if _INSTANCE_TYPE.fullmatch(unit)
        else "capacity units are instance types such as ml.g5.xlarge"
    )
    raise place.error(
        f"{unit!r} is not a SageMaker training instance type ({instance_types_source()})", f"{meant}{newer}"
    )
