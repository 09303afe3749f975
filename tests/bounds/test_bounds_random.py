"""Beyond the small scopes: random queues of several units, with failures, time-outs, terminations and priorities."""

from __future__ import annotations

from dataclasses import replace

from exploring import bounds_by_name
from head_waits import observe
from hypothesis import assume as suppose
from hypothesis import given

from quota_verifier.bounds import Setting
from quota_verifier.model import JobUpdate, Share
from quota_verifier.scheduler.reference.engine import run_reference
from quota_verifier.testing import World, property_settings, worlds


def _comes_to_rest(world: World) -> bool:
    """Not shares that preempt in share under A1=skip: their victims may restart before them, again and again."""
    return world.assumptions.head_blocking != "skip" or not any(s.in_share_preemption for s in world.queue.shares)


@given(worlds())
@property_settings(150)
def test_no_run_of_a_random_world_breaks_a_bound(world):
    suppose(_comes_to_rest(world))
    updates = tuple(update for update in world.workload.updates if isinstance(update, JobUpdate))
    workload = replace(world.workload, updates=updates)  # bounds are those of the configuration as it is declared
    setting = Setting(world.queue, world.assumptions, world.timing)
    run = run_reference(world.queue, workload.jobs, updates, world.assumptions, world.timing)
    bounds = {
        (share.name, unit): bounds_by_name(setting, share, unit)
        for share in world.queue.shares
        for unit in share.limits
    }
    seen = observe(run, {place: found["guaranteed"].value for place, found in bounds.items()})
    for wait in seen.waits:
        limits = [bounds[wait.share, unit]["reclaimed-within"].value for unit in run.jobs[wait.job].demand]
        if None not in limits:
            assert wait.ms <= max(limits), wait
    for place, found in bounds.items():
        assert seen.most_held.get(place, 0) - _limit(world, place) <= found["most-borrowed"].value
        assert seen.largest_started.get(place, 0) <= found["largest-job"].value
    for left in seen.left:
        assert left.left >= bounds[left.share, left.unit]["kept"].value, left


def _limit(world: World, place: tuple[str, str]) -> int:
    share: Share = world.queue.share(place[0])
    return share.limit(place[1])
