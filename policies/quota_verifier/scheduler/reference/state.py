"""What the reference engine knows at an instant: shares, jobs, capacity. No rule decides anything here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from quota_verifier.model import Environment, Job, Queue, Share
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import NOBODY, Event, Reason
from quota_verifier.scheduler.run import UNKNOWN, How, Span, State
from quota_verifier.scheduler.timing import Timing

NO_CAP = 1 << 62
"""Stands for an unlimited hard cap in comparisons."""

Demand = tuple[tuple[int, int], ...]
"""(unit index, instances), in unit order."""

Entry = tuple[int, int, int, "ActiveJob"]
"""A place in a share's order (R9): minus priority, queued since, submission sequence."""


class Phase(IntEnum):
    """Where a job is; capacity is held from PLACED to the release."""

    UNSUBMITTED = 0
    WAITING = 1
    PLACED = 2
    STOPPING = 3
    DONE = 4


@dataclass(slots=True, eq=False)
class ActiveJob:
    """A job and all that changes about it."""

    index: int
    job: Job
    share: ActiveShare
    demand: Demand
    startup_ms: int
    stop_ms: int
    restore_ms: int
    priority: int
    phase: Phase = Phase.UNSUBMITTED
    queued_at: int = 0
    entry: Entry | None = None
    head_since: int = UNKNOWN
    # the current run
    started: int = UNKNOWN
    run_at: int = UNKNOWN
    work_at: int = UNKNOWN
    stopped_at: int = UNKNOWN
    sequence: int = 0
    ticket: int = 0
    ends_how: How = How.OPEN
    stop_how: How = How.OPEN
    stopped_by: int = NOBODY
    # all runs
    runs: int = 0
    failed_runs: int = 0
    failures_seen: int = 0
    preemptions: int = 0
    kept_ms: int = 0
    lost_ms: int = 0
    capacity_wait_ms: int = 0
    first_start: int = UNKNOWN
    finished_at: int = UNKNOWN
    outcome: State = State.SUBMITTED
    reason: Reason = Reason.NONE
    detail: str = ""
    # R14: the order of stops and claims
    stop_order: int = 0
    claimed_at: int = 0
    # R8
    blocked_since: int = UNKNOWN
    blocked_by: str = ""

    @property
    def place(self) -> tuple[int, int, int]:
        """The job's place in its share's order (R9)."""
        return -self.priority, self.queued_at, self.index


@dataclass(slots=True, eq=False)
class ActiveShare:
    """A share's configuration as arrays by unit index, and its usage.

    `held` is the idle capacity that it keeps from the others now (its part of H); `stopping` the part of
    its usage that is already being released.
    """

    index: int
    share: Share
    limit: list[int]
    cap: list[int]
    largest: list[int]
    usage: list[int]
    held: list[int]
    stopping: list[int]
    withholds: bool = False
    waiting: dict[Demand, list[Entry]] = field(default_factory=dict[Demand, list[Entry]])
    waiting_count: int = 0
    placed: dict[int, ActiveJob] = field(default_factory=dict[int, ActiveJob])
    heads: list[ActiveJob] = field(default_factory=list[ActiveJob])
    heads_known: bool = True


@dataclass(slots=True)
class Core:
    """The whole state. `spare[u]` is F - N - sum of all shares' held: V of a share that holds nothing itself."""

    queue: Queue
    environment: Environment
    units: tuple[str, ...]
    shares: list[ActiveShare]
    jobs: list[ActiveJob]
    assumptions: Assumptions
    timing: Timing
    free: list[int]
    unassigned: list[int]
    spare: list[int]
    record: Callable[[Event], None]
    spans: list[Span] = field(default_factory=list[Span])
    endings: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    stopping: dict[int, ActiveJob] = field(default_factory=dict[int, ActiveJob])
    claims: dict[int, ActiveJob] = field(default_factory=dict[int, ActiveJob])
    blocked: dict[int, ActiveJob] = field(default_factory=dict[int, ActiveJob])
    deadlines: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    now: int = 0
    waiting_count: int = 0
    dispatches: int = 0
    stops: int = 0
    last_share: int = -1
    in_vain: int = 0
    """Preemptions since something got on: a job came, ended, failed or kept work, or something was changed (R19)."""
