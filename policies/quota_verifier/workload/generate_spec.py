"""What `generate:` of a policy file may say: classes of jobs, how they arrive, and what they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from quota_verifier.durations import UNITS, Duration
from quota_verifier.errors import InputError
from quota_verifier.model import CAPACITY_ERROR
from quota_verifier.validation import FileModel
from quota_verifier.workload.distributions import Length
from quota_verifier.workload.job_class import ClassOfJobs, refuse_twins
from quota_verifier.workload.ranges import CountRange, PriorityRange, Weight, some_weight
from quota_verifier.workload.schema import HIGHEST_PRIORITY, Count, FailureRow, Period, Priority, RetryRules

MOST_JOBS = 2_000_000
"""More than a simulation can use; a spec beyond it has a slip in its rates."""

_MOST_CAPACITY_ERRORS = 0.9
_SLACK = 1e-9
"""Chances such as 0.1 + 0.2 + 0.7 do not add up to 1 to the last bit."""


_Sizes = Annotated[dict[Annotated[int, Field(ge=1)], Weight], AfterValidator(some_weight)]
_Levels = Annotated[dict[Annotated[int, Field(ge=0, le=HIGHEST_PRIORITY)], Weight], AfterValidator(some_weight)]


def _form(value: object) -> str:
    if isinstance(value, CountRange | PriorityRange):
        return "range"
    if isinstance(value, Mapping):
        return "range" if "min" in value or "max" in value else "weights"
    return "one"


Instances = Annotated[
    Annotated[Count, Tag("one")] | Annotated[_Sizes, Tag("weights")] | Annotated[CountRange, Tag("range")],
    Discriminator(_form),
]
"""A whole number from 1 on, numbers with weights, or a range of which all are alike."""

Priorities = Annotated[
    Annotated[Priority, Tag("one")] | Annotated[_Levels, Tag("weights")] | Annotated[PriorityRange, Tag("range")],
    Discriminator(_form),
]


class Burst(FileModel):
    """Several jobs at each arrival."""

    jobs: Instances = Field(description="Jobs in a burst: a number, numbers with weights, or {min: 2, max: 9}.")
    spacing: Duration = Field(
        default=0,
        description="Time from one job of a burst to the next; the next burst waits for the end of this one.",
    )


class Profile(FileModel):
    """How the rate changes over days and weeks. The mean over a week stays `rate`."""

    hours: Annotated[tuple[Weight, ...], Field(min_length=24, max_length=24)] = Field(
        default=(1.0,) * 24, description="Relative rate of each hour of a day, 24 numbers."
    )
    days: Annotated[tuple[Weight, ...], Field(min_length=7, max_length=7)] = Field(
        default=(1.0,) * 7, description="Relative rate of each day of a week from Monday, 7 numbers."
    )

    at_start: Annotated[Duration, Field(lt=UNITS["w"])] = Field(
        default=0, description="Where in the week time 0 is: the time since Monday 00:00, such as 2d13h."
    )

    @model_validator(mode="after")
    def _some_rate(self) -> Profile:
        if not any(self.hours) or not any(self.days):
            raise InputError("all numbers are 0", remedy="give at least one hour and one day a rate")
        return self


class FailureDraw(FileModel):
    """A way in which runs go wrong."""

    chance: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = Field(
        description="The part of all runs that go wrong like this, such as 0.05; each run is drawn anew."
    )
    after: Length = Field(
        description="Work done in that run before it fails, or time spent SCHEDULED for a capacity error: a duration "
        "or a distribution. A run that is done before then does not fail."
    )
    reason: str = Field(
        default=FailureRow.model_fields["reason"].default, description=FailureRow.model_fields["reason"].description
    )

    @property
    def is_capacity_error(self) -> bool:
        """Whether it stands for missing machines, and consumes no attempt (R6)."""
        return self.reason.startswith(CAPACITY_ERROR)


class JobClass(ClassOfJobs):
    """Jobs of one kind. They carry the label `class` with the class's name."""

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
    work: Length = Field(description="Run time: a duration, or {distribution: lognormal, median: 20m, p95: 4h}.")
    instances: Instances | None = Field(
        default=None,
        description="Instances of a job: a number (default 1), numbers with weights {1: 0.7, 4: 0.3}, or a range "
        "{min: 1, max: 8}.",
    )
    priority: Priorities = Field(
        default=0, description="A priority, priorities with weights {0: 3, 10: 1}, or a range."
    )
    fails: tuple[FailureDraw, ...] = Field(default=(), description="How runs of its jobs go wrong, and how often.")
    retry_rules: RetryRules = Field(
        default=(), description="The first rule whose glob matches the status reason decides."
    )

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
        if sum(row.chance for row in self.fails) > 1 + _SLACK:
            raise InputError("the chances of `fails` add up to more than 1", remedy="give chances of at most 1 in all")
        if sum(row.chance for row in self.fails if row.is_capacity_error) > _MOST_CAPACITY_ERRORS + _SLACK:
            raise InputError(
                f"more than {_MOST_CAPACITY_ERRORS} of the runs end for want of machines",
                remedy="lower the chance: such a run consumes no attempt, so the job would hardly ever start",
            )
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
        refuse_twins(self.classes)
        if self.duration is not None or self.jobs is not None:
            return self
        for kind in self.classes:
            if kind.count is None and kind.end is None:
                raise InputError(
                    f"the jobs of class {kind.name!r} never end",
                    remedy="give duration: 2d or jobs: 500, or the class a count or an end",
                )
        return self
