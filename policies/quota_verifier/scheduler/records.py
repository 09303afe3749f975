"""The records of a run that exist as columns, seen as sequences; a record is built when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, cast, overload

R = TypeVar("R")
C = TypeVar("C")

_BLOCK = 1 << 14


class Records(Sequence[R], Generic[R, C]):
    """`length` records over `columns`; `read(columns, first, last)` builds those of a range."""

    __slots__ = ("_length", "_read", "columns")

    def __init__(self, columns: C, length: int, read: Callable[[C, int, int], list[R]]) -> None:
        self.columns = columns
        self._length = length
        self._read = read

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> list[R]: ...
    def __getitem__(self, index: int | slice) -> R | list[R]:
        if isinstance(index, slice):
            first, last, step = index.indices(self._length)
            if step == 1:
                return self._read(self.columns, first, max(first, last))
            return [self[row] for row in range(first, last, step)]
        row = index + self._length if index < 0 else index
        if not 0 <= row < self._length:
            raise IndexError(index)
        return self._read(self.columns, row, row + 1)[0]

    def __iter__(self) -> Iterator[R]:
        for first in range(0, self._length, _BLOCK):
            yield from self._read(self.columns, first, min(first + _BLOCK, self._length))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Records | list | tuple):
            return NotImplemented
        records = cast("Sequence[object]", other)
        return len(self) == len(records) and all(mine == theirs for mine, theirs in zip(self, records, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self._length} records in columns>"
