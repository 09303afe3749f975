"""Jobs as a trace tells them, by the row or in one frame, and the account of the rows that are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from quota_verifier.model import RetryRule
from quota_verifier.workload.readers.late import pl
from quota_verifier.workload.workload import Skipped


class Details(NamedTuple):
    """What only AWS's own job lists tell: demand by unit and the settings of the submission."""

    demand: Mapping[str, int]
    priority: int = 0
    attempts: int = 1
    preemption_retries: int | None = None
    timeout_ms: int | None = None
    retry_rules: tuple[RetryRule, ...] = ()
    labels: Mapping[str, str] = {}


class TraceJob(NamedTuple):
    """A job of a trace. `submit_ms` counts from 1970 where the account is dated, else from the trace's start.

    `size` is in the trace's own unit (GPUs, processors), `work_ms` the time it ran, `queue_delay_ms` its wait
    before the first run where the trace tells it, `rank` what the option `priorities` maps to a priority (a QoS, a
    type of job), `model` the accelerators that it may use, with `|` between alternatives.
    """

    id: str
    group: str
    submit_ms: int
    work_ms: int
    size: int
    where: str
    queue_delay_ms: int | None = None
    user: str = ""
    rank: str = ""
    model: str = ""


def trace_frame(jobs: Iterable[TraceJob]) -> pl.DataFrame:
    """The frame of jobs that were read one by one: a column for each field of `TraceJob`."""
    return pl.DataFrame(list(jobs), schema=_schema(), orient="row")


def in_full(frame: pl.DataFrame) -> pl.DataFrame:
    """`frame` with each field of `TraceJob` as a column; those that a format does not tell take their default."""
    schema = _schema()
    absent = {name: schema[name] for name in schema if name not in frame.columns}
    defaults = TraceJob._field_defaults
    return frame.select(
        pl.lit(defaults[name], dtype).alias(name) if name in absent else pl.col(name).cast(dtype)
        for name, dtype in schema.items()
    )


def _schema() -> dict[str, type[pl.DataType]]:
    numbers = {"submit_ms", "work_ms", "size", "queue_delay_ms"}
    return {name: pl.Int64 if name in numbers else pl.String for name in TraceJob._fields}


@dataclass(slots=True)
class Account:
    """Every row of a trace that is not a job of the workload, and what else is worth saying.

    `notes` counts what is worth a warning, `remarks` are warnings in full; `rules` says how the file was read.
    """

    skipped: list[Skipped] = field(default_factory=list[Skipped])
    censored: int = 0
    merged: int = 0
    dated: bool = False
    notes: Counter[str] = field(default_factory=Counter[str])
    remarks: list[str] = field(default_factory=list[str])
    rules: dict[str, str] = field(default_factory=dict[str, str])

    def skip(self, where: str, reason: str) -> None:
        """Count a row that is no job of the workload."""
        self.skipped.append(Skipped(where, reason))

    def skip_rows(self, rows: pl.DataFrame) -> None:
        """Count rows that are no jobs of the workload, by their columns `where` and `reason`."""
        self.skipped.extend(map(Skipped, rows["where"], rows["reason"]))

    def skip_all(self, places: Iterable[str], reason: str) -> None:
        """Count rows that are no jobs of the workload for one reason."""
        self.skipped.extend(Skipped(where, reason) for where in places)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Counted notes, then remarks."""
        return (*(f"{text}: {count}" for text, count in self.notes.items() if count), *self.remarks)
