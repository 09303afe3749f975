"""The document of `workload`: an account of a trace's rows, and the load that its jobs are."""

from __future__ import annotations

from collections import Counter

import numpy as np
from typing_extensions import TypedDict

from quota_verifier.report.load import load_numbers
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import workload_columns
from quota_verifier.workload.load import (
    UnitLoad,
    arrival_span,
    instance_seconds,
    instance_seconds_of_shares,
    load_warnings,
)


class SkippedDocument(TypedDict):
    """A row of the source that is no job, and why."""

    where: str
    reason: str


class ShareJobs(TypedDict):
    """The jobs of one share."""

    jobs: int
    instance_seconds: float


class WorkloadDocument(TypedDict):
    """What `quota-shares workload --json` prints.

    The source's rows are jobs - copied + skipped + censored + merged. `offered_load` is by unit, null where no
    capacity is known or the jobs come in one burst; above 1 waits tell of the overload. `span` is the time in
    seconds that the submissions stand for.
    """

    source: str
    jobs: int
    updates: int
    skipped: dict[str, int]
    censored: int
    merged: int
    copied: int
    instance_seconds: float
    offered_load: dict[str, float | None]
    span: float
    warnings: list[str]
    rules: dict[str, str]
    shares: dict[str, ShareJobs]
    skipped_rows: list[SkippedDocument]


def workload_document(
    workload: Workload, loads: tuple[UnitLoad, ...], span_ms: int | None, assumed: tuple[str, ...] = ()
) -> WorkloadDocument:
    """The document about `workload`; `assumed` says what nobody chose. A capacity of 0 is one that nobody told."""
    span = arrival_span(workload) if span_ms is None else span_ms
    return {
        "source": workload.source,
        "jobs": len(workload.jobs),
        "updates": len(workload.updates),
        "skipped": workload.skipped_by_reason,
        "censored": workload.censored,
        "merged": workload.merged,
        "copied": workload.copied,
        "instance_seconds": float(instance_seconds(workload)),
        "offered_load": load_numbers(loads),
        "span": round(float(span) / 1000, 3),
        "warnings": [*assumed, *workload.warnings, *load_warnings(tuple(load for load in loads if load.capacity))],
        "rules": dict(workload.rules),
        "shares": _shares(workload),
        "skipped_rows": [{"where": skip.where, "reason": skip.reason} for skip in workload.skipped],
    }


def _shares(workload: Workload) -> dict[str, ShareJobs]:
    columns = workload_columns(workload)
    counts: Counter[str] = Counter()
    for shape, count in zip(columns.shapes, np.bincount(columns.shape, minlength=len(columns.shapes)), strict=True):
        counts[shape.share] += int(count)
    work = instance_seconds_of_shares(workload)
    return {name: {"jobs": counts[name], "instance_seconds": float(work[name])} for name in sorted(work)}
