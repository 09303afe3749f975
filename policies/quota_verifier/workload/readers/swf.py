"""Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 fields a line, -1 where unknown.

Size is the number of processors asked for, else the number given. Jobs that failed or were killed used the
machine and stay. A job may stand on several lines, one for the whole and one for each part of it between
checkpoints (status 2 to 4); the parts are merged into the whole.
"""

from __future__ import annotations

from pathlib import Path

from quota_verifier.model import Queue
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.cells import seconds_column, whole_column
from quota_verifier.workload.readers.flat import first_reason, read_rows, where
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.readers.lines import word_frames
from quota_verifier.workload.readers.reader import GROUPS, WINDOW, Reader, need_group
from quota_verifier.workload.readers.records import Account
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_FIELDS = 18
_SUBMIT, _WAIT, _RUN, _GIVEN, _ASKED, _STATUS = 1, 2, 3, 4, 7, 10
_GROUPS = {"user": 11, "group": 12, "application": 13, "queue": 14, "partition": 15}
_CANCELLED = 5
_PARTS = (2, 3, 4)
_START = r"^;\s*UnixStartTime:\s*([0-9]+)$"
_SHORT = "jobs of run time 0 (less than half a second)"


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of an SWF file. Raises InputError."""
    need_group("swf", options, tuple(_GROUPS), str(path))
    account = Account(rules={"size": "processors asked for, else processors given"})
    start_ms = 0

    def judge(block: pl.DataFrame) -> pl.DataFrame:
        nonlocal start_ms
        starts = block["text"].drop_nulls().str.extract(_START).drop_nulls()
        if len(starts):
            start_ms, account.dated = int(starts[-1]) * 1_000, True
        return _judged(block.filter(pl.col("cells").is_not_null()), options)

    lines = read_rows(word_frames(path, comment=";"), judge, account)
    jobs = _merged(lines, account).with_columns(pl.col("submit_ms") + start_ms) if len(lines) else lines
    return workload_from_trace(jobs, account, source=str(path), options=options, queue=queue, counted="processors")


def _judged(lines: pl.DataFrame, options: TraceOptions) -> pl.DataFrame:
    def words(field: int) -> pl.Series:
        return lines["cells"].list.get(field, null_on_oob=True).fill_null("")

    submit = words(_SUBMIT)
    submit_ms, wait_ms, run_ms = seconds_column(submit), seconds_column(words(_WAIT)), seconds_column(words(_RUN))
    given, asked, status = whole_column(words(_GIVEN)), whole_column(words(_ASKED)), whole_column(words(_STATUS))
    user = words(_GROUPS["user"])
    width = lines["cells"].list.len()
    unknown = submit_ms.is_null() | run_ms.is_null() | given.is_null() | asked.is_null() | status.is_null()
    cancelled = (status == _CANCELLED) & ((run_ms < 0) | ((run_ms == 0) & (given <= 0)))
    early = submit.eq_missing(options.recording_start)
    return lines.select(
        where(),
        id=words(0),
        group=words(_GROUPS[options.group_by]) if options.group_by else pl.lit(""),
        submit_ms=submit_ms,
        work_ms=run_ms,
        size=asked.zip_with(asked > 0, given),
        queue_delay_ms=wait_ms.set((wait_ms < 0).fill_null(False), None),
        user=user.set(user == "-1", ""),
        note=status.is_in(_PARTS),
        reason=first_reason(
            (width != _FIELDS, pl.format("line of {} fields in place of {}", pl.lit(width), pl.lit(_FIELDS))),
            (unknown, "a field is no number"),
            (early, "submitted before the recording started"),
            (submit_ms < 0, "no submit time"),
            (cancelled, "cancelled before it started"),
            (run_ms < 0, "no run time"),
            ((asked <= 0) & (given <= 0), "no size"),
        ),
    )


def _merged(lines: pl.DataFrame, account: Account) -> pl.DataFrame:
    """The jobs of all lines; parts of a job are left to its whole, or added up where it has none."""
    wholes, parts = lines.filter(~pl.col("note")), lines.filter(pl.col("note"))
    account.notes[_SHORT] += wholes.select((pl.col("work_ms") == 0).sum()).item()
    alone = parts.join(wholes, on="id", how="anti").sort("submit_ms", "work_ms", "size", "group", "user")
    total = pl.col("work_ms").sum()
    joined = alone.group_by("id", maintain_order=True).agg(total, pl.exclude("id", "work_ms").first())
    account.merged += len(parts) - len(joined)
    return pl.concat([wholes, joined.select(wholes.columns)]) if len(parts) else wholes


READER = Reader(
    name="swf",
    summary="Standard Workload Format 2.2; group is the field that group_by names",
    read=read,
    needs=(GROUPS, ("processors_per_instance", "it counts processors, not instances")),
    takes=("group_by", "unit", "checkpoint", "recording_start", *WINDOW),
    endings=(".swf",),
)
