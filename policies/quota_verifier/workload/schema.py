"""What may stand in a workload file: `jobs` and `updates`, as pydantic models and as a JSON schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    WithJsonSchema,
    model_validator,
)

from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.model import CAPACITY_ERROR, Failure, Strategy
from quota_verifier.validation import FileModel, did_you_mean, shown
from quota_verifier.workload.instants import When

HIGHEST_PRIORITY = 9999
MOST_ATTEMPTS = 10
MOST_RETRY_RULES = 5
"""AWS: SubmitServiceJob takes priorities 0..9999, 1..10 attempts, at most 5 evaluateOnExit rules."""


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _in_capitals(*words: str) -> Callable[[object], object]:
    """One of `words` in any case, as AWS spells it; anything else as it is, for the message."""
    return lambda value: value.upper() if isinstance(value, str) and value.upper() in words else value


def _true_or_nothing(value: object) -> object:
    if value is True or value is None:
        return value
    raise InputError(f"{shown(value)} ends nothing", remedy="write true, or leave it out")


def _printable(value: object) -> object:
    if isinstance(value, str) and (not value or value != value.strip() or not value.isprintable()):
        raise InputError(
            f"{value!r} is empty, starts or ends with a space, or holds a character that does not print",
            remedy="write a plain name",
        )
    return value


Text = Annotated[
    str,
    BeforeValidator(_as_text),
    StringConstraints(strict=True),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
]
Name = Annotated[
    str,
    BeforeValidator(_printable),
    BeforeValidator(_as_text),
    StringConstraints(strict=True),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer"}]}),
]
Count = Annotated[int, Field(strict=True, ge=1)]
Priority = Annotated[int, Field(strict=True, ge=0, le=HIGHEST_PRIORITY)]
Period = Annotated[Duration, Field(gt=0)]
Demand = Annotated[dict[Name, Count], Field(min_length=1)]
Limits = Annotated[dict[Name, Annotated[int, Field(strict=True, ge=0)]], Field(min_length=1)]
State = Annotated[Literal["ENABLED", "DISABLED"], BeforeValidator(_in_capitals("ENABLED", "DISABLED"))]


class FailureRow(FileModel):
    """One run that goes wrong."""

    after: Duration = Field(
        description="Work done in that run before it fails; for a capacity error, time spent SCHEDULED."
    )
    reason: str = Field(
        default=Failure.__dataclass_fields__["reason"].default,
        description=f"The status reason, as retry rules see it. One that starts with {CAPACITY_ERROR} stands "
        "for missing machines: it re-queues without limit and consumes no attempt (R6).",
    )


class RetryRuleRow(FileModel):
    """One `evaluateOnExit` rule of the job's retry strategy."""

    action: Annotated[Literal["RETRY", "EXIT"], BeforeValidator(_in_capitals("RETRY", "EXIT"))] = Field(
        description="RETRY or EXIT, in any case."
    )
    on_status_reason: Annotated[str, StringConstraints(max_length=512)] = Field(
        default="*", description="A glob over the status reason, such as CapacityError*; * matches all."
    )


RetryRules = Annotated[tuple[RetryRuleRow, ...], Field(max_length=MOST_RETRY_RULES)]


class JobRow(FileModel):
    """A service job."""

    id: Name = Field(description="Unique in the file.")
    share: Name = Field(description="The quota share that the job is submitted to.")
    submit: When = Field(default="0s", validate_default=True, description="When it is submitted.")
    work: Duration = Field(description="Run time that it needs in RUNNING.")
    demand: Demand | None = Field(
        default=None, description="Instances by unit, such as {ml.g5.xlarge: 2}; or give `instances`."
    )
    instances: Count | None = Field(
        default=None, description="Instances, in place of `demand` where one unit is in play."
    )
    priority: Priority = Field(default=0, description="0..9999; higher first, inside its share.")
    attempts: Annotated[int, Field(strict=True, ge=1, le=MOST_ATTEMPTS)] = Field(
        default=1, description="Runs that may fail, the first included: 1..10."
    )
    preemption_retries: Annotated[int, Field(strict=True, ge=0)] | None = Field(
        default=None, description="Preemptions survived; null re-queues without limit, 0 fails at the first."
    )
    timeout: Period | None = Field(default=None, description="Longest time in RUNNING of one run.")
    checkpoint: Period | None = Field(
        default=None, description="Progress is kept in steps of this; null loses all at a preemption."
    )
    fails: tuple[FailureRow, ...] = Field(default=(), description="How its runs go wrong, first run first.")
    retry_rules: RetryRules = Field(
        default=(), description="The first rule whose glob matches the status reason decides."
    )
    labels: dict[Name, Text] = Field(default={}, description="Marks that claims and reports select by.")

    @model_validator(mode="after")
    def _one_size(self) -> JobRow:
        if (self.demand is None) == (self.instances is None):
            both = "both `demand` and `instances` are" if self.demand else "neither `demand` nor `instances` is"
            raise InputError(f"{both} given", remedy="give one: demand: {ml.g5.xlarge: 1}, or instances: 1")
        return self


class JobUpdateRow(FileModel):
    """UpdateServiceJob or TerminateServiceJob."""

    at: When
    job: Name = Field(description="The id of a job of this file.")
    priority: Priority | None = Field(default=None, description="The new priority.")
    terminate: Annotated[Literal[True] | None, BeforeValidator(_true_or_nothing)] = Field(
        default=None, description="true ends the job."
    )

    @model_validator(mode="after")
    def _one_change(self) -> JobUpdateRow:
        if (self.priority is None) == (self.terminate is None):
            changes = "nothing" if self.priority is None else "two things"
            raise InputError(f"changes {changes}", remedy="give `priority: 5` or `terminate: true`")
        return self


class ShareUpdateRow(FileModel):
    """UpdateQuotaShare; what is not named stays as it is."""

    at: When
    share: Name = Field(description="The share that changes.")
    limits: Limits | None = Field(default=None, description="The new capacity limits, all of them.")
    strategy: Annotated[Strategy, BeforeValidator(_in_capitals(*Strategy))] | None = Field(
        default=None, description="The new strategy; without `borrow_limit` borrowing becomes unlimited."
    )
    borrow_limit: Annotated[int, Field(strict=True, ge=-1)] | None = Field(
        default=None, description="Percent of the share's own limits; -1 is unlimited, 0 is no borrowing."
    )
    in_share_preemption: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, description="Whether its jobs may preempt others of its own with a lower priority."
    )
    state: State | None = Field(default=None, description="A DISABLED share accepts no new jobs.")

    @model_validator(mode="after")
    def _some_change(self) -> ShareUpdateRow:
        changes = (self.limits, self.strategy, self.borrow_limit, self.in_share_preemption, self.state)
        if all(change is None for change in changes):
            raise InputError(
                "changes nothing",
                remedy="give limits, strategy, borrow_limit, in_share_preemption or state",
            )
        return self


class EnvironmentUpdateRow(FileModel):
    """UpdateServiceEnvironment."""

    at: When
    environment: Limits | None = Field(
        description="The new max capacity by unit, all of them; null leaves it as it is."
    )
    state: State | None = Field(default=None, description="A DISABLED environment places nothing new.")

    @model_validator(mode="after")
    def _some_change(self) -> EnvironmentUpdateRow:
        if self.environment is None and self.state is None:
            raise InputError("changes nothing", remedy="give environment: {ml.g5.xlarge: 4} or state: DISABLED")
        return self


UPDATES: Mapping[str, type[JobUpdateRow | ShareUpdateRow | EnvironmentUpdateRow]] = {
    "job": JobUpdateRow,
    "share": ShareUpdateRow,
    "environment": EnvironmentUpdateRow,
}
"""What an update changes, by the key that names it."""


def update_model(data: Mapping[str, object]) -> type[JobUpdateRow | ShareUpdateRow | EnvironmentUpdateRow]:
    """The model of one update. Raises InputError where no key, or several, say what it changes."""
    named = [key for key in UPDATES if key in data]
    if len(named) == 1:
        return UPDATES[named[0]]
    if named:
        raise InputError(f"the update names {' and '.join(named)}", remedy="write one update for each")
    known = {name for row in UPDATES.values() for name in row.model_fields}
    guesses = [did_you_mean(key, UPDATES) for key in data if key not in known]
    close = [guess for guess in guesses if guess.startswith("did you mean")]
    raise InputError(
        "the update names neither job, share nor environment",
        remedy=close[0] if close else "say what it changes (environment: null with a state alone)",
    )


def _checked(value: object) -> object:
    if isinstance(value, Mapping):
        update_model(cast("Mapping[str, object]", value))
    return cast("object", value)


def _kind(value: Any) -> str:  # noqa: ANN401 (pydantic hands over what the file says, or a model)
    rows = (
        row for key, row in UPDATES.items() if isinstance(value, row) or (isinstance(value, Mapping) and key in value)
    )
    return next(rows, JobUpdateRow).__name__


UpdateRow = Annotated[
    Annotated[JobUpdateRow, Tag("JobUpdateRow")]
    | Annotated[ShareUpdateRow, Tag("ShareUpdateRow")]
    | Annotated[EnvironmentUpdateRow, Tag("EnvironmentUpdateRow")],
    Discriminator(_kind),
    BeforeValidator(_checked),
]
"""A change at a point in time, told apart by its key `job`, `share` or `environment`."""


class WorkloadFile(FileModel):
    """A workload: jobs, and changes that happen while they run."""

    jobs: tuple[JobRow, ...] = Field(description="The jobs, in any order.")
    updates: tuple[UpdateRow, ...] = Field(default=(), description="Changes of jobs, shares and environment.")


def workload_file_schema() -> dict[str, object]:
    """The JSON schema of workload files, for editors (JSON Schema 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **WorkloadFile.model_json_schema(),
        "title": "Workload file",
    }
