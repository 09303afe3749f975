"""How to read a trace: the choices that a file of jobs leaves open, all explicit, all echoed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from quota_verifier.validation import FileModel
from quota_verifier.workload.instants import When
from quota_verifier.workload.schema import Name, Period

EVERY_GROUP = "*"
"""In `shares`, the share of every group that is not named."""

GroupBy = Literal["user", "group", "queue", "partition", "application"]
"""The fields of an SWF line that can stand for a team."""

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
    gpus_per_instance: _PerInstance | None = Field(
        default=None, description="GPUs of one instance; a job gets its GPUs divided by this, rounded up."
    )
    processors_per_instance: _PerInstance | None = Field(
        default=None, description="Processors of one instance; rounded up as for GPUs."
    )
    group_by: GroupBy | None = Field(default=None, description="The field of an SWF line that is the group.")
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
    optional: bool = Field(
        default=False,
        description="Where the file is not there, skip the policy and say so; by default that is an error.",
    )


def stated(options: TraceOptions) -> dict[str, str]:
    """The options that were given, as the rules of a workload state them."""
    plain = options.model_dump(
        mode="json",
        exclude_none=True,
        include=set(TraceOptions.model_fields) - {"shares", "columns", "gpus_per_instance", "processors_per_instance"},
    )
    rules = {name: str(value) for name, value in plain.items()}
    if options.shares is not None:
        rules["shares"] = ", ".join(f"{group} to {share}" for group, share in sorted(options.shares.items()))
    if options.columns is not None:
        rules["columns"] = ", ".join(f"{ours} from {theirs}" for ours, theirs in sorted(options.columns.items()))
    return rules
