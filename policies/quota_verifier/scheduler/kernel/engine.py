"""The kernel as an engine: the same arguments and the same run as the reference's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quota_verifier.model import Job, JobUpdate, Queue, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.kernel.clock import CONFIGURE, DONE, FAULT, GROW, PAUSE
from quota_verifier.scheduler.kernel.configuration import put_into_force, reconfigured
from quota_verifier.scheduler.kernel.entry import advance
from quota_verifier.scheduler.kernel.layout import FOREVER
from quota_verifier.scheduler.kernel.results import result
from quota_verifier.scheduler.kernel.tables import make_tables
from quota_verifier.scheduler.kernel.world import World, grown
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload.columns import JobColumns

_PROGRESS_STEP = 1 << 16


def run_kernel(
    queue: Queue,
    jobs: Sequence[Job],
    columns: JobColumns,
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Simulate jobs and updates that are in canonical order and name only known shares and jobs.

    `columns` are those of `jobs`. `progress` is told now and then how many jobs were submitted.
    """
    tables = make_tables(queue, columns, updates, assumptions, timing, until_ms)
    world, in_force = tables.world, queue
    put_into_force(world, queue, tables.units, tables.lanes, assumptions)
    if progress is not None:
        world.set(pause_at=_PROGRESS_STEP)
    while True:
        asked = advance(world.address)
        if asked == DONE:
            return result(queue, in_force, jobs, columns, updates, assumptions, timing, until_ms, tables)
        if asked == GROW:
            _make_room(world)
        elif asked == CONFIGURE:
            index = world.get("updated") - 1
            update = updates[index]
            assert not isinstance(update, JobUpdate)  # noqa: S101
            in_force = reconfigured(world, in_force, update, index)
            put_into_force(world, in_force, tables.units, tables.lanes, assumptions)
        elif asked == PAUSE and progress is not None:
            submitted = world.get("submitted")
            world.set(pause_at=submitted + _PROGRESS_STEP if submitted < len(jobs) else FOREVER)
            progress(submitted)
        elif asked == FAULT:
            raise AssertionError(f"R19: preemptions at {world.get('now')} ms did not come to rest")


def _make_room(world: World) -> None:
    """Room for the records that a round may need, and half as much again."""
    waiting, deadlines = world.get("waiting"), world.get("deadlines")
    records = waiting + 4 * (world.get("placed") + world.get("active")) + 2 * deadlines + 1024
    world.put(
        events=grown(world["events"], world.get("events"), records),
        notes=grown(world["notes"], world.get("notes"), records),
        spans=grown(world["spans"], world.get("rows"), waiting + 1024),
        deadlines=grown(world["deadlines"], deadlines, 2 * len(world["lanes"])),
    )
