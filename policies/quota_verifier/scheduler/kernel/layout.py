"""The kernel's memory: one record type for each thing, and all tables of a run.

Zero is the resting value of most fields, because tables come zeroed and untouched pages cost nothing. Jobs,
shares, lanes and units are named by their rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Row = Any
"""A record of a table, by reference: numpy's types know no fields. `w: Row` is the WORLD record."""

Table = Any
"""A one-dimensional array of records."""

NOWHERE = -1
FOREVER = (1 << 63) - 1
NO_LEVEL = (1 << 31) - 1

UNSUBMITTED, WAITING, PLACED, STOPPING, OVER = range(5)
"""Phases of a job."""

IN_LINE = -1
"""In `prev` of a waiting job: it stands in line, not on the pile."""


def _record(i8: str = "", i4: str = "", i1: str = "") -> np.dtype[np.void]:
    fields = [(name, kind) for kind, names in (("i8", i8), ("i4", i4), ("i1", i1)) for name in names.split()]
    return np.dtype(fields, align=True)


JOB = _record(
    i8="first_start end lost kept",
    i4="lane row prev next preemptions level verdict",
    i1="phase state reason",
)
"""What changes about every job: one cache line. `state` and `reason` are those of its outcome, once it has one.

`row` is 1 + the span of the current or last run. Of a placed job, `prev` and `next` are its neighbours in a
list; of a waiting one, `prev` is its place on the pile, or IN_LINE; of a stopping one, `next` is its place
in `stopping`.
"""

RARE = _record(
    i8="capacity_wait head_since blocked_since stop_order claimed_at",
    i4="failed_runs failures_seen",
    i1="has_head_since blocked_by was_head was_blocked",
)
"""What changes about few jobs; `claimed_at` is 0 without a claim."""

LANE = _record(
    i8="startup stop restore count",
    i4="share ask_first ask_last unit quota head first line_head line_tail line_level piled",
    i1="never fits_ever",
)
"""The jobs of one share with one demand. Waiting ones stand in line as submitted, or on the pile (a heap).

`first` is where the lane's part of `line` and `pile` starts. `unit`, `count` and `quota` (the row of share and
unit) are those of the first ask. `never` is 0, or the code of R21's reason under the configuration in force.
"""

ASK = _record(i8="count over", i4="unit", i1="lacks contested")
"""Instances of a unit that a lane's jobs need; the rest belongs to a search for victims for one of them."""

SHARE = _record(
    i8="waiting leaving returning claiming key",
    i4="lane_first lane_last heads active_at cursor cursor_level",
    i1="known withholds borrows reserves in_share enabled",
)
"""`heads` of them are in the table `heads` from `lane_first` on, up to date if `known`."""

QUOTA = _record(i8="usage limit cap held stopping")
"""One share on one unit."""

FREED = _record(i8="all chosen claimed")
"""By share and ask, in a search: what the jobs that leave free, the victims among them; what claimants are to get."""

UNIT = _record(i8="spare over mark")
"""`spare` is F - N - what all shares hold back; `over` counts the shares above their limit."""

LIST = _record(i4="first last")
"""The placed jobs of one share and level, by dispatch."""

ENDING = _record(i8="at key")
"""An entry of a heap of instants; an ending's key is job << 32 | span << 1 | whether it is the end of a stop."""

EVENT = _record(i8="at", i4="job", i1="kind reason")
NOTE = _record(i8="event value", i4="by")
"""`by` and `value` of the few events that have them; SUBMITTED's value is the job's first priority."""

SPAN = _record(i8="start run stop end lost", i4="job attempt by", i1="how")
"""A run, written at dispatch: rows stand in the order of dispatches. While it lasts `how` is how it will end."""

FAIL = _record(i8="after", i4="verdict", i1="capacity retry")

UPDATE = _record(i8="at value", i4="job level", i1="terminate late")
"""`job` is NOWHERE for a configuration change, `level` is NOWHERE where the priority stays."""

RANK = _record(i8="first row", i4="job")

LONG, INT, BYTE = _record(i8="value"), _record(i4="value"), _record(i1="value")

TABLES = {
    "jobs": JOB,
    "rare": RARE,
    "submit": LONG,
    "work": LONG,
    "queued": LONG,
    "shape": INT,
    "lane_of": INT,
    "first_level": INT,
    "lanes": LANE,
    "asks": ASK,
    "shares": SHARE,
    "quotas": QUOTA,
    "units": UNIT,
    "endings": ENDING,
    "deadlines": ENDING,
    "spans": SPAN,
    "events": EVENT,
    "notes": NOTE,
    "line": INT,
    "pile": INT,
    "heads": INT,
    "old_heads": INT,
    "active": INT,
    "order": INT,
    "lists": LIST,
    "masks": LONG,
    "stopping": INT,
    "claims": INT,
    "blocked": INT,
    "disorder": INT,
    "attempts": LONG,
    "retries": LONG,
    "timeout": LONG,
    "checkpoint": LONG,
    "timeout_retry": BYTE,
    "fail_first": LONG,
    "fails": FAIL,
    "updates": UPDATE,
    "freed": FREED,
    "taken": INT,
    "ranks": RANK,
}
"""Every table with its record type."""

COUNTERS = (
    "now waiting active rows events notes endings placed stopping claims deadlines blocked "
    "submitted updated update_from last_share rounds in_vain stops stage dirty disorders unsorted"
)
SETTINGS = (
    "until pause_at environment_enabled queue_enabled in_share_count "
    "blocking share_order by_head_since hold withhold_disabled victim_order back preempt_first "
    "levels list_levels mask_words width watch_heads capacity_limit environment_limit quota_limit "
    "has_failures plain_ends "
    "attempts_step retries_step timeout_step checkpoint_step timeout_retry_step level_step "
    "job_count share_count unit_count lane_count update_count event_room note_room span_room "
    "deadline_room disorder_room"
)
"""A `*_step` is 1 where a column has a row for each job, 0 where one row serves all."""

CONSTANTS = frozenset((*SETTINGS.split(), *(f"{name}_at" for name in TABLES)))
"""What only the caller changes, between two calls: settings, and the addresses of the tables."""

WORLD = _record(i8=f"{COUNTERS} {SETTINGS} {' '.join(f'{name}_at' for name in TABLES)}")
"""The run as a whole."""
