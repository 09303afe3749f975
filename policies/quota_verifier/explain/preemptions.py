"""Every preemption of a run: who preempted whom, by which rule, and which candidates there were (R13, R16, R17)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quota_verifier.explain.account import over_limit_of
from quota_verifier.explain.moment import Moment, beginning
from quota_verifier.scheduler.events import RULES, Event, Kind, Reason
from quota_verifier.scheduler.invariants.claims import coming
from quota_verifier.scheduler.invariants.room import Reach, could_start, of_share, over_limit
from quota_verifier.scheduler.replay import JobNow, Phase
from quota_verifier.scheduler.run import UNKNOWN, Run


class Choice(StrEnum):
    """What became of a candidate."""

    PREEMPTED = "preempted"
    NO_HELP = "no help"
    NOT_NEEDED = "not needed"
    RANKED_LATER = "ranked later"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A job that could be preempted, in the order of A7.

    `over` of its instances lay above its share's limit, counted from the latest dispatched back. `lost_ms` is the
    work that stopping it then throws away (R4).
    """

    job: str
    share: str
    instances: int
    priority: int
    since_ms: int
    over: int
    lost_ms: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class Preemption:
    """One preemptor at one instant, with its victims among the candidates.

    `lacking` are the units on which it could not start; `untouchable` counts the jobs there that were no
    candidates: of shares within their limits (R13), or in its share of no lower priority (R16).
    """

    at_ms: int
    job: str
    share: str
    priority: int
    rule: str
    reason: Reason
    lacking: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    untouchable: int

    @property
    def victims(self) -> tuple[str, ...]:
        """The preempted jobs, in the order of A7."""
        return tuple(each.job for each in self.candidates if each.choice is Choice.PREEMPTED)


def preemptions(run: Run, *, job: int | None = None, at_ms: int | None = None) -> list[Preemption]:
    """The preemptions of a run in order; only those with `job` as preemptor or victim, only those at `at_ms`."""
    found: list[Preemption] = []
    here = beginning(run)
    for group in _groups(run.events):
        first = group[0]
        if first.kind is Kind.PREEMPTED and _is_wanted(group, job, at_ms):
            if first.at > here.state.now:
                here.settle()
            here.at_ms = here.state.now = first.at
            found.append(_preemption(here, group))
        for event in group:
            here.see(event)
    return found


def _is_wanted(group: Sequence[Event], job: int | None, at_ms: int | None) -> bool:
    concerned = job is None or group[0].by == job or any(event.job == job for event in group)
    return concerned and (at_ms is None or group[0].at == at_ms)


def _groups(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events one by one, but the preemptions for one job together."""
    group: list[Event] = []
    for event in events:
        if group and not _same_preemptor(group[-1], event):
            yield group
            group = []
        group.append(event)
    if group:
        yield group


def _same_preemptor(event: Event, other: Event) -> bool:
    both = event.kind is other.kind is Kind.PREEMPTED
    return both and (event.at, event.by, event.reason) == (other.at, other.by, other.reason)


def _preemption(here: Moment, group: Sequence[Event]) -> Preemption:
    state, first = here.state, group[0]
    head = state.jobs[first.by]
    victims = {event.job for event in group}
    lacking = _lacking(here, head, first.reason)
    placed = [job for job in state.holding.values() if job.phase is Phase.PLACED and _uses(job, head)]
    candidates = [job for job in placed if _may_be_preempted(here, head, job, first.reason)]
    ranked = sorted(candidates, key=lambda job: _rank(here, job, lacking))
    last = max((place for place, job in enumerate(ranked) if job.index in victims), default=-1)
    others = [job for job in placed if (job.share == head.share) == (first.reason is Reason.IN_SHARE)]
    return Preemption(
        at_ms=first.at,
        job=head.job.id,
        share=head.job.share,
        priority=head.priority,
        rule=RULES[first.reason],
        reason=first.reason,
        lacking=lacking,
        candidates=tuple(
            _candidate(here, job, _choice(job, place, last, victims, lacking)) for place, job in enumerate(ranked)
        ),
        untouchable=len(others) - len(candidates),
    )


def _uses(job: JobNow, head: JobNow) -> bool:
    return any(head.needs(unit) for unit, _ in job.demand)


def _lacking(here: Moment, head: JobNow, why: Reason) -> tuple[str, ...]:
    """The units on which the preemptor could not start with all that is being released.

    Where preemption in the share comes before borrowing (A9): not without borrowing more than its share does.
    """
    first = here.state.assumptions.means_order == "preempt-first"
    reach = Reach.OWN if why is Reason.RECLAIM else Reach.HELD if first else Reach.HARD
    claimants = here.claimants(head)
    leaving = coming(here.state) if why is Reason.RECLAIM else of_share(coming(here.state), head.share)
    short: list[str] = []
    for unit, asked in head.demand:
        alone = replace(head, job=replace(head.job, demand={unit: asked}), demand=((unit, asked),))
        if not could_start(here.state, alone, leaving=leaving, claimants=claimants, reach=reach):
            short.append(unit)
    return tuple(short)


def _may_be_preempted(here: Moment, head: JobNow, job: JobNow, why: Reason) -> bool:
    if why is Reason.IN_SHARE:
        return job.share == head.share and job.priority < head.priority
    return job.share != head.share and any(over_limit(here.state, job.share, unit) > 0 for unit, _ in head.demand)


def _choice(job: JobNow, place: int, last: int, victims: set[int], lacking: Sequence[str]) -> Choice:
    if job.index in victims:
        return Choice.PREEMPTED
    if not any(job.needs(unit) for unit in lacking):
        return Choice.NO_HELP
    return Choice.NOT_NEEDED if place < last else Choice.RANKED_LATER


def _candidate(here: Moment, job: JobNow, choice: Choice) -> Candidate:
    over = sum(over_limit_of(here.state, job, unit) for unit, _ in job.demand)
    return Candidate(
        job=job.job.id,
        share=job.job.share,
        instances=job.job.instances,
        priority=job.priority,
        since_ms=job.dispatched_at,
        over=over,
        lost_ms=_lost(here, job),
        choice=choice,
    )


def _lost(here: Moment, job: JobNow) -> int:
    """The work that is thrown away if a job is stopped now: what lies above its last checkpoint (R4)."""
    done = kept = here.kept_ms.get(job.index, 0)
    running_since = [span.run for span in here.spans[job.index] if span.start == job.dispatched_at][-1]
    if running_since != UNKNOWN:
        work_at = running_since + (here.run.timing.restore.of(job.job.demand) if kept else 0)
        done += min(max(0, here.at_ms - work_at), job.job.work_ms - kept)
    interval = job.job.checkpoint_ms
    return done % interval if interval else done


def _rank(here: Moment, job: JobNow, lacking: Sequence[str]) -> tuple[int, int, int]:
    """The place of a candidate in the order of A7."""
    latest = -job.sequence
    match here.state.assumptions.victim_order:
        case "priority":
            return job.priority, latest, 0
        case "latest":
            return latest, 0, 0
        case "oldest":
            return job.sequence, 0, 0
        case "most-borrowed":
            return -sum(_borrowed(here, job, unit) for unit in lacking), latest, 0
        case "least-work-lost":
            return _lost(here, job) * job.job.instances, latest, 0
        case "smallest":
            return sum(job.needs(unit) for unit in lacking), latest, 0


def _borrowed(here: Moment, job: JobNow, unit: str) -> int:
    """As `over_limit_of`, without what is being stopped already."""
    placed = [o for o in here.state.holding.values() if o.phase is Phase.PLACED and o.share == job.share]
    later = sum(other.needs(unit) for other in placed if other.sequence > job.sequence)
    return max(0, min(job.needs(unit), over_limit(here.state, job.share, unit) - later))
