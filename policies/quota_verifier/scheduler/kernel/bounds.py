"""What the kernel can count: it works with 64-bit integers, where the reference has no limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quota_verifier.model import JobUpdate, Queue, ShareUpdate, Update
from quota_verifier.scheduler.timing import Delay, Timing
from quota_verifier.workload.columns import JobColumns

_MOST_JOBS = 1 << 30
_MOST_INSTANCES = 1 << 32
_LATEST = float(1 << 60)


def beyond_bounds(queue: Queue, jobs: JobColumns, updates: Sequence[Update], timing: Timing) -> str:
    """Why the kernel cannot simulate this, or an empty text.

    What must fit: an instant after all work was done one job after the other, ten times over; instances times a
    job's work.
    """
    if len(jobs.submit_ms) > _MOST_JOBS:
        return f"{len(jobs.submit_ms)} jobs are more than {_MOST_JOBS}"
    demands = [shape.demand for shape in jobs.shapes]
    limits = [queue.environment.limits, *(share.limits for share in queue.shares)]
    changes = [update.limits for update in updates if not isinstance(update, JobUpdate) and update.limits]
    most = max((count for counts in (*demands, *limits, *changes) for count in counts.values()), default=0)
    percents = [share.borrow_limit for share in queue.shares]
    percents += [update.borrow_limit for update in updates if isinstance(update, ShareUpdate)]
    if most * max(1, max((percent or 0 for percent in percents), default=0)) > _MOST_INSTANCES:
        return f"{most} instances, or what may be borrowed on top, are more than {_MOST_INSTANCES}"
    work = np.asarray(jobs.work_ms, np.float64)
    longest = float(work.max(initial=0))
    latest = float(np.max(jobs.submit_ms, initial=0)) + 10 * (float(work.sum()) + len(work) * _delays(timing))
    latest += float(max((update.at_ms for update in updates), default=0))
    if latest > _LATEST or longest * most > _LATEST:
        return "its times do not fit 64 bits"
    return ""


def _delays(timing: Timing) -> int:
    def longest(delay: Delay) -> int:
        return max((delay.default_ms, *delay.by_unit.values()))

    return longest(timing.startup) + longest(timing.stop) + longest(timing.restore)
