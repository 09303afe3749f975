"""A world is all that decides a run: queue, workload, assumptions and timing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from quota_verifier.model import EnvironmentUpdate, Job, Queue, ShareUpdate, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import Engine, simulate
from quota_verifier.scheduler.timing import Timing
from quota_verifier.testing.queues import queues, rivals
from quota_verifier.testing.settings import assumptions, timings
from quota_verifier.testing.workloads import workloads
from quota_verifier.workload import Workload

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class World:
    """A queue, its workload, and the assumptions and timing to run it under."""

    queue: Queue
    workload: Workload
    assumptions: Assumptions = field(default_factory=Assumptions)
    timing: Timing = field(default_factory=Timing)

    def run(
        self, *, until_ms: int | None = None, engine: Engine = "auto", watch: Callable[[Event], None] | None = None
    ) -> Run:
        """What happens in this world."""
        return simulate(
            self.queue,
            self.workload,
            assumptions=self.assumptions,
            timing=self.timing,
            until_ms=until_ms,
            engine=engine,
            watch=watch,
        )


@st.composite
def worlds(draw: st.DrawFn, max_shares: int = 4, max_jobs: int = 12, max_updates: int = 5) -> World:
    """Any world: everything drawn, every combination of assumptions; in one of three, shares that fight."""
    fight = draw(st.integers(0, 2)) == 2
    queue = draw(rivals(max_shares) if fight else queues(max_shares))
    workload = draw(workloads(queue, max_jobs, max_updates))
    return World(queue, workload, draw(assumptions()), draw(timings()))


def permuted(world: World, random: Random) -> World:
    """The same world written down in another order: rows of jobs and updates, keys of demands and limits (I9)."""

    def shuffled(rows: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(random.sample(rows, len(rows)))

    def reordered(numbers: dict[str, int]) -> dict[str, int]:
        return dict(shuffled(tuple(numbers.items())))

    def job(row: Job) -> Job:
        return replace(row, demand=reordered(dict(row.demand)))

    def update(row: Update) -> Update:
        if isinstance(row, ShareUpdate | EnvironmentUpdate) and row.limits is not None:
            return replace(row, limits=reordered(dict(row.limits)))
        return row

    queue = replace(
        world.queue,
        environment=replace(world.queue.environment, limits=reordered(dict(world.queue.environment.limits))),
        shares=tuple(replace(share, limits=reordered(dict(share.limits))) for share in world.queue.shares),
    )
    rows = replace(
        world.workload,
        jobs=shuffled(tuple(job(row) for row in world.workload.jobs)),
        updates=shuffled(tuple(update(row) for row in world.workload.updates)),
    )
    return replace(world, queue=queue, workload=rows)
