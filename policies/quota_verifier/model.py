"""Shares, environments, queues and jobs as frozen data, and the arithmetic of their limits.

Terms and symbols are those of section 1 of the scheduler specification. Capacity is counted in whole
instances of a unit (a SageMaker training instance type), time in whole milliseconds. No floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

UNLIMITED_BORROWING = -1
"""AWS's spelling of "no borrow limit"; an absent limit means the same (API: QuotaShareResourceSharingConfiguration)."""

Rounding = Literal["floor", "ceil"]
"""What a fraction of an instance in a borrow cap becomes (A4)."""


class Strategy(StrEnum):
    """What a share does with idle capacity, in AWS's spelling."""

    RESERVE = "RESERVE"
    LEND = "LEND"
    LEND_AND_BORROW = "LEND_AND_BORROW"

    @property
    def lends(self) -> bool:
        """Whether other shares may use the share's idle capacity."""
        return self is not Strategy.RESERVE

    @property
    def borrows(self) -> bool:
        """Whether the share may use other shares' idle capacity."""
        return self is Strategy.LEND_AND_BORROW


@dataclass(frozen=True, slots=True)
class Share:
    """A quota share: what it owns of each unit, and how it lends and borrows.

    `borrow_limit` is a percentage of the share's OWN limit, additional to it: absent (None) and -1 are
    unlimited, 0 is no borrowing. The three stay three different values.
    """

    name: str
    limits: Mapping[str, int]
    strategy: Strategy = Strategy.RESERVE
    borrow_limit: int | None = None
    in_share_preemption: bool = False
    enabled: bool = True
    source: str = ""

    def limit(self, unit: str) -> int:
        """The capacity limit L on `unit`; 0 for a unit that the share does not list."""
        return self.limits.get(unit, 0)

    def borrow_cap(self, unit: str, rounding: Rounding = "floor") -> int | None:
        """Instances of `unit` the share may hold above its limit (B, A4); None is unlimited.

        A unit that the share does not list cannot be borrowed: any percentage of 0 is 0 (R21).
        """
        own = self.limit(unit)
        if not self.strategy.borrows or own == 0:
            return 0
        if self.borrow_limit is None or self.borrow_limit == UNLIMITED_BORROWING:
            return None
        hundredths = own * self.borrow_limit
        return -(-hundredths // 100) if rounding == "ceil" else hundredths // 100

    def hard_cap(self, unit: str, rounding: Rounding = "floor") -> int | None:
        """The most instances of `unit` the share may ever hold (M = L + B); None is unlimited."""
        cap = self.borrow_cap(unit, rounding)
        return None if cap is None else self.limit(unit) + cap


@dataclass(frozen=True, slots=True)
class Environment:
    """A service environment: the capacity that the shares divide."""

    limits: Mapping[str, int]
    name: str = "environment"
    enabled: bool = True
    source: str = ""

    def limit(self, unit: str) -> int:
        """Max capacity E of `unit`; 0 for a unit that the environment does not list."""
        return self.limits.get(unit, 0)


class TimeLimitReason(StrEnum):
    """The reasons that a SageMaker queue's job state time-limit action accepts (AWS user guide)."""

    INSUFFICIENT_INSTANCE_CAPACITY = "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"
    SERVICE_ENVIRONMENT_MAX_RESOURCE = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
    QUOTA_MANAGEMENT_LIMIT_EXCEEDED = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"


@dataclass(frozen=True, slots=True)
class TimeLimitAction:
    """Terminate a job that heads its share, blocked for `reason`, for `max_time_ms` (R8)."""

    reason: TimeLimitReason
    max_time_ms: int


@dataclass(frozen=True, slots=True)
class Queue:
    """A quota-managed job queue: one environment, its shares in declaration order, its time limits."""

    environment: Environment
    shares: tuple[Share, ...]
    name: str = "queue"
    enabled: bool = True
    time_limits: tuple[TimeLimitAction, ...] = ()
    source: str = ""

    def share(self, name: str) -> Share:
        """The share called `name`. Raises KeyError where there is none."""
        for share in self.shares:
            if share.name == name:
                return share
        raise KeyError(name)

    @property
    def units(self) -> tuple[str, ...]:
        """Every unit that the environment or a share lists, in order of first mention."""
        listed = dict.fromkeys(self.environment.limits)
        for share in self.shares:
            listed.update(dict.fromkeys(share.limits))
        return tuple(listed)

    def promised(self, unit: str) -> int:
        """The sum of the shares' limits on `unit`."""
        return sum(share.limit(unit) for share in self.shares)

    def unassigned(self, unit: str) -> int:
        """Environment capacity of `unit` that no share owns (N)."""
        return max(0, self.environment.limit(unit) - self.promised(unit))

    def borrowable(self, name: str, unit: str) -> int:
        """CONFIGURED limits of the other shares that lend `unit` (documented; R21)."""
        return sum(s.limit(unit) for s in self.shares if s.name != name and s.strategy.lends)


@dataclass(frozen=True, slots=True)
class RetryRule:
    """One `evaluateOnExit` rule: the first whose glob matches the status reason decides (R6)."""

    action: Literal["RETRY", "EXIT"]
    on_status_reason: str = "*"


CAPACITY_ERROR = "CapacityError"
"""Prefix of the status reasons that re-queue without limit and without consuming an attempt (R6, documented)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How one run of a job goes wrong.

    `after_ms` is work done in that run; for a capacity error it is the time spent SCHEDULED instead,
    because SageMaker reports it before the job gets its machines (AWS user guide, service job status).
    """

    after_ms: int
    reason: str = "Received status from SageMaker: AlgorithmError"

    @property
    def is_capacity_error(self) -> bool:
        """Whether this run ends for want of machines rather than by a fault of the job."""
        return self.reason.startswith(CAPACITY_ERROR)


@dataclass(frozen=True, slots=True)
class Job:
    """A service job: what it asks for and how long it works, in instances and milliseconds.

    `preemption_retries` None re-queues without limit; n fails the job at the (n+1)-th preemption (R5).
    `failures[k]` applies to the first run that gets that far after the first k failures happened.
    """

    id: str
    share: str
    submit_ms: int
    work_ms: int
    demand: Mapping[str, int]
    priority: int = 0
    attempts: int = 1
    preemption_retries: int | None = None
    timeout_ms: int | None = None
    checkpoint_ms: int | None = None
    failures: tuple[Failure, ...] = ()
    retry_rules: tuple[RetryRule, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def instances(self) -> int:
        """Instances over all units."""
        return sum(self.demand.values())


@dataclass(frozen=True, slots=True)
class JobUpdate:
    """UpdateServiceJob (a new priority) or TerminateServiceJob at an instant (R3, R10)."""

    at_ms: int
    job: str
    priority: int | None = None
    terminate: bool = False


@dataclass(frozen=True, slots=True)
class ShareUpdate:
    """UpdateQuotaShare at an instant (R20); None leaves a property as it is.

    `strategy` replaces the whole resource-sharing configuration as AWS does: without `borrow_limit`
    the limit becomes absent. `borrow_limit` alone keeps the strategy.
    """

    at_ms: int
    share: str
    limits: Mapping[str, int] | None = None
    strategy: Strategy | None = None
    borrow_limit: int | None = None
    in_share_preemption: bool | None = None
    enabled: bool | None = None


@dataclass(frozen=True, slots=True)
class EnvironmentUpdate:
    """UpdateServiceEnvironment at an instant (R20); None leaves a property as it is."""

    at_ms: int
    limits: Mapping[str, int] | None = None
    enabled: bool | None = None


Update = JobUpdate | ShareUpdate | EnvironmentUpdate
