"""Where a report comes from: the program, the files, and how they were read."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

from typing_extensions import TypedDict

from quota_verifier.scheduler import Delay, Run, Timing
from quota_verifier.workload import Workload


class WorkloadProvenance(TypedDict):
    """A workload's source, and an account of its rows: jobs - copied + skipped + censored + merged."""

    source: str
    rules: dict[str, str]
    jobs: int
    updates: int
    skipped: dict[str, int]
    censored: int
    merged: int
    copied: int
    warnings: list[str]


class Provenance(TypedDict):
    """What a run was made of. `source` is the queue's file, `until` the horizon in seconds, null where none was set."""

    version: str
    engine: str
    source: str
    queue: str
    workload: WorkloadProvenance
    until: float | None


class DelaysDocument(TypedDict, total=False):
    """Delays of one unit that differ from those of the others, in seconds."""

    startup: float
    stop: float
    restore: float


class TimingDocument(TypedDict):
    """The delays that were used, in seconds."""

    startup: float
    stop: float
    restore: float
    by_unit: dict[str, DelaysDocument]


def version() -> str:
    """The version of the installed distribution; `not installed` where it runs from a bare clone."""
    try:
        return installed_version("quota-shares")
    except PackageNotFoundError:
        return "not installed"


def provenance(run: Run, workload: Workload, until_ms: int | None) -> Provenance:
    """Where the figures of `run` come from."""
    return {
        "version": version(),
        "engine": run.engine,
        "source": run.queue.source,
        "queue": run.queue.name,
        "workload": workload_provenance(workload),
        "until": None if until_ms is None else until_ms / 1000,
    }


def workload_provenance(workload: Workload) -> WorkloadProvenance:
    """Where a workload comes from, and what became of the rows of its source."""
    return {
        "source": workload.source,
        "rules": dict(workload.rules),
        "jobs": len(workload.jobs),
        "updates": len(workload.updates),
        "skipped": workload.skipped_by_reason,
        "censored": workload.censored,
        "merged": workload.merged,
        "copied": workload.copied,
        "warnings": list(workload.warnings),
    }


def timing_document(timing: Timing) -> TimingDocument:
    """The delays of `timing` in seconds."""
    delays: dict[str, Delay] = {"startup": timing.startup, "stop": timing.stop, "restore": timing.restore}
    by_unit: dict[str, DelaysDocument] = {}
    for name, delay in delays.items():
        for unit, ms in delay.by_unit.items():
            by_unit.setdefault(unit, {})[name] = ms / 1000
    return {
        "startup": timing.startup.default_ms / 1000,
        "stop": timing.stop.default_ms / 1000,
        "restore": timing.restore.default_ms / 1000,
        "by_unit": dict(sorted(by_unit.items())),
    }
