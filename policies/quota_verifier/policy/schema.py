"""What may stand in a policy file, as pydantic models and as a JSON schema."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from quota_verifier.cost.prices import PricesFile
from quota_verifier.documents import as_map
from quota_verifier.durations import Duration
from quota_verifier.errors import InputError
from quota_verifier.policy.bounds import (
    CountBound,
    DurationBound,
    FinishedBound,
    InstantBound,
    MoneyBound,
    NumberBound,
    RatioBound,
    WithinBound,
)
from quota_verifier.scheduler.assumptions import QUESTIONS, Profiles, assume
from quota_verifier.scheduler.run import State
from quota_verifier.validation import FileModel
from quota_verifier.words import shown
from quota_verifier.workload.envelope_spec import EnvelopeSpec
from quota_verifier.workload.generate_spec import GenerateSpec
from quota_verifier.workload.options import TraceSpec
from quota_verifier.workload.schema import JobRow, Name, UpdateRow

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def _labels(value: object) -> object:
    """`urgent` is the label `class` of that value; `team=vision` is the label `team`."""
    if not isinstance(value, str):
        return value
    key, equals, label = value.partition("=")
    return {key.strip(): label.strip()} if equals else {"class": value}


def _as_list(value: object) -> object:
    return (value,) if isinstance(value, str | int) and not isinstance(value, bool) else value


class _OrScalar:
    """In a JSON schema: the field's own form, or one scalar in its place."""

    def __init__(self, text: str, *types: str) -> None:
        self.scalar = {"type": list(types), "description": text}

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [self.scalar, handler(core)]}


def _or_scalar(key: str, text: str) -> tuple[BeforeValidator, _OrScalar]:
    """A map, or one scalar that stands for the map with the key `key` alone."""

    def wrapped(value: object) -> object:
        return value if as_map(value) is not None else {key: value}

    return BeforeValidator(wrapped), _OrScalar(text, "string", "number")


class _Some(FileModel):
    """A map that must not be empty."""

    @model_validator(mode="after")
    def _something(self) -> _Some:
        if not self.model_fields_set:
            raise InputError("claims nothing", remedy=f"give one of {', '.join(type(self).model_fields)}")
        return self


class DurationStatistics(_Some):
    """Comparisons by statistic; percentiles are nearest-rank. `every` is the worst job."""

    every: DurationBound | None = None
    min: DurationBound | None = None
    mean: DurationBound | None = None
    p50: DurationBound | None = None
    p90: DurationBound | None = None
    p95: DurationBound | None = None
    p99: DurationBound | None = None
    max: DurationBound | None = None


class NumberStatistics(_Some):
    """As for durations, over plain numbers."""

    every: NumberBound | None = None
    min: NumberBound | None = None
    mean: NumberBound | None = None
    p50: NumberBound | None = None
    p90: NumberBound | None = None
    p95: NumberBound | None = None
    p99: NumberBound | None = None
    max: NumberBound | None = None


class WithinStatistics(_Some):
    """Durations that are upper bounds, by statistic."""

    every: WithinBound | None = None
    mean: WithinBound | None = None
    p50: WithinBound | None = None
    p90: WithinBound | None = None
    p95: WithinBound | None = None
    p99: WithinBound | None = None
    max: WithinBound | None = None


class LostWork(_Some):
    """Instance-time that preemptions threw away: in all, or by job."""

    total: DurationBound | None = None
    mean: DurationBound | None = None
    p50: DurationBound | None = None
    p90: DurationBound | None = None
    p95: DurationBound | None = None
    p99: DurationBound | None = None
    max: DurationBound | None = None


class Preemptions(_Some):
    """Preemptions that the jobs suffered, in all or by kind; that they caused; the most of any one job."""

    total: CountBound | None = None
    cross_share: CountBound | None = None
    in_share: CountBound | None = None
    caused: CountBound | None = None
    max: CountBound | None = None


Waiting = Annotated[DurationStatistics, *_or_scalar("every", "A comparison that every job must satisfy.")]
Numbers = Annotated[NumberStatistics, *_or_scalar("every", "A comparison that every job must satisfy.")]
Within = Annotated[WithinStatistics, *_or_scalar("every", "An upper bound for every job.")]
Lost = Annotated[LostWork, *_or_scalar("total", "A comparison with the instance-time lost in all.")]
Preempted = Annotated[Preemptions, *_or_scalar("total", "A count of preemptions in all; exact if bare.")]
Labels = Annotated[dict[Name, Name], Field(min_length=1), BeforeValidator(_labels)]
JobIds = Annotated[tuple[Name, ...], BeforeValidator(_as_list), _OrScalar("One job's id.", "string", "integer")]


class ClaimRow(FileModel):
    """What must hold: a subject (share, class, unit or job; the whole queue where none is named) and measures."""

    share: Name | None = Field(default=None, description="The jobs of this share.")
    labels: Labels | None = Field(
        default=None,
        alias="class",
        description="The jobs with this label: `team: vision` as a map or team=vision as text; a plain word is the "
        "value of the label `class`.",
        json_schema_extra={"anyOf": [{"type": "string"}, {"type": "object"}]},
    )
    unit: Name | None = Field(default=None, description="The jobs that use this unit (instance type).")
    job: Name | None = Field(default=None, description="This one job, by id.")

    wait: Waiting | None = Field(default=None, description="First start less submission.")
    turnaround: Waiting | None = Field(default=None, description="End less submission.")
    slowdown: Numbers | None = Field(default=None, description="Turnaround over work.")
    starvation: DurationBound | None = Field(
        default=None, description="The longest time in one piece that any job was RUNNABLE, re-queues included."
    )
    reclaimed_within: Within | None = Field(
        default=None, description="From when a job was owed its share's own capacity until it started."
    )
    preemptions: Preempted | None = None
    thrash: CountBound | None = Field(default=None, description="Preemptions of a job after its first one.")
    lost_work: Lost | None = None
    cost: MoneyBound | None = Field(default=None, description="Instance-time held by the jobs, in money by `prices`.")
    lost_work_cost: MoneyBound | None = Field(
        default=None, description="Instance-time that preemptions threw away, in money by `prices`."
    )
    disruption_ratio: RatioBound | None = Field(default=None, description="Work lost over work delivered.")
    utilization: RatioBound | None = Field(
        default=None, description="Instance-time held over capacity; of a share, over its own limit."
    )
    idle_reserved: RatioBound | None = Field(
        default=None, description="Idle instance-time of RESERVE shares over capacity; of a share, over its own limit."
    )
    never_schedulable: CountBound | None = Field(default=None, description="Jobs that can never start (R21).")
    finished: FinishedBound | None = Field(default=None, description="Jobs that SUCCEEDED.")

    state: State | None = Field(default=None, description="With `job`: its state at `at`, or at the end.")
    starts: InstantBound | None = Field(default=None, description="With `job`: when it first started.")
    ends: InstantBound | None = Field(default=None, description="With `job`: when it SUCCEEDED or FAILED.")
    preempted_by: JobIds | None = Field(
        default=None, description="With `job`: the jobs that preempted it, in order; an empty list for none."
    )
    at: Duration | None = Field(
        default=None, description="The instant of `state`, `running` and `waiting`, after its scheduling pass."
    )
    running: JobIds | None = Field(
        default=None, description="Exactly the jobs that hold capacity at `at` (SCHEDULED or RUNNING), in any order."
    )
    waiting: JobIds | None = Field(
        default=None, description="Exactly the jobs that are RUNNABLE at `at`, in any order."
    )

    @model_validator(mode="after")
    def _sensible(self) -> ClaimRow:
        check_claim(self)
        return self


SUBJECTS = ("share", "labels", "unit", "job")
OF_ONE_JOB = ("state", "starts", "ends", "preempted_by")
AT_AN_INSTANT = ("running", "waiting")
OF_MONEY = ("cost", "lost_work_cost")
OF_CAPACITY = ("utilization", "idle_reserved")
MEASURES = tuple(name for name in ClaimRow.model_fields if name not in (*SUBJECTS, *OF_ONE_JOB, *AT_AN_INSTANT, "at"))


def check_claim(row: ClaimRow) -> None:
    """Refuse a claim whose parts do not go together. Raises InputError."""
    given = [name for name in ClaimRow.model_fields if getattr(row, name) is not None]
    claimed = [name for name in given if name not in (*SUBJECTS, "at")]
    if not claimed:
        raise InputError(
            "claims nothing", remedy=f"add a measure: {', '.join((*MEASURES, *OF_ONE_JOB, *AT_AN_INSTANT))}"
        )
    alone = [name for name in claimed if name in OF_ONE_JOB]
    if alone and row.job is None:
        raise InputError(f"{alone[0]} is about one job", remedy="add `job: ID`")
    if row.job is not None and (row.share or row.labels or row.unit):
        raise InputError("names a job and more", remedy="a job's id is enough: leave out share, class and unit")
    _check_instant(row, claimed)
    capacity = [name for name in claimed if name in OF_CAPACITY]
    if capacity and (row.job or row.labels):
        raise InputError(
            f"{capacity[0]} is about capacity, not about jobs", remedy="name a share or a unit, or neither"
        )


def _check_instant(row: ClaimRow, claimed: list[str]) -> None:
    sets = [name for name in claimed if name in AT_AN_INSTANT]
    if sets and row.at is None:
        raise InputError(f"{sets[0]} is about an instant", remedy="add `at: 20s`")
    if sets and (row.job or row.labels or row.unit):
        raise InputError(f"{sets[0]} lists jobs of the queue or of a share", remedy="name a share or nothing")
    if row.at is not None and not sets and row.state is None:
        raise InputError("`at` belongs to state, running or waiting", remedy="leave out `at`, or add one of them")


_WAYS = ("generate", "trace", "file", "jobs")


class WorkloadSection(FileModel):
    """Exactly one way to get jobs."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [way]} for way in _WAYS]})

    generate: GenerateSpec | None = Field(default=None, description="Random jobs, the same for the same seed.")
    trace: TraceSpec | None = Field(default=None, description="Recorded jobs, with how to read them.")
    file: str | None = Field(default=None, description="A workload file, relative to this policy file.")
    jobs: tuple[JobRow, ...] | None = Field(default=None, description="Jobs written here.")
    updates: tuple[UpdateRow, ...] | None = Field(default=None, description="With `jobs`: changes while they run.")

    @model_validator(mode="after")
    def _one_source(self) -> WorkloadSection:
        given = [name for name in _WAYS if getattr(self, name) is not None]
        if len(given) != 1:
            what = " and ".join(given) if given else "none"
            raise InputError(f"a policy has one workload, this has {what}", remedy=f"give one of {', '.join(_WAYS)}")
        if self.updates is not None and self.jobs is None:
            raise InputError(
                f"`updates` go with `jobs`, not with `{given[0]}`", remedy="write them in the workload file"
            )
        return self


DelayMap = Annotated[
    dict[Name, Duration],
    BeforeValidator(lambda value: value if as_map(value) is not None else {"default": value}),
]


def _delay_schema(schema: dict[str, Any]) -> None:
    plain = dict(schema)
    of_map = {key: plain.pop(key) for key in ("type", "additionalProperties", "propertyNames") if key in plain}
    schema.clear()
    schema.update(plain, anyOf=[of_map["additionalProperties"], of_map])


Delay = Annotated[DelayMap, Field(json_schema_extra=_delay_schema)]


class TimingSection(FileModel):
    """Delays: a duration, or durations by unit with `default` for the others. All 0 where left out."""

    startup: Delay = Field(default={}, description="From dispatch to RUNNING.")
    stop: Delay = Field(default={}, description="How long a preempted job keeps its capacity.")
    restore: Delay = Field(default={}, description="Before the work of a run that resumes from a checkpoint.")


def _day(value: object) -> object:
    """A date, written out in full or as YAML 1.1 reads one."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        if isinstance(value, str) and len(value) == len("2026-12-31"):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise InputError(f"{shown(value)} is not a date", remedy="write the last day as in 2026-12-31")


def _said(value: str) -> str:
    if not value.strip():
        raise InputError("is empty", remedy="say why the claim may fail for now")
    return value.strip()


class WaiverRow(FileModel):
    """A claim that may fail for now."""

    claim: Name = Field(
        description="The claim: its name, such as QS3.wait-max, or its sentence, with or without the bound, such as "
        "'share QS3: wait max'."
    )
    reason: Annotated[str, AfterValidator(_said)] = Field(description="Why it may fail.", min_length=1)
    until: Annotated[date, BeforeValidator(_day)] = Field(
        description="The last day of the waiver, such as 2026-12-31; afterwards the claim fails again."
    )


def _known_answers(answers: dict[str, str]) -> dict[str, str]:
    assume([f"{question}={choice}" for question, choice in answers.items()])
    return answers


PricesSection = Annotated[
    Annotated[str, Tag("file")] | Annotated[PricesFile, Tag("PricesFile")],
    Discriminator(lambda value: "file" if isinstance(value, str) else "PricesFile"),
]


class PolicyFile(FileModel):
    """Claims about one workload on one queue."""

    description: str = Field(default="", description="What the claims are for, in a sentence.")
    queue: Name | None = Field(default=None, description="The job queue, where the template has several.")
    workload: WorkloadSection
    envelope: EnvelopeSpec | None = Field(
        default=None, description="The workloads that may come: where `quota-shares search` looks for counterexamples."
    )
    timing: TimingSection = TimingSection()
    prices: PricesSection | None = Field(
        default=None, description="What an instance-hour costs, for claims about money: a prices file, or its content."
    )
    assume: Annotated[dict[str, Name], AfterValidator(_known_answers)] = Field(
        default={},
        description="Answers to the open questions A1..A10 that the judgement starts from, such as {A1: skip}.",
        json_schema_extra={
            "properties": {question.id: {"enum": list(question.choices)} for question in QUESTIONS},
            "additionalProperties": False,
        },
    )
    under: Profiles = Field(
        default="one-at-a-time",
        description="Answers to judge under: the ones of `assume` alone, each single change of them, or all.",
    )
    until: Duration | None = Field(
        default=None, description="Stop the simulation after this instant; by default it runs to the end."
    )
    expect: Annotated[tuple[ClaimRow, ...], Field(min_length=1)] = Field(description="What must hold.")
    waive: tuple[WaiverRow, ...] = Field(default=(), description="Claims that may fail for now, each until a date.")


def policy_file_schema() -> dict[str, object]:
    """The JSON schema of policy files, for editors (JSON Schema 2020-12)."""
    return {"$schema": SCHEMA_ID, **PolicyFile.model_json_schema(), "title": "Policy file"}


def schema_text() -> str:
    """The schema as the published file holds it (docs/schemas/policy-file.schema.json)."""
    return json.dumps(policy_file_schema(), indent=2) + "\n"
