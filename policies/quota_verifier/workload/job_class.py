"""What classes of jobs have in common, whether jobs are drawn (`generate`) or searched for (`envelope`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, model_validator

from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.validation import FileModel
from quota_verifier.workload.schema import MOST_ATTEMPTS, Demand, Name, Period, Text


class ClassOfJobs(FileModel):
    """The fields that every class of jobs has; each spec adds how its jobs come and how they differ."""

    name: Name = Field(description="Names the class; its jobs' ids start with it, and their label `class` is it.")
    share: Name = Field(description="The quota share that its jobs are submitted to.")
    start: Duration = Field(default=0, description="None is submitted before this.")
    end: Period | None = Field(default=None, description="None is submitted from here on.")
    unit: Name | None = Field(default=None, description="The instance type; by default the queue's only one.")
    demand: Demand | None = Field(
        default=None, description="Instances by unit, the same for each job; in place of `instances` and `unit`."
    )
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
    def _consistent(self) -> ClassOfJobs:
        sized = self.unit is not None or getattr(self, "instances", None) is not None  # its form is the spec's own
        if self.demand is not None and sized:
            raise InputError("`demand` already says units and instances", remedy="leave out instances and unit")
        if self.end is not None and self.end <= self.start:
            raise InputError("`end` is not after `start`", remedy="give an end after the start")
        return self


def refuse_twins(classes: Sequence[ClassOfJobs]) -> None:
    """Raise InputError for two classes of one name."""
    names = [kind.name for kind in classes]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"two classes are called {twice[0]!r}", remedy="give every class its own name")
