"""The checks of jobs in columns at once: millions of sound jobs are not looked at one by one."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from quota_verifier.durations import LONGEST_MS
from quota_verifier.workload.columns import UNSET, Ints, JobColumns
from quota_verifier.workload.schema import HIGHEST_PRIORITY, MOST_ATTEMPTS


def are_sound(columns: JobColumns, shares: Collection[str] | None, units: Collection[str] | None) -> bool:
    """Whether no job of `columns` has a problem that `check.check_jobs` would name; None knows every name."""
    return (
        all(
            demand
            and min(demand.values()) >= 1
            and (shares is None or share in shares)
            and (units is None or all(unit in units for unit in demand))
            for share, demand in columns.shapes
        )
        and _within(columns.submit_ms, 0, LONGEST_MS)
        and _within(columns.work_ms, 0, LONGEST_MS)
        and _within(columns.priority, 0, HIGHEST_PRIORITY)
        and _within(columns.attempts, 1, MOST_ATTEMPTS)
        and _within(columns.preemption_retries, UNSET, None)
        and _never_zero(columns.timeout_ms)
        and _never_zero(columns.checkpoint_ms)
        and all(failure.after_ms >= 0 for failures in columns.failures.values() for failure in failures)
    )


def _within(column: Ints | int, low: int, high: int | None) -> bool:
    values = np.asarray(column)
    return not values.size or bool(values.min() >= low and (high is None or values.max() <= high))


def _never_zero(column: Ints | int) -> bool:
    return bool((np.asarray(column) != 0).all()) and _within(column, UNSET, None)
