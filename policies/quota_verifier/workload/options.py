"""How to read a trace: the choices that a file of jobs leaves open, all explicit, all echoed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from quota_verifier.validation import FileModel
from quota_verifier.workload.instants import When
from quota_verifier.workload.scale_spec import ScaleSpec
from quota_verifier.workload.schema import Name, Period, Priority

EVERY_GROUP = "*"
"""In `shares`, the share of every group that is not named."""

GroupBy = Literal[
    "user", "group", "queue", "partition", "application", "account", "qos", "type", "organization", "job_type"
]
"""What can stand for a team: each format has some of these."""

_PerInstance = Annotated[int, Field(strict=True, ge=1)]


class TraceOptions(FileModel):
    """Choices for reading jobs from a file; a format refuses those that it has no use for."""

    timezone: str | None = Field(
        default=None,
        description="Zone of dates that name none: an IANA name, UTC, or an offset such as +01:00.",
    )
    shares: dict[Name, Name] | None = Field(
        default=None,
        description="Share for each group of the trace (virtual cluster, user, queue); '*' is every other "
        "group. Jobs of a group without a share are skipped and counted.",
    )
    unit: Name | None = Field(
        default=None, description="The instance type that jobs use; by default the queue's only one."
    )
    units: dict[Name, Name] | None = Field(
        default=None,
        description="Instance type for each GPU model of the trace; '*' is every other model. Of the models that "
        "a job may use, the first that is named here counts: a service job names one instance type.",
    )
    priorities: dict[Name, Priority] | None = Field(
        default=None,
        description="Priority for each rank of the trace (job type, QoS); '*' is every other rank, which is 0 else.",
    )
    gpus_per_instance: _PerInstance | dict[Name, _PerInstance] | None = Field(
        default=None,
        description="GPUs of one instance; a job gets its GPUs divided by this, rounded up. A map by unit where "
        "several are in use.",
    )
    processors_per_instance: _PerInstance | None = Field(
        default=None, description="Processors of one instance; rounded up as for GPUs."
    )
    group_by: GroupBy | None = Field(default=None, description="The field that is the group, where there are several.")
    columns: dict[Name, Annotated[str, StringConstraints(strict=True, min_length=1)]] | None = Field(
        default=None,
        description="For CSV files with headings of their own: our column, then theirs, as in "
        "{id: job_name, submit: arrival, work: runtime, instances: gpus}. Columns not named are ignored.",
    )
    recording_start: str | None = Field(
        default=None,
        description="A submit time, as the file writes it, that means 'before the recording started' "
        "(often 0); such jobs are skipped and counted.",
    )
    capacity_file: str | None = Field(
        default=None,
        description="A CSV of GPUs by day and virtual cluster (Helios); jobs above it are counted in a warning.",
    )
    checkpoint: Period | None = Field(
        default=None, description="Checkpoint interval of every job; traces do not tell it."
    )
    since: When | None = Field(
        default=None, description="Take jobs submitted from here on: a duration after the first, or a date."
    )
    until: When | None = Field(default=None, description="Take jobs submitted before this.")


class TraceSpec(TraceOptions):
    """A trace as a policy file names it: the file, its format, and how to read it."""

    file: str = Field(description="Path, relative to the file that names it; .gz and .zip are unpacked.")
    format: str | None = Field(
        default=None, description="Format of the file, where its ending does not tell: see `quota-shares workload`."
    )
    scale: ScaleSpec | None = Field(
        default=None, description="More or fewer jobs, or faster arrivals: {load: 1.2}, {time: 2} or {thin: 0.5}."
    )
    optional: bool = Field(
        default=False,
        description="Where the file is not there, skip the policy and say so; by default that is an error.",
    )


def stated(options: TraceOptions) -> dict[str, str]:
    """The options that were given, as the rules of a workload state them."""
    stated_elsewhere = {"gpus_per_instance", "processors_per_instance"}
    plain = options.model_dump(
        mode="json", exclude_none=True, include=set(TraceOptions.model_fields) - stated_elsewhere - _MAPPINGS.keys()
    )
    rules = {name: str(value) for name, value in plain.items()}
    for name, word in _MAPPINGS.items():
        mapping: dict[str, object] | None = getattr(options, name)
        if mapping is not None:
            rules[name] = ", ".join(f"{left} {word} {right}" for left, right in sorted(mapping.items()))
    return rules


_MAPPINGS = {"shares": "to", "units": "to", "priorities": "to", "columns": "from"}
