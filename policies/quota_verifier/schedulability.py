"""R21: the largest job that can ever start, and AWS's reason for a job above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quota_verifier.model import Queue, Rounding, Share, TimeLimitReason

CAPACITY_TEXT = "Job requirements exceed quota share capacity limits."
BORROW_LIMIT_TEXT = "Job requirements exceed quota share capacity limits and borrow limits."
BORROWABLE_TEXT = "Job requires borrowing that exceeds all configured borrowable capacity."
ENVIRONMENT_TEXT = (
    "Service environment(s) associated with the job queue cannot meet the capacity requirement of the job."
)


@dataclass(frozen=True, slots=True)
class NeverSchedulable:
    """Why a job can never start: the unit, the largest job that could, and AWS's status reason."""

    unit: str
    asked: int
    largest: int
    reason: TimeLimitReason
    text: str

    @property
    def status_reason(self) -> str:
        """The status reason as AWS writes it (user guide, sm_job_stuck_in_runnable_misconfiguration)."""
        return f"{self.reason} - {self.text}"


def largest_job(queue: Queue, share: Share, unit: str, rounding: Rounding = "floor") -> int:
    """Instances of `unit` in the largest job of `share` that can ever start (R21).

    Configured limits count, not current idleness; 0 for a unit that the share or the environment does not list.
    """
    own = share.limit(unit)
    if own == 0:
        return 0
    if not share.strategy.borrows:
        return min(queue.environment.limit(unit), own)
    with_lenders = own + queue.borrowable(share.name, unit)
    cap = share.hard_cap(unit, rounding)
    return min(queue.environment.limit(unit), with_lenders if cap is None else min(cap, with_lenders))


def never_schedulable(
    queue: Queue, share: Share, demand: Mapping[str, int], rounding: Rounding = "floor"
) -> NeverSchedulable | None:
    """Why a job with this demand can never start in `share`, or None where it can (R21).

    AWS's four cases are tested in AWS's order: environment, own limit, borrow limit, borrowable capacity.
    """
    for unit, asked in sorted(demand.items()):
        largest = largest_job(queue, share, unit, rounding)
        if asked > largest:
            reason, text = _documented_case(queue, share, unit, asked, rounding)
            return NeverSchedulable(unit, asked, largest, reason, text)
    return None


def _documented_case(
    queue: Queue, share: Share, unit: str, asked: int, rounding: Rounding
) -> tuple[TimeLimitReason, str]:
    if asked > queue.environment.limit(unit):
        return TimeLimitReason.SERVICE_ENVIRONMENT_MAX_RESOURCE, ENVIRONMENT_TEXT
    exceeded = TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED
    if not share.strategy.borrows:
        return exceeded, CAPACITY_TEXT
    cap = share.hard_cap(unit, rounding)
    if cap is not None and asked > cap:
        return exceeded, BORROW_LIMIT_TEXT
    return exceeded, BORROWABLE_TEXT
