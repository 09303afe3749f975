"""When what is being released will be enough for a job (R3, R14)."""

from __future__ import annotations

from quota_verifier.explain.moment import Moment
from quota_verifier.scheduler.invariants.claims import coming
from quota_verifier.scheduler.invariants.room import could_start
from quota_verifier.scheduler.replay import JobNow


def release_at(moment: Moment, job: JobNow) -> int:
    """When a job that is being stopped releases its capacity (R3)."""
    return job.stopping_since + moment.run.timing.stop.of(job.job.demand)


def enough_released_at(moment: Moment, job: JobNow) -> tuple[list[JobNow], int]:
    """The stopping jobs on its units that a job waits for, in order of their release, and when it can start.

    Only for a job that starts once all that is being released has been (`standing.is_coming`).
    """
    others = moment.claimants(job)
    stopping = sorted(coming(moment.state), key=lambda other: (release_at(moment, other), other.index))
    freed: list[JobNow] = []
    for other in stopping:
        freed.append(other)
        if could_start(moment.state, job, leaving=freed, claimants=others):
            break
    wanted = [other for other in freed if any(job.needs(unit) for unit, _ in other.demand)]
    return wanted, release_at(moment, freed[-1])
