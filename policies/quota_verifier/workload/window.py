"""The part of a trace between `since` and `until`."""

from __future__ import annotations

from collections.abc import Sequence

from quota_verifier.errors import InputError
from quota_verifier.workload.instants import ZONE_REMEDY, Instant, LocalClock, time_zone
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.records import Account, TraceJob


def jobs_in_window(
    records: Sequence[TraceJob], account: Account, options: TraceOptions, source: str
) -> Sequence[TraceJob]:
    """The jobs submitted from `since` on and before `until`; the others are skipped and counted.

    Raises InputError for a date where the trace tells none, or a date without a zone.
    """
    if (options.since is None and options.until is None) or not records:
        return records
    first = min(record.submit_ms for record in records)
    since = first if options.since is None else _edge(options.since, "since", first, account, options, source)
    until = None if options.until is None else _edge(options.until, "until", first, account, options, source)
    inside: list[TraceJob] = []
    for record in records:
        if record.submit_ms < since or (until is not None and record.submit_ms >= until):
            account.skip(record.where, "submitted outside the window")
        else:
            inside.append(record)
    return inside


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
