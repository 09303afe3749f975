"""A workload: jobs and updates, with an account of every row that they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from quota_verifier.errors import InputError
from quota_verifier.model import EnvironmentUpdate, Job, JobUpdate, ShareUpdate, Update
from quota_verifier.workload.job_list import JobList

if TYPE_CHECKING:
    from quota_verifier.workload.columns import JobColumns


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that is not a job of the workload: where it stood, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Workload:
    """Jobs in canonical order (submit time, then id), whatever the order of the rows they came from.

    Updates are ordered by time, then by what they change. `rules` states how the source was read (group to
    share, GPUs to instances, time zone) and is echoed in reports. `censored` counts jobs whose end
    the source does not tell, `merged` rows that were joined into another job; both are no part of `skipped`,
    so the rows of the source are jobs - copied + skipped + censored + merged; `copied` counts jobs that were
    added to scale the load. `queue_delays` holds, by job id, the
    wait before the first run in ms that the source recorded, for comparison with a simulation. Millions of
    jobs are better given as columns, with `columns.job_list`. Raises InputError for two jobs of one id.
    """

    jobs: Sequence[Job]
    updates: tuple[Update, ...] = ()
    source: str = ""
    skipped: tuple[Skipped, ...] = ()
    censored: int = 0
    merged: int = 0
    copied: int = 0
    warnings: tuple[str, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict[str, str])
    queue_delays: Mapping[str, int] = field(default_factory=dict[str, int])
    columns: JobColumns | None = field(default=None, init=False, repr=False, compare=False)
    """The jobs as columns, once somebody needed them: see `columns.workload_columns`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "updates", tuple(sorted(self.updates, key=_update_order)))
        if isinstance(self.jobs, JobList):
            return  # in order, and each id once
        ordered = tuple(sorted(self.jobs, key=attrgetter("submit_ms", "id")))
        object.__setattr__(self, "jobs", ordered)
        twice = [name for name, count in Counter(job.id for job in ordered).items() if count > 1]
        if twice:
            raise InputError(
                f"job id {twice[0]!r} stands for {sum(job.id == twice[0] for job in ordered)} jobs",
                source=self.source,
                remedy="give every job its own id",
            )

    @property
    def skipped_by_reason(self) -> dict[str, int]:
        """How many rows were skipped for each reason, most first."""
        counts = Counter(skip.reason for skip in self.skipped)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def subject_of(update: Update) -> tuple[str, str]:
    """What an update changes: its kind, and its name (empty for the environment)."""
    match update:
        case JobUpdate():
            return "job", update.job
        case ShareUpdate():
            return "share", update.share
        case EnvironmentUpdate():
            return "environment", ""


def _update_order(update: Update) -> tuple[int, str, str]:
    return (update.at_ms, *subject_of(update))
