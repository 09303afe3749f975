"""A workload: jobs and updates, with an account of every row that they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from quota_verifier.errors import InputError
from quota_verifier.model import Job, Update


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that is not a job of the workload: where it stood, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Workload:
    """Jobs in canonical order (submit time, then id), whatever the order of the rows they came from.

    `rules` states how the source was read (group to share, GPUs to instances, time zone) and is
    echoed in reports. `censored` counts jobs whose end the source does not tell, `merged` rows
    that were joined into another job. Raises InputError for two jobs of one id.
    """

    jobs: tuple[Job, ...]
    updates: tuple[Update, ...] = ()
    source: str = ""
    skipped: tuple[Skipped, ...] = ()
    censored: int = 0
    merged: int = 0
    warnings: tuple[str, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.jobs, key=lambda job: (job.submit_ms, job.id)))
        object.__setattr__(self, "jobs", ordered)
        twice = [name for name, count in Counter(job.id for job in ordered).items() if count > 1]
        if twice:
            raise InputError(
                f"job id {twice[0]!r} stands for {sum(job.id == twice[0] for job in ordered)} jobs",
                source=self.source,
                remedy="give every job its own id",
            )
