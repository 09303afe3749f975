"""Jobs that exist as columns, seen as the sequence of jobs that the rest of the verifier reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast, overload

from quota_verifier.model import Job

if TYPE_CHECKING:
    from quota_verifier.workload.columns import JobColumns


_BLOCK = 1 << 13


class JobList(Sequence[Job]):
    """The jobs of `columns`, in canonical order and each id once; a `Job` is built when it is looked at."""

    __slots__ = ("columns",)

    def __init__(self, columns: JobColumns) -> None:
        """Use `job_list`, which puts the columns in order."""
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns.submit_ms)

    @overload
    def __getitem__(self, index: int) -> Job: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Job, ...]: ...
    def __getitem__(self, index: int | slice) -> Job | tuple[Job, ...]:
        if isinstance(index, slice):
            return tuple(self.columns.some(index))
        row = index + len(self) if index < 0 else index
        if not 0 <= row < len(self):
            raise IndexError(index)
        return self.columns.job(row)

    def __iter__(self) -> Iterator[Job]:
        for first in range(0, len(self), _BLOCK):
            yield from self.columns.some(slice(first, first + _BLOCK))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JobList | tuple | list):
            return NotImplemented
        jobs = cast("Sequence[object]", other)
        return len(self) == len(jobs) and all(mine == theirs for mine, theirs in zip(self, jobs, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} jobs in columns>"
