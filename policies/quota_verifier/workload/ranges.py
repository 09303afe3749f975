"""Numbers in specs of workloads: ranges, weights, and rates."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.workload.schema import Count, Period, Priority

Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
"""A relative weight or rate; only its proportion to the others counts."""


class CountRange(FileModel):
    """Any whole number from `min` to `max`."""

    min: Count
    max: Count

    @model_validator(mode="after")
    def _in_order(self) -> CountRange:
        ascending(self.min, self.max)
        return self


class PriorityRange(FileModel):
    """Any priority from `min` to `max`."""

    min: Priority
    max: Priority

    @model_validator(mode="after")
    def _in_order(self) -> PriorityRange:
        ascending(self.min, self.max)
        return self


class WorkRange(FileModel):
    """Any run time from `min` to `max`."""

    min: Period
    max: Period

    @model_validator(mode="after")
    def _in_order(self) -> WorkRange:
        ascending(self.min, self.max)
        return self


def ascending(low: int | None, high: int | None) -> None:
    """Raise InputError where both ends are given and the lower one is the greater."""
    if low is not None and high is not None and low > high:
        raise InputError("min is above max", remedy="give a min below the max")


def some_weight(weights: dict[int, float]) -> dict[int, float]:
    """`weights`, of which one is above 0. Raises InputError where none is."""
    if not any(weights.values()):
        raise InputError("all weights are 0", remedy="give at least one a weight above 0")
    return weights
