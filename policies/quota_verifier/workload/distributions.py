"""Distributions of durations, as `generate:` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.workload.ranges import Weight, ascending, some_weight
from quota_verifier.workload.schema import Period

_Number = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
_Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


class Constant(FileModel):
    """The same for every job."""

    distribution: Literal["constant"]
    value: Period


class Uniform(FileModel):
    """Any length from `min` to `max`, all alike."""

    distribution: Literal["uniform"]
    min: Period
    max: Period

    @model_validator(mode="after")
    def _in_order(self) -> Uniform:
        ascending(self.min, self.max)
        return self


class _Bounded(FileModel):
    """A distribution without ends of its own."""

    min: Period | None = Field(default=None, description="Shorter draws become this; by default 1ms.")
    max: Period | None = Field(default=None, description="Longer draws become this.")

    @model_validator(mode="after")
    def _in_order(self) -> _Bounded:
        ascending(self.min, self.max)
        return self


class Exponential(_Bounded):
    """Many short jobs, few long ones: the exponential distribution."""

    distribution: Literal["exponential"]
    mean: Period


class LogNormal(_Bounded):
    """Half of the jobs below the median, one in twenty above p95, few very long: as GPU traces show."""

    distribution: Literal["lognormal"]
    median: Period
    p95: Period = Field(description="95th percentile, above the median.")

    @model_validator(mode="after")
    def _above_the_median(self) -> LogNormal:
        if self.p95 < self.median:
            raise InputError("p95 is below the median", remedy="give a p95 above the median")
        return self


class Weibull(_Bounded):
    """Exponential with `shape` 1; below 1 more very short and very long jobs, above 1 fewer."""

    distribution: Literal["weibull"]
    scale: Period = Field(description="63.2 % of the jobs are shorter.")
    shape: _Number


class Pareto(_Bounded):
    """None is shorter than `scale`; a part of (scale / t) ** shape is longer than t. The mean exists above shape 1."""

    distribution: Literal["pareto"]
    scale: Period
    shape: _Number


class Table(FileModel):
    """A few lengths with weights."""

    distribution: Literal["table"]
    values: Annotated[dict[Annotated[Duration, Field(gt=0)], Weight], AfterValidator(some_weight)] = Field(
        description="Weights of the lengths: {5m: 3, 1h: 1}."
    )


def _whole_and_ascending(quantiles: dict[float, int]) -> dict[float, int]:
    ordered = dict(sorted(quantiles.items()))
    if not {0.0, 100.0} <= set(ordered):
        raise InputError("the percentiles 0 and 100 are not both given", remedy="give the shortest and the longest")
    for (low, shorter), (high, longer) in pairwise(ordered.items()):
        if longer < shorter:
            raise InputError(
                f"the {high:g}th percentile is below the {low:g}th", remedy="give lengths that grow with the percentile"
            )
    return ordered


class Quantiles(FileModel):
    """Lengths by percentile, evenly spread in between: any distribution that was measured."""

    distribution: Literal["quantiles"]
    values: Annotated[dict[_Percent, Period], AfterValidator(_whole_and_ascending)] = Field(
        description="Lengths by percentile, 0 and 100 among them: {0: 1s, 50: 10m, 95: 4h, 100: 2d}."
    )


DISTRIBUTIONS: Mapping[str, type[FileModel]] = {
    "constant": Constant,
    "uniform": Uniform,
    "exponential": Exponential,
    "lognormal": LogNormal,
    "weibull": Weibull,
    "pareto": Pareto,
    "table": Table,
    "quantiles": Quantiles,
}
"""The distributions by the name that files give them."""


def _known(value: object) -> object:
    if isinstance(value, Mapping):
        named = cast("Mapping[object, object]", value).get("distribution")
        if str(named) not in DISTRIBUTIONS:
            problem = f"the distribution {named!r} is not known" if named else "no distribution is named"
            raise InputError(problem, remedy=f"write distribution: one of {', '.join(DISTRIBUTIONS)}")
    return cast("object", value)


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return DISTRIBUTIONS[str(cast("Mapping[object, object]", value).get("distribution"))].__name__
    return type(value).__name__ if isinstance(value, FileModel) else "duration"


Length = Annotated[
    Annotated[Duration, Field(gt=0), Tag("duration")]
    | Annotated[Constant, Tag("Constant")]
    | Annotated[Uniform, Tag("Uniform")]
    | Annotated[Exponential, Tag("Exponential")]
    | Annotated[LogNormal, Tag("LogNormal")]
    | Annotated[Weibull, Tag("Weibull")]
    | Annotated[Pareto, Tag("Pareto")]
    | Annotated[Table, Tag("Table")]
    | Annotated[Quantiles, Tag("Quantiles")],
    Discriminator(_kind),
    BeforeValidator(_known),
]
"""How long something takes: a duration, or a distribution of durations."""
