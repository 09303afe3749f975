"""The document of `import`: the queue, the files, and an account of every job."""

from __future__ import annotations

from typing_extensions import TypedDict

from quota_verifier.aws.live.files import Imported
from quota_verifier.aws.live.measured import Measure, MeasuredTiming
from quota_verifier.report.provenance import WorkloadProvenance, version, workload_provenance
from quota_verifier.template import queue_document


class MeasureDocument(TypedDict):
    """Times in seconds, with how many were seen. `used` is what a replay takes."""

    count: int
    low: float
    used: float
    high: float


class MeasuredDocument(TypedDict):
    """Startup times by unit, and the stop time where preemptions show it; null where none does."""

    startup: dict[str, MeasureDocument]
    stop: MeasureDocument | None


class ImportDocument(TypedDict):
    """What `quota-shares import --json` prints; `workload` is null where no job has ended."""

    version: str
    source: str
    queue: dict[str, object]
    directory: str
    files: list[str]
    kept: list[str]
    workload: WorkloadProvenance | None
    measured: MeasuredDocument | None


def import_document(found: Imported) -> ImportDocument:
    """The document about an import."""
    return {
        "version": version(),
        "source": found.queue.source,
        "queue": queue_document(found.queue),
        "directory": found.directory.as_posix(),
        "files": list(found.files),
        "kept": list(found.kept),
        "workload": None if found.workload is None else workload_provenance(found.workload),
        "measured": None if found.measured is None else measured_document(found.measured),
    }


def measured_document(measured: MeasuredTiming) -> MeasuredDocument:
    """The times that a history shows."""
    return {
        "startup": {unit: _measure(one) for unit, one in measured.startup.items()},
        "stop": None if measured.stop is None else _measure(measured.stop),
    }


def _measure(one: Measure) -> MeasureDocument:
    return {"count": one.count, "low": one.low_ms / 1000, "used": one.used_ms / 1000, "high": one.high_ms / 1000}
