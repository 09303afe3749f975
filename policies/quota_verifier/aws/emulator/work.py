"""What a job asks for and how long it works: read from its SageMaker request, its tags and the emulator's default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.aws.emulator.shapes import refusal
from quota_verifier.durations import parse_duration
from quota_verifier.errors import InputError
from quota_verifier.instance_types import training_instance_types
from quota_verifier.model import Failure

PAYLOAD_BYTES = 10 * 1024
"""The most that a service request payload may hold (AWS user guide, service limits)."""

WORK_TAG, CHECKPOINT_TAG, FAILURES_TAG = "quota-shares:work", "quota-shares:checkpoint", "quota-shares:failures"
WORK_VARIABLE = "QUOTA_SHARES_WORK"
DAY_MS = 86_400_000
"""SageMaker's MaxRuntimeInSeconds where nobody sets it."""

_Count = Annotated[int, Field(ge=1)]
_Variables = dict[str, str]


class _Part(BaseModel):
    """A part of a CreateTrainingJob request; what is not listed does not matter here."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class _Group(_Part):
    InstanceType: str
    InstanceCount: _Count


class _ResourceConfig(_Part):
    InstanceType: str | None = None
    InstanceCount: _Count | None = None
    InstanceGroups: Annotated[list[_Group], Field(max_length=5)] | None = None
    InstancePreferences: list[object] | None = None


class _StoppingCondition(_Part):
    MaxRuntimeInSeconds: _Count | None = None


class TrainingRequest(_Part):
    """What the emulator reads of a CreateTrainingJob request."""

    TrainingJobName: str | None = None
    ResourceConfig: _ResourceConfig
    StoppingCondition: _StoppingCondition | None = None
    Environment: _Variables | None = None
    HyperParameters: _Variables | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A job in the scheduler's terms; times in milliseconds."""

    demand: Mapping[str, int]
    work_ms: int
    timeout_ms: int
    checkpoint_ms: int | None
    failures: tuple[Failure, ...]
    training_job_name: str | None


def read_work(payload: str, tags: Mapping[str, str], attempt_seconds: int | None, default_ms: int) -> Work:
    """What a job asks for. Raises AwsError for a payload that tells no number and type of instances."""
    training = _training_request(payload)
    stopping = training.StoppingCondition
    runtime = None if stopping is None else stopping.MaxRuntimeInSeconds
    limits = [seconds * 1000 for seconds in (attempt_seconds, runtime) if seconds is not None]
    work = tags.get(WORK_TAG) or _variable(training)
    checkpoint = tags.get(CHECKPOINT_TAG)
    return Work(
        demand=_demand(training.ResourceConfig),
        work_ms=default_ms if work is None else _duration(work, WORK_TAG),
        timeout_ms=min(limits, default=DAY_MS),
        checkpoint_ms=None if checkpoint is None else _duration(checkpoint, CHECKPOINT_TAG),
        failures=tuple(_failures(tags.get(FAILURES_TAG, ""))),
        training_job_name=training.TrainingJobName,
    )


def _training_request(payload: str) -> TrainingRequest:
    if len(payload.encode()) > PAYLOAD_BYTES:
        raise AwsError(f"serviceRequestPayload: must be no longer than {PAYLOAD_BYTES} bytes")
    try:
        return TrainingRequest.model_validate_json(payload)
    except ValidationError as error:
        raise refusal(error, "serviceRequestPayload") from None


def _demand(config: _ResourceConfig) -> dict[str, int]:
    place = "serviceRequestPayload.ResourceConfig"
    if config.InstancePreferences is not None:
        raise AwsError(f"{place}.InstancePreferences: the type of the instances must be known; give InstanceType")
    groups = [(group.InstanceType, group.InstanceCount) for group in config.InstanceGroups or ()]
    if not groups:
        if config.InstanceType is None or config.InstanceCount is None:
            raise AwsError(f"{place}: InstanceType and InstanceCount must be given")
        groups = [(config.InstanceType, config.InstanceCount)]
    demand: dict[str, int] = {}
    for unit, count in groups:
        if unit not in training_instance_types():
            raise AwsError(f"{place}: {unit} is not an instance type of SageMaker Training")
        demand[unit] = demand.get(unit, 0) + count
    return demand


def _variable(training: TrainingRequest) -> str | None:
    for variables in (training.Environment, training.HyperParameters):
        if variables and WORK_VARIABLE in variables:
            return variables[WORK_VARIABLE]
    return None


def _duration(text: str, where: str) -> int:
    try:
        ms = parse_duration(text)
    except InputError as error:
        raise AwsError(f"{where}: {error}") from None
    if ms < 1:
        raise AwsError(f"{where}: must be longer than 0s")
    return ms


def _failures(text: str) -> Iterable[Failure]:
    """`5m CapacityError: none left / 10m Received status ...`: after how long each run fails, and why."""
    for part in filter(None, (part.strip() for part in text.split("/"))):
        after, _, reason = part.partition(" ")
        yield Failure(_duration(after, FAILURES_TAG), reason.strip() or Failure(0).reason)
