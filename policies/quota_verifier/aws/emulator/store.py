"""The journal: every request that changed something, in SQLite, written before it is acknowledged.

The scheduler decides alike whenever it is asked alike, so the requests and their times are the whole state.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from quota_verifier.errors import InputError

FORMAT = 1
"""The form of the file; another is refused."""

_PATIENCE_S = 2.0
"""How long to wait for another emulator that lets go of the file."""

_TABLES = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS request (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, operation TEXT NOT NULL, members TEXT NOT NULL
);
"""


class Entry(NamedTuple):
    """A request that was acknowledged, and when (ms since 1970)."""

    at: int
    operation: str
    members: Mapping[str, Any]


class Store:
    """A state file. It is in WAL mode: what is committed survives the end of the process, however it ends."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        try:
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=_PATIENCE_S)
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")  # a second emulator would tear the journal apart
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_TABLES)
        except sqlite3.OperationalError as error:
            taken = "locked" in str(error)
            remedy = "stop the emulator that uses it, or name another file" if taken else ""
            raise InputError(f"cannot be opened: {error}", source=self.path, remedy=remedy) from None
        except sqlite3.DatabaseError as error:
            raise InputError(f"is not a state file: {error}", source=self.path) from None

    def append(self, entry: Entry) -> None:
        """Write an entry down. Raises sqlite3.Error where the disk does not take it."""
        self._database.execute(
            "INSERT INTO request (at, operation, members) VALUES (?, ?, ?)",
            (entry.at, entry.operation, json.dumps(entry.members, separators=(",", ":"))),
        )

    def entries(self) -> Iterator[Entry]:
        """Every entry, in order."""
        rows = self._database.execute("SELECT at, operation, members FROM request ORDER BY number")
        return (Entry(at, operation, json.loads(members)) for at, operation, members in rows)

    def settings(self) -> dict[str, str]:
        """What the state was made under; nothing for a new file."""
        return dict(self._database.execute("SELECT name, value FROM setting"))

    def set(self, **values: str) -> None:
        """Note settings."""
        self._database.execute("BEGIN")
        self._database.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", values.items())
        self._database.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._database.close()
