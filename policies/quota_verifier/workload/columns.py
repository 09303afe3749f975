"""Jobs as numpy columns: what a workload of millions of jobs is made of, at some 20 bytes a job."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from quota_verifier.errors import InputError
from quota_verifier.model import Failure, Job, RetryRule
from quota_verifier.workload.canonical import canonical_order, first_twin
from quota_verifier.workload.job_list import JobList

Ints = NDArray[np.integer]
V = TypeVar("V")

UNSET = -1
"""In a column: the property is not set."""


class Shape(NamedTuple):
    """What many jobs have in common: their share and what they ask for."""

    share: str
    demand: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class JobColumns:
    """Jobs by row; `shape` is a position in `shapes`, times are ms.

    `ids` are texts, or whole numbers from 0 on that stand for their decimal digits. A column that is the same for
    every job may be one number. UNSET stands for no timeout, checkpoint interval or limit of preemption
    retries. `failures` holds the few rows that have any; `rules` and `labels` are positions in
    `rule_sets` and `label_sets`.
    """

    ids: Ints | Sequence[str]
    submit_ms: Ints
    work_ms: Ints
    shape: Ints
    shapes: tuple[Shape, ...]
    priority: Ints | int = 0
    attempts: Ints | int = 1
    preemption_retries: Ints | int = UNSET
    timeout_ms: Ints | int = UNSET
    checkpoint_ms: Ints | int = UNSET
    failures: Mapping[int, tuple[Failure, ...]] = field(default_factory=dict[int, tuple[Failure, ...]])
    rules: Ints | int = 0
    rule_sets: tuple[tuple[RetryRule, ...], ...] = ((),)
    labels: Ints | int = 0
    label_sets: tuple[Mapping[str, str], ...] = ({},)

    def id(self, row: int) -> str:
        """The id of a job."""
        return str(self.ids[row])

    def rules_of(self, row: int) -> tuple[RetryRule, ...]:
        """The `evaluateOnExit` rules of a job."""
        return self.rule_sets[_at(self.rules, row)]

    def job(self, row: int) -> Job:
        """The job of a row as a record."""
        share, demand = self.shapes[int(self.shape[row])]
        return Job(
            id=self.id(row),
            share=share,
            submit_ms=int(self.submit_ms[row]),
            work_ms=int(self.work_ms[row]),
            demand=demand,
            priority=_at(self.priority, row),
            attempts=_at(self.attempts, row),
            preemption_retries=_optional(self.preemption_retries, row),
            timeout_ms=_optional(self.timeout_ms, row),
            checkpoint_ms=_optional(self.checkpoint_ms, row),
            failures=self.failures.get(row, ()),
            retry_rules=self.rules_of(row),
            labels=self.label_sets[_at(self.labels, row)],
        )

    def rows_of(self, ids: Iterable[str]) -> dict[str, int]:
        """The rows of some jobs by id; an unknown id is left out."""
        wanted = set(ids)
        if not wanted:
            return {}
        if isinstance(self.ids, np.ndarray):
            numbers = np.array(sorted(int(name) for name in wanted if _is_number(name)), np.int64)
            rows = np.flatnonzero(np.isin(self.ids, numbers)).tolist()
            return {self.id(row): row for row in rows}
        return {name: row for row, name in enumerate(self.ids) if name in wanted}


def job_list(columns: JobColumns, source: str = "") -> JobList:
    """The jobs of `columns` in canonical order, for `Workload(jobs=...)`.

    Raises InputError for columns of unequal length and for an id that stands twice.
    """
    count = len(columns.submit_ms)
    for name, values in _columns(columns):
        if len(values) != count:
            problem = f"{len(values)} values in the column {name}, but {count} in submit_ms"
            raise InputError(problem, source=source, remedy="give every job one value in each column")
    twin = first_twin(columns.ids)
    if twin is not None:
        raise InputError(f"job id {twin!r} stands for several jobs", source=source, remedy="give every job its own id")
    order = canonical_order(columns.submit_ms, columns.ids)
    return JobList(columns if order is None else _taken(columns, order))


def columns_of(jobs: Sequence[Job]) -> JobColumns:
    """The columns of jobs in canonical order: those that a `JobList` has, or new ones."""
    if isinstance(jobs, JobList):
        return jobs.columns
    shapes, shape = _shapes(jobs)
    rule_sets, rules = _coded(jobs, attrgetter("retry_rules"), tuple)
    label_sets, labels = _coded(jobs, attrgetter("labels"), lambda labels: tuple(labels.items()))
    return JobColumns(
        ids=[job.id for job in jobs],
        submit_ms=_long([job.submit_ms for job in jobs]),
        work_ms=_long([job.work_ms for job in jobs]),
        shape=shape,
        shapes=shapes,
        priority=_long([job.priority for job in jobs]),
        attempts=_long([job.attempts for job in jobs]),
        preemption_retries=_long([_unset_or(job.preemption_retries) for job in jobs]),
        timeout_ms=_long([_unset_or(job.timeout_ms) for job in jobs]),
        checkpoint_ms=_long([_unset_or(job.checkpoint_ms) for job in jobs]),
        failures={row: job.failures for row, job in enumerate(jobs) if job.failures},
        rules=rules,
        rule_sets=rule_sets,
        labels=labels,
        label_sets=label_sets,
    )


def _shapes(jobs: Sequence[Job]) -> tuple[tuple[Shape, ...], Ints]:
    """The distinct shapes, and for each job the position of its own. Jobs often share one mapping."""
    seen: dict[tuple[str, int], int] = {}
    codes: dict[tuple[object, ...], int] = {}
    shapes: list[Shape] = []
    column = np.empty(len(jobs), np.int32)
    for row, job in enumerate(jobs):
        code = seen.get((job.share, id(job.demand)))
        if code is None:
            key = (job.share, *job.demand.items())
            code = codes.get(key)
            if code is None:
                code = codes[key] = len(shapes)
                shapes.append(Shape(job.share, job.demand))
            seen[job.share, id(job.demand)] = code
        column[row] = code
    return tuple(shapes), column


def _coded(
    jobs: Sequence[Job], value_of: Callable[[Job], V], key_of: Callable[[V], Hashable]
) -> tuple[tuple[V, ...], Ints]:
    """The distinct values of a property, and for each job the position of its own."""
    codes: dict[Hashable, int] = {}
    values: list[V] = []
    column = np.empty(len(jobs), np.int32)
    for row, job in enumerate(jobs):
        value = value_of(job)
        key = key_of(value) if value else None
        code = codes.get(key)
        if code is None:
            code = codes[key] = len(values)
            values.append(value)
        column[row] = code
    return tuple(values), column


def _long(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def _unset_or(value: int | None) -> int:
    return UNSET if value is None else max(0, value)


def _at(column: Ints | int, row: int) -> int:
    return column if isinstance(column, int) else int(column[row])


def _optional(column: Ints | int, row: int) -> int | None:
    value = _at(column, row)
    return None if value == UNSET else value


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name


_NAMES = (
    "ids", "submit_ms", "work_ms", "shape", "priority", "attempts", "preemption_retries", "timeout_ms",
    "checkpoint_ms", "rules", "labels",
)  # fmt: skip


def _columns(columns: JobColumns) -> list[tuple[str, Ints | Sequence[str]]]:
    values = [(name, getattr(columns, name)) for name in _NAMES]
    return [(name, value) for name, value in values if not isinstance(value, int)]


def _taken(columns: JobColumns, order: NDArray[np.intp]) -> JobColumns:
    """The columns with their rows in another order."""
    changed: dict[str, Any] = {
        name: values[order] if isinstance(values, np.ndarray) else [values[row] for row in order]
        for name, values in _columns(columns)
    }
    if columns.failures:
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        changed["failures"] = {int(place[row]): failures for row, failures in columns.failures.items()}
    return replace(columns, **changed)
