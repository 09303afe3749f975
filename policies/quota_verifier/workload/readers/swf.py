"""Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 fields a line, -1 where unknown.

Size is the number of processors asked for, else the number given. Jobs that failed or were killed used the
machine and stay. A job may stand on several lines, one for the whole and one for each part of it between
checkpoints (status 2 to 4); the parts are merged into the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.workload.options import EVERY_GROUP, TraceOptions
from quota_verifier.workload.readers.cells import seconds, whole
from quota_verifier.workload.readers.reader import EXAMPLES, GROUPS, WINDOW, Reader
from quota_verifier.workload.readers.records import Account, TraceJob
from quota_verifier.workload.sources import read_source
from quota_verifier.workload.traces import workload_from_trace
from quota_verifier.workload.workload import Workload

_FIELDS = 18
_GROUP_FIELDS = {"user": 11, "group": 12, "application": 13, "queue": 14, "partition": 15}
_CANCELLED = 5
_PARTS = frozenset({2, 3, 4})
_START = re.compile(r";\s*UnixStartTime:\s*(\d+)\s*$")


def read(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    """The workload of an SWF file. Raises InputError."""
    if options.group_by is None and set(options.shares or ()) != {EVERY_GROUP}:
        raise InputError(
            "the format swf needs group_by: shares tells groups apart",
            source=str(path),
            remedy=f"{EXAMPLES['group_by']} ({', '.join(_GROUP_FIELDS)})",
        )
    account = Account(rules={"size": "processors asked for, else processors given"})
    return workload_from_trace(
        _jobs(path, options, account),
        account,
        source=str(path),
        options=options,
        queue=queue,
        per_instance=options.processors_per_instance or 1,
        counted="processors",
    )


class _Line(NamedTuple):
    """The fields in use, None where unknown; times in ms."""

    id: str
    submit_ms: int
    wait_ms: int | None
    run_ms: int
    size: int
    status: int
    user: str
    group: str
    where: str


def _jobs(path: Path, options: TraceOptions, account: Account) -> Iterator[TraceJob]:
    group_field = _GROUP_FIELDS[options.group_by] if options.group_by else None
    start_ms = 0
    wholes: set[str] = set()
    parts: dict[str, list[_Line]] = {}
    for number, text in enumerate(read_source(path, "latin-1").split("\n"), 1):
        if text.lstrip().startswith(";"):
            if header := _START.match(text.strip()):
                start_ms, account.dated = int(header[1]) * 1_000, True
            continue
        fields = text.split()
        where = f"line {number}"
        if not fields:
            continue
        reason = _fault(fields, options)
        if reason:
            account.skip(where, reason)
            continue
        line = _line(fields, start_ms, group_field, where)
        if line.status in _PARTS:
            parts.setdefault(line.id, []).append(line)
            continue
        wholes.add(line.id)
        account.notes["jobs of run time 0 (less than half a second)"] += line.run_ms == 0
        yield _record(line)
    for name, lines in parts.items():
        account.merged += len(lines) - (name not in wholes)
        if name not in wholes:
            yield _record(lines[0]._replace(run_ms=sum(line.run_ms for line in lines)))


def _fault(fields: Sequence[str], options: TraceOptions) -> str:
    """Why the line is no job to use; empty where it is one."""
    if len(fields) != _FIELDS:
        return f"line of {len(fields)} fields in place of {_FIELDS}"
    submit_ms, run_ms = seconds(fields[1]), seconds(fields[3])
    given, asked, status = whole(fields[4]), whole(fields[7]), whole(fields[10])
    if submit_ms is None or run_ms is None or given is None or asked is None or status is None:
        return "a field is no number"
    if options.recording_start is not None and fields[1] == options.recording_start:
        return "submitted before the recording started"
    if submit_ms < 0:
        return "no submit time"
    if run_ms < 0 or (run_ms == 0 and given <= 0 and status == _CANCELLED):
        return "cancelled before it started" if status == _CANCELLED else "no run time"
    return "no size" if max(asked, given) <= 0 else ""


def _line(fields: Sequence[str], start_ms: int, group_field: int | None, where: str) -> _Line:
    asked, given, wait_ms = whole(fields[7]) or 0, whole(fields[4]) or 0, seconds(fields[2])
    return _Line(
        id=fields[0],
        submit_ms=start_ms + (seconds(fields[1]) or 0),
        wait_ms=None if wait_ms is None or wait_ms < 0 else wait_ms,
        run_ms=seconds(fields[3]) or 0,
        size=asked if asked > 0 else given,
        status=whole(fields[10]) or 0,
        user="" if fields[11] == "-1" else fields[11],
        group="" if group_field is None else fields[group_field],
        where=where,
    )


def _record(line: _Line) -> TraceJob:
    return TraceJob(line.id, line.group, line.submit_ms, line.run_ms, line.size, line.where, line.wait_ms, line.user)


READER = Reader(
    name="swf",
    summary="Standard Workload Format 2.2; group is the field that group_by names",
    read=read,
    needs=(GROUPS, ("processors_per_instance", "it counts processors, not instances")),
    takes=("group_by", "unit", "checkpoint", "recording_start", *WINDOW),
    endings=(".swf",),
)
