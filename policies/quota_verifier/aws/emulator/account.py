"""One account in one Region: what is in it, how it is named, and what time it is."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from quota_verifier.aws.emulator.errors import missing
from quota_verifier.aws.emulator.identity import ENVIRONMENT, JOB, POLICY, QUEUE, Identity
from quota_verifier.aws.emulator.records import JobQueue, Policy, QuotaShare, ServiceEnvironment, ServiceJob
from quota_verifier.scheduler import Assumptions, Timing

T = TypeVar("T")

EventSink = Callable[[dict[str, object]], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """What an emulator is started with and cannot change later; `work_ms` is a job's work where it tells none."""

    assumptions: Assumptions
    timing: Timing
    work_ms: int
    identity: Identity


@dataclass(slots=True)
class Account:
    """All state. `now` is set before each request; ids come from `seed` and a count, so a replay gives the same."""

    settings: Settings
    seed: uuid.UUID
    now: int
    deliver: EventSink | None = None
    events: int = 0
    policies: dict[str, Policy] = field(default_factory=dict[str, Policy])
    environments: dict[str, ServiceEnvironment] = field(default_factory=dict[str, ServiceEnvironment])
    queues: dict[str, JobQueue] = field(default_factory=dict[str, JobQueue])
    jobs: dict[str, ServiceJob] = field(default_factory=dict[str, ServiceJob])
    tokens: set[str] = field(default_factory=set[str])
    _ids: int = 0

    @property
    def identity(self) -> Identity:
        """Whose resources these are."""
        return self.settings.identity

    def new_id(self) -> str:
        """A new UUID. Only what then succeeds may ask for one."""
        self._ids += 1
        return str(uuid.uuid5(self.seed, str(self._ids)))

    def policy(self, arn: str) -> Policy:
        """The scheduling policy of an ARN. Raises AwsError where there is none."""
        found = self.policies.get(self.identity.name(POLICY, arn))
        if found is None or found.arn != arn:
            raise missing("Scheduling policy", arn)
        return found

    def environment(self, name_or_arn: str) -> ServiceEnvironment:
        """The service environment of a name or ARN. Raises AwsError where there is none."""
        found = self.environments.get(self.identity.name(ENVIRONMENT, name_or_arn))
        if found is None:
            raise missing("Service environment", name_or_arn)
        return found

    def queue(self, name_or_arn: str) -> JobQueue:
        """The job queue of a name or ARN. Raises AwsError where there is none."""
        found = self.queues.get(self.identity.name(QUEUE, name_or_arn))
        if found is None:
            raise missing("Job queue", name_or_arn)
        return found

    def chosen(self, kind: str, there: Mapping[str, T], named: Sequence[str] | None) -> list[T]:
        """Those of a kind that a Describe request names, each once, or all; what is not there is left out."""
        if not named:
            return list(there.values())
        names = dict.fromkeys(self.identity.name(kind, text) for text in named)
        return [there[name] for name in names if name in there]

    def share(self, arn: str) -> tuple[JobQueue, QuotaShare]:
        """The quota share of an ARN and its queue. Raises AwsError where there is none."""
        queue_name, name = self.identity.share_names(arn)
        queue = self.queues.get(queue_name)
        share = queue.shares.get(name) if queue else None
        if queue is None or share is None:
            raise missing("Quota share", arn)
        return queue, share

    def job(self, id_or_arn: str) -> ServiceJob:
        """The service job of an id or ARN; AWS's SDK sends the ARN. Raises AwsError where there is none."""
        found = self.jobs.get(self.identity.name(JOB, id_or_arn))
        if found is None:
            raise missing("Service job", id_or_arn)
        return found
