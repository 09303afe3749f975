"""What there is: policies, environments, queues with their shares, jobs. Data alone; times in ms since 1970."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quota_verifier.model import Environment, Share, Strategy
from quota_verifier.scheduler.reference.state import ActiveJob

if TYPE_CHECKING:
    from quota_verifier.aws.emulator.scheduler import Scheduler

PREEMPTED_WINDOW = 10
"""How many preempted attempts a job shows; AWS calls it a sliding window and names no number."""

Tags = dict[str, str]


@dataclass(slots=True)
class Policy:
    """A scheduling policy; `body` is its quotaSharePolicy or fairsharePolicy member."""

    name: str
    arn: str
    body: dict[str, Any]
    tags: Tags

    @property
    def is_quota_policy(self) -> bool:
        """Whether queues with this policy have quota shares."""
        return "quotaSharePolicy" in self.body


@dataclass(slots=True)
class ServiceEnvironment:
    """A service environment."""

    name: str
    arn: str
    kind: str
    state: str
    limits: dict[str, int]
    tags: Tags

    @property
    def model(self) -> Environment:
        """The environment in the scheduler's terms."""
        return Environment(dict(self.limits), self.name, self.state == "ENABLED")


@dataclass(slots=True)
class QuotaShare:
    """A quota share; `borrow_limit` None where the request gave none."""

    name: str
    arn: str
    limits: dict[str, int]
    strategy: Strategy
    borrow_limit: int | None
    in_share_preemption: str
    state: str
    tags: Tags
    is_deleting: bool = False

    @property
    def model(self) -> Share:
        """The share in the scheduler's terms."""
        return Share(
            self.name,
            dict(self.limits),
            self.strategy,
            self.borrow_limit,
            self.in_share_preemption == "ENABLED",
            self.state == "ENABLED",
        )


@dataclass(slots=True)
class JobQueue:
    """A quota-managed job queue and its scheduler."""

    name: str
    arn: str
    priority: int
    state: str
    policy: str
    environment: ServiceEnvironment
    order: int
    time_limits: list[dict[str, Any]]
    scheduler: Scheduler
    tags: Tags
    shares: dict[str, QuotaShare] = field(default_factory=dict[str, QuotaShare])


@dataclass(frozen=True, slots=True)
class Attempt:
    """A training job that is over."""

    training_job: str
    started_at: int | None
    stopped_at: int
    status_reason: str


@dataclass(slots=True)
class ServiceJob:
    """A service job; `request` is the SubmitServiceJob request that made it."""

    id: str
    arn: str
    name: str
    queue: JobQueue
    share: str
    request: Mapping[str, Any]
    capacity: Mapping[str, int]
    training_job_name: str
    priority: int
    created_at: int
    tags: Tags
    active: ActiveJob = field(init=False)
    status: str = "SUBMITTED"
    status_reason: str | None = None
    scheduled_at: int | None = None
    started_at: int | None = None
    stopped_at: int | None = None
    training_job: str | None = None
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    preempted: deque[Attempt] = field(default_factory=lambda: deque[Attempt](maxlen=PREEMPTED_WINDOW))
    preempted_count: int = 0
    is_terminated: bool = False
    termination_reason: str = ""
