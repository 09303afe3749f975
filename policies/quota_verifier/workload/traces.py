"""Jobs of a trace -> a workload: groups to shares, sizes to instances, one time axis, one account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue
from quota_verifier.workload.check import check_workload
from quota_verifier.workload.columns import UNSET, JobColumns, Shape, job_list
from quota_verifier.workload.instants import iso_date
from quota_verifier.workload.mapping import check_shares, with_instances, with_priorities, with_shares, with_units
from quota_verifier.workload.options import EVERY_GROUP, TraceOptions, stated
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.records import Account, Details, in_full
from quota_verifier.workload.window import jobs_in_window
from quota_verifier.workload.workload import Workload

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BURST = 20
_BURST_PERCENT = 1
_LABELS = {"group": "group", "user": "user", "rank": "class", "model": "gpu"}
"""What a trace tells of a job besides its size, and the label that keeps it."""


def workload_from_trace(
    jobs: pl.DataFrame,
    account: Account,
    *,
    source: str,
    options: TraceOptions,
    queue: Queue | None,
    counted: str = "instances",
    parts: int = 1,
    details: Mapping[str, Details] | None = None,
) -> Workload:
    """The workload of a trace's jobs, a frame with columns as the fields of `TraceJob`.

    `counted` names what sizes count (GPUs, processors), `parts` how many of a size make one of them; a job gets
    that divided by what one instance has, rounded up. `details` tells by place (`where`) what a job's submission
    asked for in place of that. Jobs outside the window and of groups without a share are skipped and counted. Time
    counts from the first job that is left. Raises InputError for shares that `queue` does not have, and where no job
    is left.
    """
    check_shares(options, queue, source)
    found = _padded(in_full(jobs))
    seen = set(found["group"].unique())
    used = with_shares(jobs_in_window(found, account, options, source), account, options)
    if details is None and not used.is_empty():
        used = with_units(used, account, options, queue, source)
    if used.is_empty():
        raise InputError(
            "the trace holds no job to use", source=source, remedy=_what_became_of_it(account) or "give another"
        )
    origin = int(used.select("submit_ms").min().item())
    used = used.with_columns(pl.col("submit_ms") - origin)
    if details is None:
        used = with_instances(used, _per_instance(counted, options), parts, source)
        used = with_priorities(used, account, options)
    _note_burst(used, account, options)
    account.remarks += [
        f"shares names the group {group!r}, which the trace does not mention"
        for group in sorted((options.shares or {}).keys() - seen - {EVERY_GROUP})
    ]
    start = {"start": iso_date(origin)} if account.dated else {}
    delays = used.filter(pl.col("queue_delay_ms").is_not_null())
    workload = Workload(
        job_list(_columns(used, options), source) if details is None else _detailed(used, details, options),
        source=source,
        skipped=tuple(sorted(account.skipped, key=lambda skip: (skip.reason, len(skip.where), skip.where))),
        censored=account.censored,
        merged=account.merged,
        warnings=account.warnings,
        rules={**stated(options), **_size_rules(used, counted, options), **start, **account.rules},
        queue_delays=dict(zip(delays["id"], delays["queue_delay_ms"], strict=True)),
    )
    return check_workload(workload, queue)


def _per_instance(counted: str, options: TraceOptions) -> int | Mapping[str, int]:
    chosen = {"GPUs": options.gpus_per_instance, "processors": options.processors_per_instance}
    return chosen.get(counted) or 1


def _size_rules(used: pl.DataFrame, counted: str, options: TraceOptions) -> dict[str, str]:
    """The unit of all jobs where none was chosen, and how sizes became instances."""
    units = {"unit": used["unit"][0]} if "unit" in used.columns and options.units is None else {}
    if counted == "instances":
        return units
    per = _per_instance(counted, options)
    by = per if isinstance(per, int) else ", ".join(f"{count} for {unit}" for unit, count in sorted(per.items()))
    return {**units, "instances": f"{counted} divided by {by}, rounded up"}


def _padded(jobs: pl.DataFrame) -> pl.DataFrame:
    """Job numbers with leading zeros, so that jobs of one instant keep the order of their numbers."""
    lengths = jobs["id"].str.len_chars()
    if lengths.n_unique() < 2 or not jobs["id"].str.contains("^[0-9]+$").all():
        return jobs
    return jobs.with_columns(pl.col("id").str.pad_start(int(jobs.select(lengths.max()).item()), "0"))


def _columns(used: pl.DataFrame, options: TraceOptions) -> JobColumns:
    shapes, shape = _coded(used, ("share", "unit", "instances"))
    label_sets, labels = _coded(used, tuple(_LABELS))
    return JobColumns(
        ids=used["id"].to_list(),
        submit_ms=used["submit_ms"].to_numpy(),
        work_ms=used["work_ms"].to_numpy(),
        shape=shape,
        shapes=tuple(Shape(share, {unit: instances}) for share, unit, instances in shapes.iter_rows()),
        priority=used["priority"].to_numpy() if options.priorities else 0,
        checkpoint_ms=UNSET if options.checkpoint is None else options.checkpoint,
        labels=labels,
        label_sets=tuple(
            {label: value for label, value in zip(_LABELS.values(), values, strict=True) if value}
            for values in label_sets.iter_rows()
        ),
    )


def _coded(used: pl.DataFrame, names: Sequence[str]) -> tuple[pl.DataFrame, NDArray[np.int32]]:
    """The distinct rows of some columns in order, and for each row the position of its own."""
    distinct = used.select(names).unique().sort(names)
    places = distinct.with_row_index("place")
    rows = used.select(names).join(places, on=names, how="left", maintain_order="left")
    return distinct, rows["place"].to_numpy().astype(np.int32)


def _detailed(used: pl.DataFrame, details: Mapping[str, Details], options: TraceOptions) -> tuple[Job, ...]:
    """The jobs whose submissions are known, each with what it asked for."""
    names = ("id", "where", "share", "submit_ms", "work_ms", "group", "user")
    jobs: list[Job] = []
    for name, where, share, submit_ms, work_ms, group, user in used.select(names).iter_rows():
        asked = details[where]
        marks = {key: value for key, value in (("group", group), ("user", user)) if value}
        jobs.append(
            Job(
                id=name,
                share=share,
                submit_ms=submit_ms,
                work_ms=work_ms,
                demand=asked.demand,
                priority=asked.priority,
                attempts=asked.attempts,
                preemption_retries=asked.preemption_retries,
                timeout_ms=asked.timeout_ms,
                checkpoint_ms=options.checkpoint,
                retry_rules=asked.retry_rules,
                labels={**asked.labels, **marks},
            )
        )
    return tuple(jobs)


def _note_burst(used: pl.DataFrame, account: Account, options: TraceOptions) -> None:
    """Many jobs at the first instant may stand for jobs that were there before the recording started."""
    at_start = int(used.select((pl.col("submit_ms") == 0).sum()).item())
    if options.recording_start is None and at_start > max(_BURST, len(used) * _BURST_PERCENT // 100):
        account.notes[
            "jobs at the first instant, which some traces use for 'before the recording' (recording_start)"
        ] = at_start


def _what_became_of_it(account: Account) -> str:
    counts = Counter(skip.reason for skip in account.skipped)
    parts = [f"{reason}: {count}" for reason, count in sorted(counts.items())]
    if account.censored:
        parts.append(f"end unknown: {account.censored}")
    remarks = f" ({'; '.join(account.remarks)})" if account.remarks else ""
    return f"of its rows, {', '.join(parts)}{remarks}" if parts else ""
