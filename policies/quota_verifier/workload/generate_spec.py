"""What `generate:` of a policy file may say: classes of jobs, how they arrive, and what they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.workload.schema import (
    HIGHEST_PRIORITY,
    MOST_ATTEMPTS,
    Count,
    Demand,
    Name,
    Period,
    Priority,
    Text,
)

MOST_JOBS = 2_000_000
"""More than a simulation can use; a spec beyond it has a slip in its rates."""


def _some_weight(weights: dict[int, float]) -> dict[int, float]:
    if not any(weights.values()):
        raise InputError("all weights are 0", remedy="give at least one a weight above 0")
    return weights


_Rate = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
_Sizes = Annotated[dict[Annotated[int, Field(ge=1)], _Rate], AfterValidator(_some_weight)]
_Priorities = Annotated[dict[Annotated[int, Field(ge=0, le=HIGHEST_PRIORITY)], _Rate], AfterValidator(_some_weight)]


def _one_or_weights(value: object) -> str:
    return "weights" if isinstance(value, Mapping) else "one"


Instances = Annotated[Annotated[Count, Tag("one")] | Annotated[_Sizes, Tag("weights")], Discriminator(_one_or_weights)]
Priorities = Annotated[
    Annotated[Priority, Tag("one")] | Annotated[_Priorities, Tag("weights")], Discriminator(_one_or_weights)
]


class Constant(FileModel):
    """The same for every job."""

    distribution: Literal["constant"]
    value: Period


class Exponential(FileModel):
    """Many short jobs, few long ones: the exponential distribution."""

    distribution: Literal["exponential"]
    mean: Period
    min: Period | None = Field(default=None, description="Shorter draws become this; by default 1ms.")
    max: Period | None = Field(default=None, description="Longer draws become this.")

    @model_validator(mode="after")
    def _in_order(self) -> Exponential:
        _ascending(self.min, self.max)
        return self


class LogNormal(FileModel):
    """Half of the jobs below the median, one in twenty above p95, few very long: as GPU traces show."""

    distribution: Literal["lognormal"]
    median: Period
    p95: Period = Field(description="95th percentile, above the median.")
    min: Period | None = Field(default=None, description="Shorter draws become this; by default 1ms.")
    max: Period | None = Field(default=None, description="Longer draws become this.")

    @model_validator(mode="after")
    def _in_order(self) -> LogNormal:
        _ascending(self.min, self.max)
        if self.p95 < self.median:
            raise InputError("p95 is below the median", remedy="give a p95 above the median")
        return self


class Uniform(FileModel):
    """Any length from `min` to `max`, all alike."""

    distribution: Literal["uniform"]
    min: Period
    max: Period

    @model_validator(mode="after")
    def _in_order(self) -> Uniform:
        _ascending(self.min, self.max)
        return self


def _ascending(low: int | None, high: int | None) -> None:
    if low is not None and high is not None and low > high:
        raise InputError("min is above max", remedy="give a min below the max")


_DISTRIBUTIONS: Mapping[str, str] = {
    "constant": "Constant",
    "exponential": "Exponential",
    "lognormal": "LogNormal",
    "uniform": "Uniform",
}


def _known_distribution(value: object) -> object:
    if isinstance(value, Mapping):
        named = cast("Mapping[object, object]", value).get("distribution")
        if str(named) not in _DISTRIBUTIONS:
            problem = f"the distribution {named!r} is not known" if named else "no distribution is named"
            raise InputError(problem, remedy=f"write distribution: one of {', '.join(_DISTRIBUTIONS)}")
    return cast("object", value)


def _kind_of_work(value: object) -> str:
    if isinstance(value, Mapping):
        return _DISTRIBUTIONS[str(cast("Mapping[object, object]", value).get("distribution"))]
    return type(value).__name__ if isinstance(value, FileModel) else "duration"


Work = Annotated[
    Annotated[Duration, Field(gt=0), Tag("duration")]
    | Annotated[Constant, Tag("Constant")]
    | Annotated[Exponential, Tag("Exponential")]
    | Annotated[LogNormal, Tag("LogNormal")]
    | Annotated[Uniform, Tag("Uniform")],
    Discriminator(_kind_of_work),
    BeforeValidator(_known_distribution),
]
"""How long jobs work: a duration, or a distribution of durations."""


class Burst(FileModel):
    """Several jobs at each arrival."""

    jobs: Count = Field(description="Jobs in a burst.")
    spacing: Duration = Field(
        default=0,
        description="Time from one job of a burst to the next; the next burst waits for the end of this one.",
    )


class Profile(FileModel):
    """How the rate changes over days and weeks; time 0 is Monday 00:00. The mean over a week stays `rate`."""

    hours: Annotated[tuple[_Rate, ...], Field(min_length=24, max_length=24)] = Field(
        default=(1.0,) * 24, description="Relative rate of each hour of a day, 24 numbers."
    )
    days: Annotated[tuple[_Rate, ...], Field(min_length=7, max_length=7)] = Field(
        default=(1.0,) * 7, description="Relative rate of each day of a week from Monday, 7 numbers."
    )

    @model_validator(mode="after")
    def _some_rate(self) -> Profile:
        if not any(self.hours) or not any(self.days):
            raise InputError("all numbers are 0", remedy="give at least one hour and one day a rate")
        return self


class JobClass(FileModel):
    """Jobs of one kind. They carry the label `class` with the class's name."""

    name: Name = Field(description="Names the class; ids are NAME-000001 and so on.")
    share: Name = Field(description="The quota share that its jobs are submitted to.")
    rate: Annotated[float, Field(gt=0, le=3_600_000, allow_inf_nan=False)] | None = Field(
        default=None, description="Arrivals per hour on average; or give `every`."
    )
    every: Period | None = Field(default=None, description="Time between arrivals; or give `rate`.")
    arrivals: Literal["poisson", "fixed"] | None = Field(
        default=None,
        description="poisson: at random, independent of each other (default with `rate`). fixed: at equal "
        "intervals, the first at `start` (default with `every`).",
    )
    burst: Burst | None = Field(default=None, description="Each arrival is a burst of jobs rather than one.")
    profile: Profile | None = Field(default=None, description="Daily and weekly ups and downs; poisson only.")
    count: Count | None = Field(default=None, description="At most this many jobs.")
    start: Duration = Field(default=0, description="No job before this.")
    end: Period | None = Field(default=None, description="No job from here on.")
    work: Work = Field(description="Run time: a duration, or {distribution: lognormal, median: 20m, p95: 4h}.")
    instances: Instances | None = Field(
        default=None,
        description="Instances of a job: a number (default 1), or numbers with weights: {1: 0.7, 4: 0.3}.",
    )
    unit: Name | None = Field(default=None, description="The instance type; by default the queue's only one.")
    demand: Demand | None = Field(
        default=None, description="Instances by unit, the same for each job; in place of `instances` and `unit`."
    )
    priority: Priorities = Field(default=0, description="A priority, or priorities with weights: {0: 3, 10: 1}.")
    checkpoint: Period | None = Field(default=None, description="Checkpoint interval of its jobs.")
    timeout: Period | None = Field(default=None, description="Longest time in RUNNING of one run.")
    attempts: Annotated[int, Field(strict=True, ge=1, le=MOST_ATTEMPTS)] = Field(
        default=1, description="Runs that may fail, the first included: 1..10."
    )
    preemption_retries: Annotated[int, Field(strict=True, ge=0)] | None = Field(
        default=None, description="Preemptions survived; null re-queues without limit, 0 fails at the first."
    )
    labels: dict[Name, Text] = Field(default={}, description="Further labels of its jobs.")

    @property
    def process(self) -> Literal["poisson", "fixed"]:
        """The arrival process: as given, else poisson with `rate` and fixed with `every`."""
        return self.arrivals or ("fixed" if self.rate is None else "poisson")

    @property
    def interval_ms(self) -> float:
        """Mean time between arrivals."""
        return float(self.every or 0) if self.rate is None else 3_600_000 / self.rate

    @model_validator(mode="after")
    def _one_of_each(self) -> JobClass:
        if (self.rate is None) == (self.every is None):
            both = "both `rate` and `every` are" if self.rate else "neither `rate` nor `every` is"
            raise InputError(f"{both} given", remedy="give one: rate: 2 (an hour), or every: 30m")
        if self.profile is not None and self.process == "fixed":
            raise InputError("a profile needs random arrivals", remedy="write arrivals: poisson")
        if self.demand is not None and (self.instances is not None or self.unit is not None):
            raise InputError("`demand` already says units and instances", remedy="leave out instances and unit")
        if self.end is not None and self.end <= self.start:
            raise InputError("`end` is not after `start`", remedy="give an end after the start")
        return self


class GenerateSpec(FileModel):
    """A workload made of random draws; the same seed gives the same jobs on every machine."""

    seed: Annotated[int, Field(strict=True, ge=0)] = Field(default=0, description="Another seed, other draws.")
    duration: Period | None = Field(default=None, description="No job of any class from here on.")
    jobs: Count | None = Field(default=None, description="The first this many jobs over all classes.")
    classes: Annotated[tuple[JobClass, ...], Field(min_length=1)] = Field(
        description="Kinds of jobs. A change to one leaves the draws of the others as they were."
    )

    @model_validator(mode="after")
    def _ends(self) -> GenerateSpec:
        names = [kind.name for kind in self.classes]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise InputError(f"two classes are called {twice[0]!r}", remedy="give every class its own name")
        if self.duration is not None or self.jobs is not None:
            return self
        for kind in self.classes:
            if kind.count is None and kind.end is None:
                raise InputError(
                    f"the jobs of class {kind.name!r} never end",
                    remedy="give duration: 2d or jobs: 500, or the class a count or an end",
                )
        return self
