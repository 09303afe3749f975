"""The capacity limits of a share or an environment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

from quota_verifier.lint.results import Unknown, unknown
from quota_verifier.lint.values import items_at, text, value_at, whole
from quota_verifier.template import Resource, Unresolved

CAPACITY_LIMITS = "CapacityLimits"


@dataclass(frozen=True, slots=True)
class Limit:
    """One entry of CapacityLimits; each part is None where it is missing or malformed."""

    index: int
    unit: str | Unresolved | None
    capacity: int | Unresolved | None

    @property
    def unit_path(self) -> tuple[str | int, ...]:
        """Where the unit stands."""
        return (CAPACITY_LIMITS, self.index, "CapacityUnit")

    @property
    def capacity_path(self) -> tuple[str | int, ...]:
        """Where the capacity stands."""
        return (CAPACITY_LIMITS, self.index, "MaxCapacity")


def limits(resource: Resource) -> Unresolved | tuple[Limit, ...]:
    """The limits as written; Unresolved where the deployment decides the whole list."""
    entries = items_at(resource, CAPACITY_LIMITS)
    if isinstance(entries, Unresolved):
        return entries
    return tuple(
        Limit(
            index,
            text(value_at(resource, CAPACITY_LIMITS, index, "CapacityUnit")),
            whole(value_at(resource, CAPACITY_LIMITS, index, "MaxCapacity")),
        )
        for index in range(len(entries))
    )


def known_limits(resource: Resource) -> tuple[Limit, ...]:
    """The limits, none where the deployment decides the whole list."""
    found = limits(resource)
    return () if isinstance(found, Unresolved) else found


def limit_on(resource: Resource, unit: str) -> int | Unresolved | None:
    """The limit on `unit`, the first where there are two; 0 where it is not listed.

    Unresolved where the deployment decides it, or whether the resource is there at all.
    """
    if resource.condition is not None:
        return resource.condition
    found = limits(resource)
    if isinstance(found, Unresolved):
        return found
    for limit in found:
        if limit.unit == unit:
            return limit.capacity
    return next((limit.unit for limit in found if isinstance(limit.unit, Unresolved)), 0)


def names_a_type(unit: object) -> TypeGuard[str]:
    """Whether a unit is written like an instance type, known or not, and not like NUM_INSTANCES."""
    return isinstance(unit, str) and unit.startswith("ml.")


def unknown_limit(resource: Resource, unit: str, value: Unresolved) -> Unknown:
    """The note that goes with a limit on `unit` that is Unresolved: the place that decides it."""
    if resource.condition is not None:
        return unknown(resource, (), value)
    places = [limit.capacity_path for limit in known_limits(resource) if limit.unit == unit]
    places += [limit.unit_path for limit in known_limits(resource) if isinstance(limit.unit, Unresolved)]
    return unknown(resource, places[0] if places else (CAPACITY_LIMITS,), value)


def units(resources: Iterable[Resource]) -> tuple[str, ...]:
    """Every unit that is listed and known, in order of first mention."""
    return tuple(
        dict.fromkeys(
            limit.unit for resource in resources for limit in known_limits(resource) if isinstance(limit.unit, str)
        )
    )
