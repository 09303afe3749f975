"""Objectives: the numbers that variants are compared by, and how a run gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from quota_verifier.errors import InputError
from quota_verifier.figures import Figures, GroupFigures
from quota_verifier.model import Queue
from quota_verifier.policy.bounds import Value
from quota_verifier.words import did_you_mean

Better = Literal["less", "more"]
Kind = Literal["duration", "count", "ratio", "instances", "instance-time"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a run gives for the jobs of a share; None where it is unbounded.

    `overall` says what stands for the whole queue: the worst of the shares, or all jobs together.
    """

    text: str
    kind: Kind
    better: Better
    overall: Literal["worst share", "queue"]
    of: Callable[[GroupFigures], Value | None]


def _finished(jobs: GroupFigures) -> Fraction | None:
    return Fraction(jobs.jobs.succeeded, _submitted(jobs)) if _submitted(jobs) else None


def _submitted(jobs: GroupFigures) -> int:
    return jobs.jobs.jobs - jobs.jobs.not_submitted


FIGURES: Mapping[str, Figure] = {
    "wait_mean": Figure("mean wait", "duration", "less", "worst share", lambda jobs: jobs.wait.mean),
    "wait_p50": Figure("p50 wait", "duration", "less", "worst share", lambda jobs: jobs.wait.p50),
    "wait_p95": Figure("p95 wait", "duration", "less", "worst share", lambda jobs: jobs.wait.p95),
    "wait_max": Figure("longest wait", "duration", "less", "worst share", lambda jobs: jobs.wait.max),
    "turnaround_p95": Figure("p95 turnaround", "duration", "less", "worst share", lambda jobs: jobs.turnaround.p95),
    "preemptions": Figure(
        "preemptions", "count", "less", "queue", lambda jobs: jobs.preempted_cross_share + jobs.preempted_in_share
    ),
    "lost_work": Figure("lost work", "instance-time", "less", "queue", lambda jobs: jobs.lost_instance_time_ms),
    "finished": Figure("finished", "ratio", "more", "queue", _finished),
}
CAPACITY, MARGIN, UTILIZATION = "capacity", "margin", "utilization"
NAMES = (CAPACITY, MARGIN, *FIGURES, UTILIZATION)


@dataclass(frozen=True, slots=True)
class Objective:
    """Something to have less or more of. `share` and `unit` narrow it, None is the whole queue."""

    name: str
    text: str
    kind: Kind
    better: Better
    share: str | None = None
    unit: str | None = None

    @property
    def is_capacity(self) -> bool:
        """Whether the queue's configuration alone decides it."""
        return self.kind == "instances"

    def capacity_of(self, queue: Queue) -> int:
        """The environment's instances, of one unit or in all."""
        return sum(count for unit, count in queue.environment.limits.items() if self.unit in (None, unit))

    def rank(self, value: Value | None) -> tuple[int, Value]:
        """Smaller is better, and no value worst."""
        if value is None:
            return 1, 0
        return 0, value if self.better == "less" else -value


def default_objectives(queue: Queue) -> tuple[Objective, ...]:
    """Capacity (each unit by itself), the worst claim's margin, the longest p95 wait, preemptions, lost work."""
    units = tuple(queue.environment.limits)
    capacity = [CAPACITY] if len(units) == 1 else [f"{CAPACITY}.{unit}" for unit in units]
    names = (*capacity, MARGIN, "wait_p95", "preemptions", "lost_work")
    return tuple(objective(name, queue) for name in names)


def objective(name: str, queue: Queue) -> Objective:
    """The objective that `name` names, such as `wait_p95` or `wait_p95.QS3`. Raises InputError where there is none."""
    head, _, rest = name.partition(".")
    if head == CAPACITY:
        _known(name, "unit", rest, tuple(queue.environment.limits))
        return Objective(name, rest or "instances", "instances", "less", unit=rest or None)
    if head == MARGIN and not rest:
        return Objective(name, "margin", "ratio", "more")
    if head == UTILIZATION and not rest:
        return Objective(name, "utilization", "ratio", "more")
    if head not in FIGURES:
        remedy = f"{head} has no parts" if head in NAMES else did_you_mean(head, NAMES)
        raise InputError(f"there is no objective {name!r}", remedy=remedy)
    _known(name, "share", rest, tuple(share.name for share in queue.shares))
    figure = FIGURES[head]
    whose = f" {rest}" if rest else ", worst share" if figure.overall == "worst share" else ""
    return Objective(name, figure.text + whose, figure.kind, figure.better, share=rest or None)


def _known(name: str, what: str, rest: str, known: tuple[str, ...]) -> None:
    if rest and rest not in known:
        raise InputError(f"{name!r}: the queue has no {what} {rest!r}", remedy=did_you_mean(rest, known))


def run_figures(figures: Figures) -> dict[str, Value | None]:
    """Every number of a run by the name of its objective; shares without jobs have none."""
    found: dict[str, Value | None] = {UTILIZATION: figures.queue.utilization}
    shares = {share.name: share.group for share in figures.shares if _submitted(share.group)}
    for name, figure in FIGURES.items():
        of_shares = {share: figure.of(group) for share, group in shares.items()}
        found.update({f"{name}.{share}": value for share, value in of_shares.items()})
        if figure.overall == "queue":
            found[name] = figure.of(figures.queue.group)
        else:
            found[name] = worst(of_shares.values(), figure.better)
    return found


def worst(values: Iterable[Value | None], better: Better) -> Value | None:
    """The worst of the values: one that is unbounded, else the largest, or the smallest where more is better."""
    known: list[Value] = []
    for value in values:
        if value is None:
            return None
        known.append(value)
    if not known:
        return None
    return max(known) if better == "less" else min(known)
