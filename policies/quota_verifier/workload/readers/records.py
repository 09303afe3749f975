"""One job as a trace tells it, and the account of the rows that are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from quota_verifier.model import RetryRule
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
    before the first run where the trace tells it.
    """

    id: str
    group: str
    submit_ms: int
    work_ms: int
    size: int
    where: str
    queue_delay_ms: int | None = None
    user: str = ""
    details: Details | None = None


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

    @property
    def warnings(self) -> tuple[str, ...]:
        """Counted notes, then remarks."""
        return (*(f"{text}: {count}" for text, count in self.notes.items() if count), *self.remarks)
