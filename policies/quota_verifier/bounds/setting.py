"""All that the bounds of a queue follow from, and the quantities of the rules in terms of it.

Letters are those of docs/scheduler.md: E, L, B, M, N by unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from quota_verifier.bounds.records import Condition
from quota_verifier.bounds.sizes import KnownJobs, ShareJobs, share_jobs
from quota_verifier.model import Queue, Share, Strategy
from quota_verifier.schedulability import largest_job
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.timing import Timing

STAYS = Condition("configuration-stays", "limits, strategies and states stay as they are", None)
"""What every bound rests on (R20)."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A queue, the answers to the open questions, the delays, and what is known of the jobs."""

    queue: Queue
    assumptions: Assumptions = field(default_factory=Assumptions)
    timing: Timing = field(default_factory=Timing)
    known: KnownJobs = field(default_factory=KnownJobs)
    _jobs: Mapping[str, ShareJobs] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rounding = self.assumptions.borrow_rounding
        jobs = {share.name: share_jobs(self.queue, share, self.known, rounding) for share in self.queue.shares}
        object.__setattr__(self, "_jobs", jobs)

    def under(self, assumptions: Assumptions) -> Setting:
        """The same under other answers."""
        return replace(self, assumptions=assumptions)

    def jobs(self, share: Share) -> ShareJobs:
        """The jobs that `share` may get."""
        return self._jobs[share.name]

    def largest(self, share: Share, unit: str) -> int:
        """Instances of `unit` in the largest job of `share` that R21 admits."""
        return largest_job(self.queue, share, unit, self.assumptions.borrow_rounding)

    def largest_coming(self, share: Share, unit: str) -> int:
        """Instances of `unit` in the largest job of `share` that may come and that R21 admits."""
        return min(self.largest(share, unit), self.jobs(share).largest.get(unit, 0))


def keeps_idle(setting: Setting, share: Share) -> bool:
    """Whether nobody else can ever use the share's idle capacity: RESERVE, A10 withheld."""
    if share.strategy is Strategy.RESERVE:
        return True
    return not share.enabled and setting.assumptions.disabled_share == "withheld"


def uses(setting: Setting, share: Share, unit: str) -> bool:
    """Whether jobs of `share` that can start may use `unit`."""
    return any(unit in shape for shape in setting.jobs(share).shapes)


def kept_by_others(setting: Setting, share: Share, unit: str) -> int:
    """Instances of `unit` that other shares keep even when they are idle."""
    others = (other for other in setting.queue.shares if other.name != share.name)
    return sum(other.limit(unit) for other in others if keeps_idle(setting, other))


def within_reach(setting: Setting, share: Share, unit: str) -> int:
    """V in an idle queue: all of `unit` that `share` could use if nobody else ran anything.

    E less the idle capacity that others keep, less N unless A6 lets it be used. V is never more than this
    plus what the share itself uses.
    """
    queue = setting.queue
    if not queue.environment.enabled:
        return 0
    unusable = queue.unassigned(unit) - usable_unassigned(setting, unit)
    return max(0, queue.environment.limit(unit) - kept_by_others(setting, share, unit) - unusable)


def usable_unassigned(setting: Setting, unit: str) -> int:
    """Instances of `unit` that no share owns and that may be borrowed (A6)."""
    return setting.queue.unassigned(unit) if setting.assumptions.unassigned_capacity == "borrowable" else 0


def runs(setting: Setting, share: Share) -> bool:
    """Whether `share` can get new jobs that start."""
    return setting.queue.enabled and setting.queue.environment.enabled and share.enabled


def borrowable(setting: Setting, share: Share, unit: str) -> int:
    """The most instances of `unit` that `share` can hold above its limit (bound `most-borrowed`)."""
    cap = share.borrow_cap(unit, setting.assumptions.borrow_rounding)
    above = max(0, within_reach(setting, share, unit) - share.limit(unit))
    return above if cap is None else min(cap, above)


def guarantee(setting: Setting, share: Share, unit: str) -> int:
    """Instances of `unit` that `share` gets whatever the others do (bound `guaranteed`)."""
    if not setting.queue.environment.enabled:
        return 0
    return min(share.limit(unit), max(0, setting.queue.environment.limit(unit) - contested(setting, share, unit)))


def contested(setting: Setting, share: Share, unit: str) -> int:
    """What other shares were promised of `unit` that may be taken before `share` gets what it was promised.

    What a share keeps even when it is idle can only fall short for others that keep theirs.
    """
    others = [other for other in setting.queue.shares if other.name != share.name]
    if keeps_idle(setting, share) and setting.assumptions.waiting_lender == "lend":
        others = [other for other in others if keeps_idle(setting, other)]
    return sum(other.limit(unit) for other in others)


def any_size(setting: Setting, share: Share) -> bool:
    """Whether nothing is known that keeps jobs of one instance of one unit from coming."""
    return share.name not in setting.known.demands and all(size == 1 for size in setting.jobs(share).smallest.values())
