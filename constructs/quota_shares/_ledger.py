"""What the shares of one queue promise, checked whenever a share is added."""

from __future__ import annotations

import jsii

from quota_shares._capacity import CapacityLimits
from quota_shares._checks import Place, is_token

MAX_QUOTA_SHARES = 20
"""Shares per quota-managed queue, not adjustable (AWS Batch user guide, service limits)."""


class ShareLedger:
    """The shares of a queue by name, and how much of the environment they promise.

    Values known at deployment only are entered but not compared.
    """

    def __init__(self, environment: CapacityLimits | None, *, allow_overcommit: bool) -> None:
        self._environment = environment
        self._allow_overcommit = allow_overcommit
        self._entries: list[tuple[str, CapacityLimits]] = []

    @property
    def units(self) -> tuple[str, ...]:
        """The capacity units of the environment, as far as it is known."""
        return tuple(self._environment or ())

    @property
    def allow_overcommit(self) -> bool:
        """Whether the shares may promise more than the environment has."""
        return self._allow_overcommit

    def check(self, name: str | None, limits: CapacityLimits, place: Place) -> None:
        """InputError for a name twice, a 21st share, a foreign unit, or more than the environment has.

        A name of None is one that the construct makes, which is unique.
        """
        if name is not None and not is_token(name) and any(name == entered for entered, _ in self._entries):
            raise place.error(f"the job queue has a quota share named {name!r} already", "names are unique per queue")
        if len(self._entries) >= MAX_QUOTA_SHARES:
            raise place.error(f"a job queue can have at most {MAX_QUOTA_SHARES} quota shares, got one more")
        for unit, instances in limits.items():
            self._check_unit(unit, place)
            if not self._allow_overcommit:
                self._check_sum(name or place.id, unit, instances, place)

    def enter(self, name: str, limits: CapacityLimits) -> None:
        """Count a share that was checked."""
        self._entries.append((name, limits))

    def promised(self, unit: str) -> int:
        """Instances of the unit that all shares together own; values known at deployment only count nothing."""
        return sum(instances for _, instances in self._owners(unit))

    def _owners(self, unit: str) -> list[tuple[str, int]]:
        return [
            (name, int(limits[unit])) for name, limits in self._entries if unit in limits and not is_token(limits[unit])
        ]

    def _check_unit(self, unit: str, place: Place) -> None:
        environment = self._environment
        if environment is None or unit in environment or is_token(unit):
            return
        if any(is_token(known) for known in environment):
            return
        raise place.error(
            f"{unit} is not a capacity unit of the service environment",
            f"its units are {', '.join(environment)}; a job of a unit without a limit there waits for ever",
        )

    def _check_sum(self, name: str, unit: str, instances: jsii.Number, place: Place) -> None:
        capacity = None if self._environment is None else self._environment.get(unit)
        if capacity is None or is_token(capacity) or is_token(instances):
            return
        owners = [*self._owners(unit), (name, int(instances))]
        total = sum(owned for _, owned in owners)
        if total > capacity:
            detail = ", ".join(f"{owner}: {owned}" for owner, owned in owners)
            raise place.error(
                f"the quota shares promise {total} instances of {unit} ({detail}), the service environment has"
                f" {capacity}: over by {total - int(capacity)}",
                "lower a share, raise the environment, or pass allow_overcommit=True",
            )
