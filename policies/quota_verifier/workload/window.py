"""The part of a trace between `since` and `until`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quota_verifier.errors import InputError
from quota_verifier.workload.instants import ZONE_REMEDY, Instant, LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.records import Account

if TYPE_CHECKING:
    import polars as pl


def jobs_in_window(jobs: pl.DataFrame, account: Account, options: TraceOptions, source: str) -> pl.DataFrame:
    """The jobs submitted from `since` on and before `until`; the others are skipped and counted.

    Raises InputError for a date where the trace tells none, or a date without a zone.
    """
    if (options.since is None and options.until is None) or jobs.is_empty():
        return jobs
    submit_ms = jobs["submit_ms"]
    first = int(jobs.select("submit_ms").min().item())
    inside = submit_ms >= (_edge(options.since, "since", first, account, options, source) if options.since else first)
    if options.until is not None:
        inside &= submit_ms < _edge(options.until, "until", first, account, options, source)
    account.skip_all(jobs.filter(~inside)["where"], "submitted outside the window")
    return jobs.filter(inside)


def _edge(instant: Instant, name: str, first: int, account: Account, options: TraceOptions, source: str) -> int:
    if instant.form == "duration":
        return first + instant.ms
    problem, remedy = "", ""
    if not account.dated:
        problem = f"{instant.text!r} is a date, but the trace tells no dates"
        remedy = "write a duration after its first job"
    elif instant.form == "local date" and options.timezone is None:
        problem, remedy = f"the date {instant.text!r} has no zone", ZONE_REMEDY
    if problem:
        raise InputError(problem, source=source, where=name, remedy=remedy)
    if instant.form == "local date":
        return LocalClock(time_zone(options.timezone or "UTC")).local_ms(instant.ms)
    return instant.ms
