"""Access to the tables of a run from compiled code: `jobs(w, job)` is the record of a job, by reference.

The tables are numpy arrays that the caller keeps. Compiled code gets their addresses in the WORLD
record instead of the arrays: with so many of them, numba would spend minutes on passing them around.
"""

from __future__ import annotations

from quota_verifier.scheduler.kernel.rows import record_at, table

jobs = table("jobs")
rare = table("rare")
submit = table("submit")
work = table("work")
queued = table("queued")
shape = table("shape")
lane_of = table("lane_of")
first_level = table("first_level")
lanes = table("lanes")
asks = table("asks")
shares = table("shares")
quotas = table("quotas")
units = table("units")
endings = table("endings")
spans = table("spans")
deadlines = table("deadlines", "endings")
events = table("events")
notes = table("notes")
line = table("line")
pile = table("pile")
heads = table("heads")
old_heads = table("old_heads")
active = table("active")
order = table("order")
lists = table("lists")
masks = table("masks")
stopping = table("stopping")
claims = table("claims")
blocked = table("blocked")
disorder = table("disorder")
attempts = table("attempts")
retries = table("retries")
timeout = table("timeout")
checkpoint = table("checkpoint")
timeout_retry = table("timeout_retry")
fail_first = table("fail_first")
fails = table("fails")
updates = table("updates")
freed = table("freed")
taken = table("taken")
ranks = table("ranks")

entry = record_at("endings")
"""An entry of a heap, by the heap's address."""

world = record_at("world")
"""The world, by its address and 0."""
