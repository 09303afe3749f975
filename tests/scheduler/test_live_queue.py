"""A live queue decides as a simulation does, and takes shares and units that nobody knew at first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share, Strategy, Update
from quota_verifier.scheduler import Assumptions, Delay, Timing
from quota_verifier.scheduler.events import Event, Kind
from quota_verifier.scheduler.reference.engine import run_reference
from quota_verifier.scheduler.reference.live import LiveQueue
from quota_verifier.scheduler.reference.state import Phase

UNIT = "ml.g5.xlarge"
TIMING = Timing(startup=Delay(2), stop=Delay(3))
QUEUE = Queue(
    Environment({UNIT: 6}),
    (
        Share("A", {UNIT: 2}, Strategy.LEND_AND_BORROW, in_share_preemption=True),
        Share("B", {UNIT: 2}, Strategy.LEND),
        Share("C", {UNIT: 2}, Strategy.RESERVE),
    ),
)


def live(queue: Queue, events: list[Event]) -> LiveQueue:
    return LiveQueue(queue, Assumptions(), TIMING, events.append)


def run_down(queue: LiveQueue, until: int | None = None) -> None:
    while (now := queue.next_release()) is not None and (until is None or now < until):
        queue.open(now)
        queue.close()


def drive(queue: LiveQueue, jobs: list[Job], updates: list[JobUpdate]) -> None:
    """The same jobs and updates, told one by one in the order of R11."""
    active = {}
    for at in sorted({job.submit_ms for job in jobs} | {update.at_ms for update in updates}):
        run_down(queue, at)
        queue.open(at)
        due = [update for update in updates if update.at_ms == at]
        for update in [u for u in due if u.job in active]:
            queue.update_job(active[update.job], priority=update.priority, terminate=update.terminate)
        early = set(active)
        for job in (job for job in jobs if job.submit_ms == at):
            active[job.id] = queue.submit(job)
        for update in [u for u in due if u.job not in early]:
            queue.update_job(active[update.job], priority=update.priority, terminate=update.terminate)
        queue.close()
    run_down(queue)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Job], list[JobUpdate]]:
    count = draw(st.integers(1, 12))
    submits = sorted(draw(st.lists(st.integers(0, 25), min_size=count, max_size=count)))
    jobs = [
        Job(
            f"j{index:02}", draw(st.sampled_from("ABC")), at, draw(st.integers(1, 12)),
            {UNIT: draw(st.integers(1, 3))}, draw(st.integers(0, 2)),
        )
        for index, at in enumerate(submits)
    ]  # fmt: skip
    chosen = draw(st.lists(st.sampled_from(jobs), max_size=4, unique_by=lambda job: job.id))
    updates = [
        JobUpdate(job.submit_ms + draw(st.integers(0, 9)), job.id, draw(st.integers(0, 3)), draw(st.booleans()))
        for job in chosen
    ]
    return jobs, sorted(updates, key=lambda update: update.at_ms)


@given(worlds())
@settings(max_examples=150, deadline=None)
def test_a_live_queue_records_the_events_of_a_simulation(world: tuple[list[Job], list[JobUpdate]]) -> None:
    jobs, updates = world
    changes: tuple[Update, ...] = tuple(updates)
    told: list[Event] = []
    drive(live(QUEUE, told), jobs, updates)
    assert told == run_reference(QUEUE, jobs, changes, Assumptions(), TIMING).events


def starts(events: list[Event]) -> Iterator[tuple[int, int]]:
    return ((event.job, event.at) for event in events if event.kind is Kind.DISPATCHED)


def test_a_share_that_comes_later_with_a_unit_of_its_own_runs_jobs() -> None:
    events: list[Event] = []
    queue = live(Queue(Environment({UNIT: 2, "ml.p5.48xlarge": 1}), (Share("A", {UNIT: 2}),)), events)
    queue.open(5)
    queue.add_share(Share("D", {"ml.p5.48xlarge": 1, "ml.new": 1}))
    queue.submit(Job("d", "D", 5, 10, {"ml.p5.48xlarge": 1}))
    queue.submit(Job("never", "D", 5, 10, {"ml.new": 1}))
    queue.close()
    assert list(starts(events)) == [(0, 5)]
    assert queue.share("D").usage == [0, 1, 0]


def test_a_share_goes_only_without_jobs_and_its_capacity_is_then_nobodys() -> None:
    events: list[Event] = []
    queue = live(QUEUE, events)
    queue.open(0)
    job = queue.submit(Job("b", "B", 0, 100, {UNIT: 1}))
    queue.close()
    with pytest.raises(ValueError, match="B still has jobs"):
        queue.remove_share("B")
    queue.open(50)
    queue.update_job(job, terminate=True)
    queue.close()
    run_down(queue)
    assert job.phase is Phase.DONE
    queue.remove_share("B")
    assert [share.share.name for share in queue.core.shares] == ["A", "C"]
    queue.open(60)
    borrower = queue.submit(Job("a", "A", 60, 10, {UNIT: 3}))
    queue.close()
    assert borrower.phase is Phase.WAITING  # what B owned cannot be borrowed any more
