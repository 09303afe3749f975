"""Checks of members that several requests share (AWS's documented rules; where AWS gives none, docs/emulator.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.instance_types import closest_instance_type, training_instance_types

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
NUM_INSTANCES = "NUM_INSTANCES"
MOST_LIMITS, MOST_TAGS = 5, 50
TAG_KEY, TAG_VALUE = 128, 256


def check_name(member: str, name: str) -> str:
    """A resource's or job's name. Raises AwsError for one that AWS refuses."""
    if not NAME.fullmatch(name):
        raise AwsError(f"{member}: must be 1 to 128 letters, digits, hyphens or underscores")
    return name


def check_between(member: str, value: int, least: int, most: int) -> int:
    """A number. Raises AwsError outside its range."""
    if not least <= value <= most:
        raise AwsError(f"{member}: {value} is not between {least} and {most}")
    return value


def check_tags(tags: Mapping[str, str] | None) -> dict[str, str]:
    """Tags of a resource. Raises AwsError for what AWS's tagging refuses."""
    for key, value in (tags or {}).items():
        if not 1 <= len(key) <= TAG_KEY or len(value) > TAG_VALUE:
            raise AwsError(f"tags: a key has 1 to {TAG_KEY} characters, a value at most {TAG_VALUE}")
        if key.lower().startswith("aws:"):
            raise AwsError(f"tags: {key} starts with aws:, which is reserved")
    return dict(tags or {})


def read_limits(limits: Sequence[Mapping[str, Any]], *, may_count_instances: bool = False) -> dict[str, int]:
    """CapacityLimits as instances by unit. Raises AwsError for none or too many, a unit twice, or less than 1."""
    if not 1 <= len(limits) <= MOST_LIMITS:
        raise AwsError(f"capacityLimits: must have 1 to {MOST_LIMITS} entries")
    found: dict[str, int] = {}
    for index, entry in enumerate(limits):
        place = f"capacityLimits.{index}"
        unit, most = entry.get("capacityUnit"), entry.get("maxCapacity")
        if unit is None or most is None:
            raise AwsError(f"{place}: capacityUnit and maxCapacity must be given")
        if most < 1:
            raise AwsError(f"{place}.maxCapacity: must be at least 1")
        if unit in found:
            raise AwsError(f"{place}.capacityUnit: {unit} is listed twice")
        if unit not in training_instance_types() and not (may_count_instances and unit == NUM_INSTANCES):
            guess = closest_instance_type(unit)
            hint = f"; {guess} is one" if guess else ""
            raise AwsError(f"{place}.capacityUnit: {unit} is not an instance type of SageMaker Training{hint}")
        found[unit] = most
    return found


def limits_view(limits: Mapping[str, int]) -> list[dict[str, object]]:
    """Instances by unit as capacityLimits."""
    return [{"maxCapacity": most, "capacityUnit": unit} for unit, most in limits.items()]
