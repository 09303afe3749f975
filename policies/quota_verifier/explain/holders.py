"""Who holds how much of a unit at an instant."""

from __future__ import annotations

from dataclasses import dataclass

from quota_verifier.explain.account import over_limit_of
from quota_verifier.explain.moment import Moment
from quota_verifier.scheduler.invariants.room import free, usage
from quota_verifier.scheduler.replay import Phase


@dataclass(frozen=True, slots=True)
class HeldJob:
    """A job that holds capacity; `over` of its instances lie above its share's limit."""

    job: str
    instances: int
    since_ms: int
    priority: int
    over: int
    stopping: bool


@dataclass(frozen=True, slots=True)
class ShareHolding:
    """What a share holds of a unit, and its jobs there in the order of their dispatch."""

    share: str
    strategy: str
    limit: int
    used: int
    waiting: int
    jobs: tuple[HeldJob, ...]

    @property
    def idle(self) -> int:
        """What it owns and does not use."""
        return max(0, self.limit - self.used)

    @property
    def over(self) -> int:
        """What it holds above its limit."""
        return max(0, self.used - self.limit)


@dataclass(frozen=True, slots=True)
class UnitHolding:
    """A unit: its capacity, who holds it, what is free and what of that nobody owns."""

    unit: str
    environment: int
    free: int
    unassigned: int
    shares: tuple[ShareHolding, ...]


def holdings(moment: Moment, units: tuple[str, ...]) -> tuple[UnitHolding, ...]:
    """Who holds what of some units, every share that owns or holds any in declaration order."""
    return tuple(_holding(moment, unit) for unit in units)


def _holding(moment: Moment, unit: str) -> UnitHolding:
    state = moment.state
    jobs = sorted(state.holding.values(), key=lambda job: job.sequence)
    shares: list[ShareHolding] = []
    for index, share in enumerate(state.queue.shares):
        used = usage(state, index, unit)
        if not used and not share.limit(unit):
            continue
        held = tuple(
            HeldJob(
                job.job.id,
                job.needs(unit),
                job.dispatched_at,
                job.priority,
                over_limit_of(state, job, unit),
                job.phase is Phase.STOPPING,
            )
            for job in jobs
            if job.share == index and job.needs(unit)
        )
        waiting = sum(len(places) for places in state.waiting[index].values())
        shares.append(ShareHolding(share.name, share.strategy, share.limit(unit), used, waiting, held))
    return UnitHolding(
        unit, state.environment.limit(unit), free(state, unit), state.queue.unassigned(unit), tuple(shares)
    )
