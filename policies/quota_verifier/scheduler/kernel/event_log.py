"""The kernel's event log as the columns of a run: `by` and `value` are kept apart, because few events have them."""

from __future__ import annotations

import numpy as np

from quota_verifier.scheduler.columns import EventColumns
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel.layout import NOWHERE, Table
from quota_verifier.scheduler.kernel.world import World
from quota_verifier.scheduler.records import Records, read_events
from quota_verifier.workload.columns import JobColumns


def event_records(world: World, jobs: JobColumns) -> Records[Event, EventColumns]:
    """The events of a run; their columns are put together when somebody looks."""
    events = world["events"][: world.get("events")]
    notes = world["notes"][: world.get("notes")]
    return Records(len(events), lambda: _columns(events, notes, jobs), read_events)


def _columns(events: Table, notes: Table, jobs: JobColumns) -> EventColumns:
    by = np.full(len(events), NOWHERE, np.int32)
    by[notes["event"]] = notes["by"]
    value = np.zeros(len(events), np.int64)
    value[notes["event"]] = notes["value"]
    if np.any(jobs.priority):
        new = np.flatnonzero(events["kind"] == codes.SUBMITTED)
        value[new] = np.broadcast_to(jobs.priority, len(jobs.submit_ms))[events["job"][new]]
    return EventColumns(
        at=events["at"], kind=events["kind"], job=events["job"], by=by, reason=events["reason"], value=value
    )
