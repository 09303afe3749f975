"""A share's order (R9): who is ahead of a waiting job, and for whom it waits (A1)."""

from __future__ import annotations

from quota_verifier.scheduler.invariants.room import heads_of
from quota_verifier.scheduler.replay import JobNow, Replay


def is_head(state: Replay, job: JobNow) -> bool:
    """Whether a waiting job may start now, as far as its share's order goes."""
    return any(job is head for head in heads_of(state, job.share))


def ahead(state: Replay, job: JobNow) -> list[JobNow]:
    """The waiting jobs of a share that must start, or leave, before a job may; in order."""
    places = sorted(place for places in state.waiting[job.share].values() for place in places if place < job.place)
    earlier = [state.jobs[index] for _, _, index in places]
    match state.assumptions.head_blocking:
        case "strict":
            return earlier
        case "per-unit":
            blocked = {unit for unit, _ in job.demand}
            needed: list[JobNow] = []
            for other in reversed(earlier):
                if any(unit in blocked for unit, _ in other.demand):
                    needed.append(other)
                    blocked.update(unit for unit, _ in other.demand)
            return needed[::-1]
        case "skip":
            return [other for other in earlier if other.demand == job.demand]


def behind(state: Replay, job: JobNow) -> int:
    """How many waiting jobs of its share a waiting job keeps from starting."""
    places = [place for places in state.waiting[job.share].values() for place in places if place > job.place]
    match state.assumptions.head_blocking:
        case "strict":
            return len(places)
        case "per-unit":
            return sum(any(job.needs(unit) for unit, _ in state.jobs[index].demand) for _, _, index in places)
        case "skip":
            return sum(state.jobs[index].demand == job.demand for _, _, index in places)


def chain(state: Replay, job: JobNow) -> list[JobNow]:
    """For whom a waiting job waits, for whom that one waits, and so on to the head of the line."""
    links: list[JobNow] = []
    here = job
    while not is_head(state, here):
        here = _blocker(state, here)
        links.append(here)
    return links


def _blocker(state: Replay, job: JobNow) -> JobNow:
    """The first job in the order that keeps a job from being a head."""
    before = ahead(state, job)
    if state.assumptions.head_blocking != "per-unit":
        return before[0]
    return next(other for other in before if any(job.needs(unit) for unit, _ in other.demand))
