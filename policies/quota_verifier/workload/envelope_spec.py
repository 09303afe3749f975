"""What `envelope:` of a policy file may say: which jobs may come, as limits rather than as draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Field, GetJsonSchemaHandler, Tag, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from quota_verifier.documents import as_map
from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.workload.schema import MOST_ATTEMPTS, Count, Demand, Name, Period, Priority, Text

DAY_MS = 86_400_000


class CountRange(FileModel):
    """Any whole number from `min` to `max`."""

    min: Count
    max: Count

    @model_validator(mode="after")
    def _in_order(self) -> CountRange:
        _ascending(self.min, self.max)
        return self


class PriorityRange(FileModel):
    """Any priority from `min` to `max`."""

    min: Priority
    max: Priority

    @model_validator(mode="after")
    def _in_order(self) -> PriorityRange:
        _ascending(self.min, self.max)
        return self


class WorkRange(FileModel):
    """Any run time from `min` to `max`."""

    min: Period
    max: Period

    @model_validator(mode="after")
    def _in_order(self) -> WorkRange:
        _ascending(self.min, self.max)
        return self


def _ascending(low: int, high: int) -> None:
    if low > high:
        raise InputError("min is above max", remedy="give a min below the max")


def _form(value: object) -> str:
    if isinstance(value, Mapping | FileModel):
        return "range"
    return "list" if isinstance(value, Sequence) and not isinstance(value, str) else "one"


Counts = Annotated[
    Annotated[Count, Tag("one")]
    | Annotated[Annotated[tuple[Count, ...], Field(min_length=1)], Tag("list")]
    | Annotated[CountRange, Tag("range")],
    Discriminator(_form),
]
"""A number, a list of numbers, or a range."""

Priorities = Annotated[
    Annotated[Priority, Tag("one")]
    | Annotated[Annotated[tuple[Priority, ...], Field(min_length=1)], Tag("list")]
    | Annotated[PriorityRange, Tag("range")],
    Discriminator(_form),
]
Work = Annotated[Annotated[Period, Tag("one")] | Annotated[WorkRange, Tag("range")], Discriminator(_form)]
"""A run time, or a range of them."""


class WindowRow(FileModel):
    """At most `jobs` submissions in any time of length `per`, wherever it begins."""

    jobs: Count
    per: Period


class _OrOne:
    """In a JSON schema: the list, or one of its items in its place."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        several = handler(core)
        return {"anyOf": [several["items"], several]}


Windows = Annotated[
    tuple[WindowRow, ...],
    BeforeValidator(lambda value: (value,) if as_map(value) is not None else value),
    _OrOne(),
]


class EnvelopeClass(FileModel):
    """Jobs of one kind, and the limits that they keep to. They carry the label `class` with the class's name."""

    name: Name = Field(description="Names the class; its jobs are NAME-1, NAME-2 and so on.")
    share: Name = Field(description="The quota share that its jobs are submitted to.")
    at_most: Windows = Field(
        default=(),
        description="How fast they may come: {jobs: 3, per: 1h} is at most 3 in any hour; several may be given.",
    )
    jobs: Count | None = Field(default=None, description="At most this many of them in all.")
    start: Duration = Field(default=0, description="None is submitted before this.")
    end: Period | None = Field(default=None, description="None is submitted from here on.")
    work: Work = Field(description="Run time: a duration, or {min: 5m, max: 4h}.")
    instances: Counts | None = Field(
        default=None, description="Instances of a job: a number (default 1), a list [1, 2, 4], or {min: 1, max: 8}."
    )
    unit: Name | None = Field(default=None, description="The instance type; by default the queue's only one.")
    demand: Demand | None = Field(
        default=None, description="Instances by unit, the same for each job; in place of `instances` and `unit`."
    )
    priority: Priorities = Field(default=0, description="A priority, a list, or {min: 0, max: 10}.")
    checkpoint: Period | None = Field(default=None, description="Checkpoint interval of its jobs.")
    timeout: Period | None = Field(default=None, description="Longest time in RUNNING of one run.")
    attempts: Annotated[int, Field(strict=True, ge=1, le=MOST_ATTEMPTS)] = Field(
        default=1, description="Runs that may fail, the first included: 1..10."
    )
    preemption_retries: Annotated[int, Field(strict=True, ge=0)] | None = Field(
        default=None, description="Preemptions survived; null re-queues without limit, 0 fails at the first."
    )
    labels: dict[Name, Text] = Field(default={}, description="Further labels of its jobs.")

    @model_validator(mode="after")
    def _one_of_each(self) -> EnvelopeClass:
        if self.demand is not None and (self.instances is not None or self.unit is not None):
            raise InputError("`demand` already says units and instances", remedy="leave out instances and unit")
        if self.end is not None and self.end <= self.start:
            raise InputError("`end` is not after `start`", remedy="give an end after the start")
        return self


class EnvelopeSpec(FileModel):
    """The workloads that may come, for `quota-shares search`: every one that keeps to the limits."""

    horizon: Period = Field(default=DAY_MS, description="No job of any class is submitted from here on.")
    jobs: Count | None = Field(default=None, description="At most this many jobs over all classes.")
    classes: Annotated[tuple[EnvelopeClass, ...], Field(min_length=1)] = Field(
        description="Kinds of jobs. A share without a class gets none."
    )

    @model_validator(mode="after")
    def _sensible(self) -> EnvelopeSpec:
        names = [kind.name for kind in self.classes]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise InputError(f"two classes are called {twice[0]!r}", remedy="give every class its own name")
        for kind in self.classes:
            if kind.start >= self.horizon:
                raise InputError(
                    f"class {kind.name!r} starts when the horizon is over", remedy="start it earlier, or give a horizon"
                )
        return self
