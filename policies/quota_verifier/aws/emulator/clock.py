"""What time it is in the emulator, in milliseconds since 1970: real time, faster than that, or by steps."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol

STEPPED_START_MS = 1_767_225_600_000
"""2026-01-01T00:00:00Z: where stepped time starts, so that what is printed is the same in every run."""


class Clock(Protocol):
    """Tells the time; it never goes back."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        ...


@dataclass(slots=True)
class SteppedClock:
    """Time that stands still until it is advanced."""

    at: int = STEPPED_START_MS

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self.at


@dataclass(slots=True)
class RunningClock:
    """Time that goes on by itself from `start`, `speed` times as fast as real time."""

    start: int
    speed: int = 1
    _began: int = field(default_factory=time.monotonic_ns)

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self.start + (time.monotonic_ns() - self._began) * self.speed // 1_000_000


def wall_ms() -> int:
    """The computer's own time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
