"""R20: put a configuration into force, at the start and whenever it changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quota_verifier.model import EnvironmentUpdate, Queue, ShareUpdate, Strategy, TimeLimitReason
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel.layout import NOWHERE
from quota_verifier.scheduler.kernel.shapes import Lane
from quota_verifier.scheduler.kernel.world import World
from quota_verifier.scheduler.reference.changes import configured
from quota_verifier.scheduler.reference.state import NO_CAP

_CODE = {
    TimeLimitReason.SERVICE_ENVIRONMENT_MAX_RESOURCE: codes.ABOVE_ENVIRONMENT,
    TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED: codes.ABOVE_QUOTA,
}


def put_into_force(
    world: World, queue: Queue, units: Sequence[str], lanes: Sequence[Lane], assumptions: Assumptions
) -> None:
    """Recompute limits, caps, R21 sizes and spare capacity; usage stays as it is."""
    _limits(world, queue, units, assumptions)
    _lanes(world, queue, lanes, assumptions)
    _spare(world, queue, units, assumptions)


def _limits(world: World, queue: Queue, units: Sequence[str], assumptions: Assumptions) -> None:
    rounding = assumptions.borrow_rounding
    world.set(environment_enabled=queue.environment.enabled, queue_enabled=queue.enabled)
    world.set(in_share_count=sum(share.in_share_preemption for share in queue.shares))
    quotas = world["quotas"].reshape(len(queue.shares), len(units))
    for index, share in enumerate(queue.shares):
        record = world["shares"][index]
        record["reserves"] = share.strategy is Strategy.RESERVE
        record["borrows"] = share.strategy.borrows
        record["in_share"] = share.in_share_preemption
        record["enabled"] = share.enabled
        for unit, name in enumerate(units):
            cap = share.hard_cap(name, rounding)
            quotas[index, unit]["limit"] = share.limit(name)
            quotas[index, unit]["cap"] = NO_CAP if cap is None else min(cap, NO_CAP)


def _lanes(world: World, queue: Queue, lanes: Sequence[Lane], assumptions: Assumptions) -> None:
    for row, lane in enumerate(lanes):
        share = queue.shares[lane.share]
        never = never_schedulable(queue, share, lane.demand, assumptions.borrow_rounding)
        world["lanes"][row]["fits_ever"] = never is None
        world["lanes"][row]["never"] = _CODE[never.reason] if never else 0


def _spare(world: World, queue: Queue, units: Sequence[str], assumptions: Assumptions) -> None:
    quotas = world["quotas"].reshape(len(queue.shares), len(units))
    shares = world["shares"]
    withholds = shares["reserves"] != 0
    if assumptions.waiting_lender == "hold":
        withholds |= shares["waiting"] > 0
    if assumptions.disabled_share == "withheld":
        withholds |= shares["enabled"] == 0
    shares["withholds"] = withholds
    quotas["held"] = np.where(withholds[:, None], np.maximum(0, quotas["limit"] - quotas["usage"]), 0)
    usable = assumptions.unassigned_capacity == "borrowable"
    unassigned = np.array([0 if usable else queue.unassigned(name) for name in units], np.int64)
    capacity = np.array([queue.environment.limit(name) for name in units], np.int64)
    world["units"]["spare"] = capacity - quotas["usage"].sum(axis=0) - unassigned - quotas["held"].sum(axis=0)
    over = quotas["usage"] - quotas["stopping"] > quotas["limit"]
    world["units"]["over"] = over.sum(axis=0)


def reconfigured(world: World, queue: Queue, update: ShareUpdate | EnvironmentUpdate, index: int) -> Queue:
    """The queue after a configuration change, which the log gets a record of."""
    event, note = world.get("events"), world.get("notes")
    world["events"][event] = (world.get("now"), NOWHERE, codes.CONFIGURED, codes.NO_REASON)
    world.set(events=event + 1)
    if index:
        world["notes"][note] = (event, index, NOWHERE)
        world.set(notes=note + 1)
    return configured(queue, update)
