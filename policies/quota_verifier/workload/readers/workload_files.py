"""Our own workload files as formats: JSON, YAML, and CSV with the same column names."""

from __future__ import annotations

from pathlib import Path

from quota_verifier.documents import parse_document
from quota_verifier.model import Queue
from quota_verifier.workload.build import workload_from_data
from quota_verifier.workload.options import TraceOptions
from quota_verifier.workload.readers.reader import Reader
from quota_verifier.workload.sources import read_source
from quota_verifier.workload.table import read_table
from quota_verifier.workload.workload import Workload


def _read_document(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    document = parse_document(read_source(path), source=str(path))
    return workload_from_data(document.data, source=str(path), line_of=document.line_of, queue=queue, options=options)


def _read_table(path: Path, options: TraceOptions, queue: Queue | None) -> Workload:
    return read_table(read_source(path), source=str(path), queue=queue, options=options)


READERS = (
    Reader(
        name="json",
        summary="workload file in JSON",
        read=_read_document,
        takes=("timezone", "unit", "checkpoint"),
        endings=(".json",),
    ),
    Reader(
        name="yaml",
        summary="workload file in YAML",
        read=_read_document,
        takes=("timezone", "unit", "checkpoint"),
        endings=(".yaml", ".yml"),
    ),
    Reader(
        name="csv",
        summary="workload file in CSV, one job a row; other headings through columns",
        read=_read_table,
        takes=("timezone", "shares", "unit", "columns", "recording_start", "checkpoint"),
        endings=(".csv",),
    ),
)
