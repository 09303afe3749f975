"""How long starting, stopping and restoring take; AWS promises none of these figures (R2-R4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Delay:
    """A duration in milliseconds, with exceptions by unit."""

    default_ms: int = 0
    by_unit: Mapping[str, int] = field(default_factory=dict[str, int])

    def of(self, units: Iterable[str]) -> int:
        """The delay of a job that uses `units`: the longest of theirs."""
        return max((self.by_unit.get(unit, self.default_ms) for unit in units), default=self.default_ms)


@dataclass(frozen=True, slots=True)
class Timing:
    """Delays of a job's life; all 0 by default.

    `startup` lies between dispatch and RUNNING, and the job counts as SCHEDULED for it. `stop` is how long a
    preempted or terminated job keeps its capacity once RUNNING. `restore` precedes the work of a
    run that resumes from a checkpoint. For orientation: AWS's event example stops in about 20 s, and
    SageMaker's SIGTERM window is up to 120 s.
    """

    startup: Delay = Delay()
    stop: Delay = Delay()
    restore: Delay = Delay()
