"""What each kind of claim measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quota_verifier.cost.prices import Prices
from quota_verifier.figures.columns import Mask
from quota_verifier.policy import at_instants, over_groups, over_jobs
from quota_verifier.policy.claims import Claim, JobSetClaim, Measure, MeasureClaim, PreemptorsClaim, StateClaim
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.view import RunView

_Judge = Callable[[RunView, MeasureClaim, Mask], Measured]

_JUDGES: Mapping[Measure, _Judge] = {
    "wait": over_jobs.over_jobs,
    "turnaround": over_jobs.over_jobs,
    "slowdown": over_jobs.over_jobs,
    "starvation": over_jobs.over_jobs,
    "lost_work": over_jobs.over_jobs,
    "reclaimed_within": over_jobs.owed_capacity,
    "preemptions": over_groups.preemptions,
    "thrash": over_groups.thrash,
    "disruption_ratio": over_groups.disruption_ratio,
    "utilization": over_groups.capacity,
    "idle_reserved": over_groups.capacity,
    "never_schedulable": over_groups.never_schedulable_jobs,
    "finished": over_groups.finished,
    "starts": at_instants.instant,
    "ends": at_instants.instant,
}


def evaluate(view: RunView, claim: Claim, members: Mask, prices: Prices | None = None) -> Measured:
    """Judge `claim` in one run; `members` are the jobs of its subject, of which there is at least one.

    A claim about money needs `prices`, which `check.subjects_of` made sure of.
    """
    match claim:
        case MeasureClaim(measure="cost" | "lost_work_cost") if prices is not None:
            return over_groups.money(view, claim, members, prices)
        case MeasureClaim():
            return _JUDGES[claim.measure](view, claim, members)
        case StateClaim():
            return at_instants.state(view, claim, members)
        case PreemptorsClaim():
            return at_instants.preemptors(view, claim, members)
        case JobSetClaim():
            return at_instants.job_set(view, claim)
