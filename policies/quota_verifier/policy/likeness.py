"""Which profiles cannot differ on a queue and a workload, so that one simulation serves them all.

Only what follows from the rules is used: an assumption about borrowing says nothing where nobody borrows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quota_verifier.model import UNLIMITED_BORROWING, JobUpdate, Queue, Share
from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions
from quota_verifier.scheduler.reference.changes import configured
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import workload_columns


def configurations(queue: Queue, workload: Workload) -> tuple[Queue, ...]:
    """The queue's configuration at the start, and after each update, in order of time."""
    found = [queue]
    for update in sorted(workload.updates, key=lambda update: update.at_ms):
        if not isinstance(update, JobUpdate):
            found.append(configured(found[-1], update))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Likeness:
    """The questions whose answer cannot matter, and whether all jobs use one and the same unit."""

    idle_questions: frozenset[str]
    one_unit: bool

    def key(self, profile: Assumptions) -> tuple[str, ...]:
        """Profiles with equal keys give equal runs."""
        answers = {q.field: str(getattr(profile, q.field)) for q in QUESTIONS if q.id not in self.idle_questions}
        if self.one_unit and answers.get("head_blocking") == "per-unit":
            answers["head_blocking"] = "strict"
        return tuple(answers.get(question.field, "") for question in QUESTIONS)


def likeness(queue: Queue, workload: Workload) -> Likeness:
    """What cannot matter for `workload` on `queue`, by the rules of the specification."""
    versions = configurations(queue, workload)
    shares = [share for version in versions for share in version.shares]
    borrows = any(share.strategy.borrows for share in shares)
    in_share = any(share.in_share_preemption for share in shares)
    idle: Mapping[str, bool] = {
        "A2": len(queue.shares) < 2,
        "A3": not borrows,
        "A4": not any(_fractional(share) for share in shares),
        "A6": not any(version.unassigned(unit) for version in versions for unit in version.units),
        # Nobody is ever above a limit, and nobody gives way to a job of its own share.
        "A7": not borrows and not in_share and len(versions) == 1,
        "A8": not borrows and not in_share and len(versions) == 1,
        "A9": not in_share,
        "A10": all(share.enabled for share in shares),
    }
    units = {tuple(shape.demand) for shape in workload_columns(workload).shapes}
    return Likeness(
        frozenset(question for question, cannot_matter in idle.items() if cannot_matter),
        one_unit=len(units) == 1 and all(len(demand) == 1 for demand in units),
    )


def _fractional(share: Share) -> bool:
    """Whether a borrow cap of the share is no whole number of instances."""
    percent = share.borrow_limit
    if not share.strategy.borrows or percent in (None, UNLIMITED_BORROWING):
        return False
    return any(limit * (percent or 0) % 100 for limit in share.limits.values())
