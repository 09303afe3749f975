"""Properties of any run. `QUOTA_SHARES_PROFILE=long` tries 100,000 worlds for each."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.model import JobUpdate, Strategy
from quota_verifier.scheduler import Run
from quota_verifier.scheduler.events import Event, Kind
from quota_verifier.scheduler.invariants import Watcher, check_invariants
from quota_verifier.scheduler.timeline import timeline
from quota_verifier.testing import World, permuted, property_settings, worlds

MOST_EVENTS = 5_000
"""More than any of these worlds needs: a run with more goes round in circles."""


class EndlessRunError(AssertionError):
    """A run that does not come to an end."""


def finished(world: World) -> Run:
    """The reference engine's run of a world, stopped with an error if it goes round in circles."""
    seen: list[Event] = []

    def count(event: Event) -> None:
        seen.append(event)
        if len(seen) > MOST_EVENTS:
            raise EndlessRunError(f"more than {MOST_EVENTS} events by {event.at} ms")

    return world.run(engine="reference", watch=count)


@property_settings(400)
@given(worlds())
def test_every_run_ends_and_keeps_the_invariants(world):
    run = finished(world)
    violations = check_invariants(run, complete=True)
    assert not violations, f"{violations[0]}\n\n{timeline(run, violations[0].at_ms, max_rows=80)}"


@property_settings(100)
@given(worlds())
def test_a_watcher_sees_what_the_check_afterwards_sees(world):
    watcher = Watcher(world.queue, world.workload, world.assumptions, world.timing)
    world.run(engine="reference", watch=watcher)
    watcher.finish()


@property_settings(150)
@given(worlds(), st.randoms(use_true_random=False))
def test_i9_permuted_rows_give_an_identical_run(world: World, random: Random):
    first, second = finished(world), finished(permuted(world, random))
    assert first.events == second.events
    assert first.spans == second.spans
    assert first.outcomes == second.outcomes
    assert first.end_ms == second.end_ms


@property_settings(150)
@given(worlds(), st.integers(-1, 60))
def test_a_run_that_stops_early_is_the_beginning_of_the_whole_run(world, second):
    horizon = second * 1_000
    whole, part = finished(world), world.run(engine="reference", until_ms=horizon)
    assert list(part.events) == [event for event in whole.events if event.at <= horizon]
    assert check_invariants(part) == []


@property_settings(150)
@given(worlds(), st.integers(0, 60))
def test_a_pass_in_which_nothing_changed_does_nothing(world, second):
    at_ms = second * 1_000
    known = [job for job in world.workload.jobs if job.submit_ms <= at_ms]
    if not known:
        return
    idle = JobUpdate(at_ms, known[0].id)
    updates = (*world.workload.updates, idle)
    visited = finished(replace(world, workload=replace(world.workload, updates=updates)))
    assert _without_update_numbers(visited) == _without_update_numbers(finished(world))


@property_settings(80)
@given(worlds(max_updates=0))
def test_shares_that_all_reserve_do_not_affect_each_other(world):
    shares = tuple(replace(share, strategy=Strategy.RESERVE, borrow_limit=None) for share in world.queue.shares)
    together = replace(world, queue=_with_all_promises_kept(world, shares))
    whole = finished(together)
    for share in shares:
        jobs = tuple(job for job in world.workload.jobs if job.share == share.name)
        alone = finished(replace(together, workload=replace(world.workload, jobs=jobs, updates=())))
        assert _histories(whole, share.name) == _histories(alone, share.name)


def _with_all_promises_kept(world, shares):
    queue = replace(world.queue, shares=shares, time_limits=())
    limits = {unit: queue.promised(unit) for unit in queue.units}
    return replace(queue, environment=replace(queue.environment, limits=limits))


def _histories(run: Run, share: str) -> list[tuple[object, ...]]:
    return [(run.jobs[span.job].id, *span[1:7]) for span in run.spans if run.jobs[span.job].share == share]


def _without_update_numbers(run: Run) -> list[Event]:
    return [event._replace(value=0) if event.kind is Kind.CONFIGURED else event for event in run.events]
