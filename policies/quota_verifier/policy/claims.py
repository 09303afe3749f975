"""Claims: what must hold, one comparison each, as frozen data with a sentence of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quota_verifier.durations import format_duration
from quota_verifier.figures.distribution import Statistic
from quota_verifier.policy.bounds import Bound
from quota_verifier.policy.wording import bound_text
from quota_verifier.scheduler.run import State

Measure = Literal[
    "wait",
    "turnaround",
    "slowdown",
    "starvation",
    "reclaimed_within",
    "preemptions",
    "thrash",
    "lost_work",
    "cost",
    "lost_work_cost",
    "disruption_ratio",
    "utilization",
    "idle_reserved",
    "never_schedulable",
    "finished",
    "starts",
    "ends",
]
Part = Statistic | Literal["every", "total", "cross_share", "in_share", "caused", ""]
"""Which number of a measure: a statistic over jobs, every job, or a count by kind."""

WHOLE_QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a claim is about: the jobs of a share, with these labels, on this unit, or one job."""

    share: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    unit: str | None = None
    job: str | None = None

    @property
    def text(self) -> str:
        """`share QS3`, `class urgent`, `class team=vision`, `share QS3, unit ml.g5.xlarge`, or `queue`."""
        labels = " ".join(value if key == "class" else f"{key}={value}" for key, value in self.labels)
        parts = (("share", self.share), ("class", labels), ("unit", self.unit), ("job", self.job))
        return ", ".join(f"{name} {value}" for name, value in parts if value) or WHOLE_QUEUE


@dataclass(frozen=True, slots=True)
class MeasureClaim:
    """A measure of the subject compared with a bound. `source` and `where` name the place in the policy file."""

    subject: Subject
    measure: Measure
    part: Part
    bound: Bound
    source: str = ""
    where: str = ""

    @property
    def text(self) -> str:
        """The claim as a verdict names it: `share QS3: wait p95 <= 5m`."""
        noun = "reclaim" if self.measure == "reclaimed_within" else self.measure.replace("_", " ")
        before = "every " if self.part == "every" else ""
        after = "" if self.part in ("every", "total", "") else f" {self.part.replace('_', '-')}"
        return f"{self.subject.text}: {before}{noun}{after} {bound_text(self.bound)}"


@dataclass(frozen=True, slots=True)
class StateClaim:
    """A job's state after the scheduling pass of an instant, or at the end of the run."""

    subject: Subject
    state: State
    at_ms: int | None
    source: str = ""
    where: str = ""

    @property
    def text(self) -> str:
        """`job high: state RUNNABLE at 25s`."""
        when = "at the end" if self.at_ms is None else f"at {format_duration(self.at_ms)}"
        return f"{self.subject.text}: state {self.state.value} {when}"


@dataclass(frozen=True, slots=True)
class JobSetClaim:
    """Exactly which jobs of the queue, or of a share, run or wait after the scheduling pass of an instant."""

    subject: Subject
    which: Literal["running", "waiting"]
    jobs: tuple[str, ...]
    at_ms: int
    source: str = ""
    where: str = ""

    @property
    def text(self) -> str:
        """`queue: running high, qs2j at 10s`."""
        return f"{self.subject.text}: {self.which} {', '.join(self.jobs) or 'nothing'} at {format_duration(self.at_ms)}"


@dataclass(frozen=True, slots=True)
class PreemptorsClaim:
    """Exactly which jobs preempted a job, in order."""

    subject: Subject
    by: tuple[str, ...]
    source: str = ""
    where: str = ""

    @property
    def text(self) -> str:
        """`job med: preempted by qs2j`."""
        return f"{self.subject.text}: preempted by {', '.join(self.by) or 'nobody'}"


Claim = MeasureClaim | StateClaim | JobSetClaim | PreemptorsClaim
