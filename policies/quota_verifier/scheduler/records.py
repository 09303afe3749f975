"""The records of a run that exist as columns, seen as sequences; a record is built when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, cast, overload

from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.run import How, Outcome, Span, State

if TYPE_CHECKING:
    from quota_verifier.scheduler.columns import EventColumns, OutcomeColumns, SpanColumns

R = TypeVar("R")
C = TypeVar("C")

_BLOCK = 1 << 14
_KINDS = {int(kind): kind for kind in Kind}
_REASONS = {int(reason): reason for reason in Reason}
_HOWS = {int(how): how for how in How}
_STATES = tuple(State)


class Records(Sequence[R], Generic[R, C]):
    """`length` records; `make` puts their columns together, `read` builds those of a range of rows."""

    __slots__ = ("_columns", "_length", "_make", "_read")

    def __init__(self, length: int, make: Callable[[], C], read: Callable[[C, slice], list[R]]) -> None:
        self._length = length
        self._make = make
        self._read = read
        self._columns: C | None = None

    @property
    def columns(self) -> C:
        """The columns."""
        if self._columns is None:
            self._columns = self._make()
        return self._columns

    def __reduce__(self) -> tuple[object, ...]:
        return _of_columns, (self._length, self.columns, self._read)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> list[R]: ...
    def __getitem__(self, index: int | slice) -> R | list[R]:
        if isinstance(index, slice):
            return self._read(self.columns, index)
        row = index + self._length if index < 0 else index
        if not 0 <= row < self._length:
            raise IndexError(index)
        return self._read(self.columns, slice(row, row + 1))[0]

    def __iter__(self) -> Iterator[R]:
        for first in range(0, self._length, _BLOCK):
            yield from self._read(self.columns, slice(first, first + _BLOCK))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Records | list | tuple):
            return NotImplemented
        records = cast("Sequence[object]", other)
        return len(self) == len(records) and all(mine == theirs for mine, theirs in zip(self, records, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self._length} records in columns>"


def _of_columns(length: int, columns: C, read: Callable[[C, slice], list[R]]) -> Records[R, C]:
    return Records(length, lambda: columns, read)


def read_events(columns: EventColumns, rows: slice) -> list[Event]:
    """The events of some rows."""
    fields = (columns.at, columns.kind, columns.job, columns.by, columns.reason, columns.value)
    table = zip(*(field[rows].tolist() for field in fields), strict=True)
    return [Event(at, _KINDS[kind], job, by, _REASONS[reason], value) for at, kind, job, by, reason, value in table]


def read_spans(columns: SpanColumns, rows: slice) -> list[Span]:
    """The spans of some rows."""
    fields = (
        columns.job, columns.attempt, columns.start, columns.run, columns.stop, columns.end, columns.how, columns.by,
        columns.lost_ms,
    )  # fmt: skip
    table = zip(*(field[rows].tolist() for field in fields), strict=True)
    return [
        Span(job, attempt, start, run, stop, end, _HOWS[how], by, lost)
        for job, attempt, start, run, stop, end, how, by, lost in table
    ]


def read_outcomes(columns: OutcomeColumns, rows: slice) -> list[Outcome]:
    """The outcomes of some rows."""
    fields = (
        columns.state, columns.reason, columns.detail, columns.first_start, columns.end, columns.preemptions,
        columns.lost_ms,
    )  # fmt: skip
    table = zip(*(field[rows].tolist() for field in fields), strict=True)
    details = columns.details
    return [Outcome(_STATES[state], _REASONS[reason], details[detail], *rest) for state, reason, detail, *rest in table]
