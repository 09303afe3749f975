"""Workload files in CSV: one job a row, with the column names of the other forms; updates in rows with `at`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quota_verifier.documents import DataPath
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.validation import did_you_mean, field_path, validate_file
from quota_verifier.workload.build import workload_from_rows
from quota_verifier.workload.options import EVERY_GROUP, TraceOptions
from quota_verifier.workload.schema import UPDATES, JobRow, UpdateRow, update_model
from quota_verifier.workload.workload import Skipped, Workload

JOB_COLUMNS = tuple(JobRow.model_fields)
UPDATE_COLUMNS = tuple(dict.fromkeys(name for row in UPDATES.values() for name in row.model_fields))
TRACE_HEADINGS: Mapping[str, frozenset[str]] = {
    "philly": frozenset({"timestamp", "duration", "num_gpus", "gpu_time", "cluster"}),
    "helios": frozenset({"job_id", "vc", "gpu_num", "submit_time", "start_time", "end_time"}),
}
"""Traces that are CSV files too, by their headings: named in the message to whoever forgot the format."""
SPLIT_COLUMNS = ("demand", "labels")
"""Maps that may also be spread over columns of their own: `demand.ml.g5.xlarge`, `labels.class`."""

_WHOLE = re.compile(r"[+-]?\d+")


def _number(cell: str) -> object:
    return int(cell) if _WHOLE.fullmatch(cell) else cell


def _switch(cell: str) -> object:
    return {"true": True, "false": False}.get(cell.lower(), cell)


def _json(cell: str) -> object:
    try:
        return json.loads(cell)
    except ValueError:
        raise InputError(f"{cell!r} is not JSON", remedy='write a list such as [{"after": "5m"}]') from None


def _pairs(cell: str, value_of: Callable[[str], object]) -> object:
    """`{"ml.g5.xlarge": 1}` or `ml.g5.xlarge=1;ml.p5.48xlarge=2` as a map."""
    if cell.startswith("{"):
        return _json(cell)
    pairs: dict[str, object] = {}
    for part in cell.split(";"):
        name, equals, value = part.partition("=")
        if not equals or name.strip() in pairs:
            problem = f"{name.strip()!r} stands twice" if equals else f"{part!r} is not NAME=VALUE"
            raise InputError(problem, remedy="write ml.g5.xlarge=1;ml.p5.48xlarge=2, or a JSON map")
        pairs[name.strip()] = value_of(value.strip())
    return pairs


def _counts(cell: str) -> object:
    return _pairs(cell, _number)


def _texts(cell: str) -> object:
    return _pairs(cell, str)


_CELLS: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("instances", "priority", "attempts", "preemption_retries", "borrow_limit"), _number),
    **dict.fromkeys(("terminate", "in_share_preemption"), _switch),
    **dict.fromkeys(("fails", "retry_rules"), _json),
    **dict.fromkeys(("demand", "limits", "environment"), _counts),
    "labels": _texts,
}


class _Column(NamedTuple):
    """One column in use: where it stands in the row, our name of it, and the key inside a split map."""

    place: int
    name: str
    key: str

    @property
    def heading(self) -> str:
        return f"{self.name}.{self.key}" if self.key else self.name


def read_table(text: str, *, source: str, queue: Queue | None, options: TraceOptions) -> Workload:
    """The workload of a CSV text. Raises InputError with FILE:LINE and column for the first mistake.

    An empty cell is a value not given, `null` is null. A row with something in `at` is an update. Blank
    rows are skipped and counted, as are jobs whose group has no share.
    """
    rows = _numbered(text, source)
    header_line, header = next(rows, (1, list[str]()))
    columns = _columns(header, f"{source}:{header_line}", options)
    found: dict[str, list[JobRow | UpdateRow]] = {"jobs": [], "updates": []}
    lines: dict[str, list[int]] = {"jobs": [], "updates": []}
    skipped: list[Skipped] = []
    for line, cells in rows:
        data = _row(cells, columns, len(header), f"{source}:{line}")
        reason = _skip_reason(data, options)
        if reason:
            skipped.append(Skipped(f"line {line}", reason))
            continue
        kind = "updates" if "at" in data else "jobs"
        found[kind].append(_validated(data, source, line))
        lines[kind].append(line)

    def place(path: DataPath) -> tuple[str, str]:
        if len(path) < 2:
            return source, ""
        return f"{source}:{lines[str(path[0])][int(path[1])]}", field_path(path[2:])

    return workload_from_rows(
        [row for row in found["jobs"] if isinstance(row, JobRow)],
        [row for row in found["updates"] if not isinstance(row, JobRow)],
        place=place,
        source=source,
        queue=queue,
        options=options,
        skipped=tuple(skipped),
        rules=_ignored(header, columns),
    )


def _numbered(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line that it starts at."""
    reader = csv.reader(io.StringIO(text), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"malformed CSV: {error}", source=f"{source}:{line}") from None


def _columns(header: Sequence[str], source: str, options: TraceOptions) -> list[_Column]:
    if not any(header):
        raise InputError("there is no header", source=source, remedy=f"name the columns: {', '.join(JOB_COLUMNS)}")
    twice = [name for index, name in enumerate(header) if name in header[:index]]
    if twice:
        raise InputError(f"the column {twice[0]!r} stands twice", source=source, remedy="keep one of them")
    if options.columns is None:
        return [_column(index, name, source, header) for index, name in enumerate(header)]
    for ours, theirs in options.columns.items():
        if theirs not in header:
            raise InputError(
                f"columns takes {ours!r} from {theirs!r}, which the file does not have",
                source=source,
                where="columns",
                remedy=did_you_mean(theirs, header),
            )
    return [_column(header.index(theirs), ours, source, ()) for ours, theirs in options.columns.items()]


def _column(index: int, name: str, source: str, header: Sequence[str]) -> _Column:
    base, dot, key = name.partition(".")
    if dot and key and base in SPLIT_COLUMNS:
        return _Column(index, base, key)
    known = dict.fromkeys((*JOB_COLUMNS, *UPDATE_COLUMNS))
    if name not in known:
        remedy = did_you_mean(name, known)
        likely = next((name for name, headings in TRACE_HEADINGS.items() if headings.issubset(header)), None)
        raise InputError(
            f"unknown column {name!r}",
            source=source,
            remedy=f"the columns are those of the format {likely}: name it"
            if likely
            else f"{remedy}; other headings go through columns",
        )
    return _Column(index, name, "")


def _row(cells: Sequence[str], columns: Sequence[_Column], width: int, source: str) -> dict[str, object]:
    """The values of one row by our names; nothing for a blank row."""
    data: dict[str, object] = {}
    if not any(cells):
        return data
    if len(cells) != width:
        raise InputError(
            f"the row has {len(cells)} cells, the header has {width}",
            source=source,
            remedy="put cells that hold a comma in double quotes",
        )
    for column in columns:
        cell = cells[column.place]
        if not cell:
            continue
        try:
            _put(data, column, cell)
        except InputError as error:
            raise InputError(error.problem, source=source, where=column.heading, remedy=error.remedy) from None
    return data


def _put(data: dict[str, object], column: _Column, cell: str) -> None:
    if not column.key:
        if column.name in data:
            raise InputError("is given twice", remedy=f"fill {column.name} or its split columns")
        nullable = cell == "null" and column.name in _CELLS.keys() | {"timeout", "checkpoint"}
        data[column.name] = None if nullable else _CELLS.get(column.name, str)(cell)
        return
    part = data.setdefault(column.name, {})
    if not isinstance(part, dict) or column.key in part:
        raise InputError("is given twice", remedy=f"fill {column.name} or its split columns")
    if column.name == "labels" or cell != "0":
        part[column.key] = cell if column.name == "labels" else _number(cell)


def _skip_reason(data: dict[str, object], options: TraceOptions) -> str:
    """Why the row is no job of the workload; turns a group into its share on the way."""
    if not data:
        return "blank row"
    if options.recording_start is not None and data.get("submit") == options.recording_start:
        return "submitted before the recording started"
    if options.shares is not None and "at" not in data:
        group = str(data.get("share", ""))
        share = options.shares.get(group, options.shares.get(EVERY_GROUP))
        if share is None:
            return f"group {group!r} has no share"
        data["share"] = share
    return ""


def _validated(data: dict[str, object], source: str, line: int) -> JobRow | UpdateRow:
    def line_of(_path: DataPath) -> int:
        return line

    if "at" not in data:
        return validate_file(JobRow, data, source, line_of)
    try:
        model = update_model(data)
    except InputError as error:
        raise error.within(f"{source}:{line}") from None
    return validate_file(model, data, source, line_of)


def _ignored(header: Sequence[str], columns: Sequence[_Column]) -> dict[str, str]:
    used = {column.place for column in columns}
    ignored = [name for index, name in enumerate(header) if index not in used]
    return {"ignored columns": ", ".join(ignored)} if ignored else {}
