"""What `envelope:` of a policy file may say: which jobs may come, as limits rather than as draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Field, GetJsonSchemaHandler, Tag, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from quota_verifier.documents import as_map
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.workload.job_class import ClassOfJobs, refuse_twins
from quota_verifier.workload.ranges import CountRange, PriorityRange, WorkRange
from quota_verifier.workload.schema import Count, Period, Priority

DAY_MS = 86_400_000


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


class EnvelopeClass(ClassOfJobs):
    """Jobs of one kind, and the limits that they keep to. They carry the label `class` with the class's name."""

    at_most: Windows = Field(
        default=(),
        description="How fast they may come: {jobs: 3, per: 1h} is at most 3 in any hour; several may be given.",
    )
    jobs: Count | None = Field(default=None, description="At most this many of them in all.")
    work: Work = Field(description="Run time: a duration, or {min: 5m, max: 4h}.")
    instances: Counts | None = Field(
        default=None, description="Instances of a job: a number (default 1), a list [1, 2, 4], or {min: 1, max: 8}."
    )
    priority: Priorities = Field(default=0, description="A priority, a list, or {min: 0, max: 10}.")


class EnvelopeSpec(FileModel):
    """The workloads that may come, for `quota-shares search`: every one that keeps to the limits."""

    horizon: Period = Field(default=DAY_MS, description="No job of any class is submitted from here on.")
    jobs: Count | None = Field(default=None, description="At most this many jobs over all classes.")
    classes: Annotated[tuple[EnvelopeClass, ...], Field(min_length=1)] = Field(
        description="Kinds of jobs. A share without a class gets none."
    )

    @model_validator(mode="after")
    def _sensible(self) -> EnvelopeSpec:
        refuse_twins(self.classes)
        for kind in self.classes:
            if kind.start >= self.horizon:
                raise InputError(
                    f"class {kind.name!r} starts when the horizon is over", remedy="start it earlier, or give a horizon"
                )
        return self
