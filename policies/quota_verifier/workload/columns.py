"""Jobs as numpy columns: what a workload of millions of jobs is made of, at some 20 bytes a job."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from quota_verifier.errors import InputError
from quota_verifier.model import Failure, Job, RetryRule
from quota_verifier.workload.canonical import canonical_order, first_twin
from quota_verifier.workload.job_list import JobList
from quota_verifier.workload.workload import Workload

Ints = NDArray[np.integer]
V = TypeVar("V")

_BLOCK = 1 << 16
_LOW_BITS = 26

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
        return self.rule_sets[self.rules if isinstance(self.rules, int) else int(self.rules[row])]

    def job(self, row: int) -> Job:
        """The job of a row as a record."""
        return self.some(slice(row, row + 1))[0]

    def some(self, rows: slice) -> list[Job]:
        """The jobs of some rows as records."""
        numbers = range(*rows.indices(len(self.submit_ms)))

        def values(column: Ints | int) -> Iterable[int]:
            return repeat(column, len(numbers)) if isinstance(column, int) else column[rows].tolist()

        def optional(column: Ints | int) -> Iterable[int | None]:
            return (None if value == UNSET else value for value in values(column))

        table = zip(
            map(str, self.ids[rows]),
            map(self.shapes.__getitem__, values(self.shape)),
            values(self.submit_ms),
            values(self.work_ms),
            values(self.priority),
            values(self.attempts),
            optional(self.preemption_retries),
            optional(self.timeout_ms),
            optional(self.checkpoint_ms),
            map(self.rule_sets.__getitem__, values(self.rules)),
            map(self.label_sets.__getitem__, values(self.labels)),
            map(self.failures.get, numbers, repeat(())),
            strict=False,
        )
        return [
            Job(name, shape.share, submit, work, shape.demand, priority, attempts, retries, timeout, checkpoint,
                failures, rules, labels)
            for name, shape, submit, work, priority, attempts, retries, timeout, checkpoint, rules, labels, failures
            in table
        ]  # fmt: skip

    def first_rows(self) -> list[int]:
        """The first row of each shape that has any, in order."""
        count = len(self.shape)
        first = np.full(len(self.shapes), count, np.int64)
        for start in range(0, count, _BLOCK):
            rows = np.arange(start, min(start + _BLOCK, count))[::-1]
            seen = np.full(len(first), count, np.int64)
            seen[self.shape[rows]] = rows
            first = np.minimum(first, seen)
            if int(first.max()) < count:
                break
        return sorted(row for row in first.tolist() if row < count)

    def work_of_shapes(self) -> dict[int, int]:
        """For each shape that has any job, by its first job: the work of its jobs, in ms and exact."""
        parts = (self.work_ms >> _LOW_BITS, self.work_ms & ((1 << _LOW_BITS) - 1))  # floats add up each exactly
        high, low = (np.bincount(self.shape, weights=part, minlength=len(self.shapes)) for part in parts)
        codes = (int(self.shape[row]) for row in self.first_rows())
        return {code: (int(high[code]) << _LOW_BITS) + int(low[code]) for code in codes}

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

    Raises InputError for columns of unequal length, a shape that is not there, and an id that stands twice.
    """
    count = len(columns.submit_ms)
    for name, values in _columns(columns):
        if len(values) != count:
            problem = f"{len(values)} values in the column {name}, but {count} in submit_ms"
            raise InputError(problem, source=source, remedy="give every job one value in each column")
    if count and not 0 <= int(columns.shape.min()) <= int(columns.shape.max()) < len(columns.shapes):
        problem = f"the column shape names rows {columns.shape.min()} to {columns.shape.max()} of shapes"
        raise InputError(problem, source=source, remedy=f"there are {len(columns.shapes)}, from 0 on")
    twin = first_twin(columns.ids)
    if twin is not None:
        raise InputError(f"job id {twin!r} stands for several jobs", source=source, remedy="give every job its own id")
    columns = _without_unused_shapes(columns)
    order = canonical_order(columns.submit_ms, columns.ids)
    return JobList(columns if order is None else taken(columns, order))


def _without_unused_shapes(columns: JobColumns) -> JobColumns:
    counts = np.bincount(columns.shape, minlength=len(columns.shapes))
    used = np.flatnonzero(counts)
    if len(used) == len(columns.shapes):
        return columns
    place = np.zeros(len(counts), np.int32)
    place[used] = np.arange(len(used))
    return replace(columns, shape=place[columns.shape], shapes=tuple(columns.shapes[code] for code in used))


def workload_columns(workload: Workload) -> JobColumns:
    """The columns of a workload's jobs, made once."""
    if workload.columns is None:
        object.__setattr__(workload, "columns", columns_of(workload.jobs))
    assert workload.columns is not None  # noqa: S101
    return workload.columns


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


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name


_NAMES = (
    "ids", "submit_ms", "work_ms", "shape", "priority", "attempts", "preemption_retries", "timeout_ms",
    "checkpoint_ms", "rules", "labels",
)  # fmt: skip


def _columns(columns: JobColumns) -> list[tuple[str, Ints | Sequence[str]]]:
    values = [(name, getattr(columns, name)) for name in _NAMES]
    return [(name, value) for name, value in values if not isinstance(value, int)]


def taken(columns: JobColumns, rows: NDArray[np.intp]) -> JobColumns:
    """The columns with these rows in this order; one may stand several times."""
    changed: dict[str, Any] = {
        name: values[rows] if isinstance(values, np.ndarray) else [values[row] for row in rows]
        for name, values in _columns(columns)
    }
    if columns.failures:
        found = columns.failures
        changed["failures"] = {new: found[old] for new, old in enumerate(rows.tolist()) if old in found}
    return replace(columns, **changed)
