"""The tables of a run on Python's side: numpy arrays, and the record that compiled code gets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quota_verifier.scheduler.kernel.layout import TABLES, WORLD, Table


@dataclass(frozen=True, slots=True)
class World:
    """`record` is a table of one row; its addresses are those of `tables`, which must not be replaced directly."""

    record: Table
    tables: dict[str, Table]

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]

    @property
    def address(self) -> int:
        """Where the record is."""
        return self.record.ctypes.data

    def get(self, counter: str) -> int:
        """A counter or constant of the run."""
        return int(self.record[0][counter])

    def set(self, **values: int) -> None:
        """Set counters or constants of the run."""
        for name, value in values.items():
            self.record[name] = value

    def put(self, **tables: Table) -> None:
        """Set or replace tables. They must be contiguous and of the type of `TABLES`."""
        for name, table in tables.items():
            kind = TABLES[name]
            assert table.flags.c_contiguous and table.dtype.itemsize == kind.itemsize  # noqa: S101, PT018
            self.tables[name] = table
            self.record[f"{name}_at"] = table.ctypes.data
        sizes = {
            "events": "event_room",
            "notes": "note_room",
            "spans": "span_room",
            "deadlines": "deadline_room",
            "disorder": "disorder_room",
        }
        for name, room in sizes.items():
            if name in tables:
                self.record[room] = len(tables[name])


def empty_world() -> World:
    """A world without tables."""
    return World(np.zeros(1, WORLD), {})


def grown(table: NDArray[np.void], used: int, more: int) -> NDArray[np.void]:
    """The table with room for `more` records than `used`, and half as much again; itself if it has that."""
    if used + more <= len(table):
        return table
    larger = np.empty(used + more + used // 2, table.dtype)
    larger[:used] = table[:used]
    return larger
