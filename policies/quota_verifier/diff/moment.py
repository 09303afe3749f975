"""The instant of a change: who is above a limit, and whose jobs become preemptible (case C17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quota_verifier.model import JobUpdate, Queue, Share, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event, Kind
from quota_verifier.scheduler.replay import JobNow, Phase, Replay, start_of
from quota_verifier.scheduler.run import Run

_RELEASES = (Kind.SUCCEEDED, Kind.ATTEMPT_FAILED, Kind.STOPPED, Kind.REQUEUED, Kind.FAILED)


@dataclass(frozen=True, slots=True)
class Held:
    """What a share holds of a unit at the instant, in instances, against its limits before and after.

    Of `held`, the change itself ends the jobs that hold `ending`; the rest counts against the limits. `borrowed`
    is the part above the new limit that the share may borrow and others lend, `over_limit` the rest: what
    exceeds the limit although there is nobody to borrow it from.
    """

    share: str
    unit: str
    held: int
    ending: int
    old_limit: int
    new_limit: int
    borrowed: int
    over_limit: int

    @property
    def above_before(self) -> int:
        """Instances above the limit of before."""
        return max(0, self.held - self.ending - self.old_limit)

    @property
    def above(self) -> int:
        """Instances above the new limit."""
        return max(0, self.held - self.ending - self.new_limit)

    @property
    def preemptible(self) -> int:
        """Instances that become preemptible."""
        return max(0, self.above - self.above_before)


@dataclass(frozen=True, slots=True)
class Eligible:
    """A job that waiting jobs of other shares may preempt; `newly` says that only the change makes it so."""

    job: str
    share: str
    demand: tuple[tuple[str, int], ...]
    priority: int
    since_ms: int
    newly: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """The instant just after the change, before anything is scheduled."""

    at_ms: int
    held: tuple[Held, ...]
    eligible: tuple[Eligible, ...]
    waiting: int
    terminated: tuple[str, ...]


def moment(run: Run, updates: Sequence[Update], at_ms: int) -> Moment:
    """What holds at the instant of `updates` in the run that contains them."""
    state = start_of(run)
    events = list(run.events)
    old: Queue | None = None
    for event in events[: _until(run, events, updates, at_ms)]:
        if old is None and _is_ours(run, event, updates, at_ms):
            old = state.queue
        state.apply(event)
    old = old or state.queue
    ended = {update.job for update in updates if isinstance(update, JobUpdate)}
    return Moment(
        at_ms=at_ms,
        held=_held(state, old, ended),
        eligible=tuple(_eligible(state, old, ended)),
        waiting=sum(job.phase is Phase.WAITING for job in state.jobs),
        terminated=tuple(job.job.id for job in state.jobs if job.job.id in ended and _is_open(job)),
    )


def _is_ours(run: Run, event: Event, updates: Sequence[Update], at_ms: int) -> bool:
    return event.at == at_ms and event.kind is Kind.CONFIGURED and run.updates[event.value] in updates


def _is_open(job: JobNow) -> bool:
    return job.phase in (Phase.WAITING, Phase.PLACED, Phase.STOPPING)


def _until(run: Run, events: Sequence[Event], updates: Sequence[Update], at_ms: int) -> int:
    """How many events there are up to the last of the updates; without one, up to what that instant releases."""
    ours = [place for place, event in enumerate(events) if _is_ours(run, event, updates, at_ms)]
    if ours:
        return ours[-1] + 1
    earlier = sum(event.at < at_ms for event in events)
    while earlier < len(events) and events[earlier].at == at_ms and events[earlier].kind in _RELEASES:
        earlier += 1
    return earlier


def _held(state: Replay, old: Queue, ended: set[str]) -> tuple[Held, ...]:
    found: list[Held] = []
    for unit in state.queue.units:
        held = [usage.get(unit, 0) for usage in state.usage]
        ending = [0] * len(held)
        for job in state.holding.values():
            if job.job.id in ended:
                ending[job.share] += job.needs(unit)
        staying = [one - other for one, other in zip(held, ending, strict=True)]
        borrowed = _borrowed(state.queue, state.assumptions, unit, staying)
        for index, share in enumerate(state.queue.shares):
            was, now = old.shares[index].limit(unit), share.limit(unit)
            if held[index] or was or now:
                over = max(0, staying[index] - now) - borrowed[index]
                found.append(Held(share.name, unit, held[index], ending[index], was, now, borrowed[index], over))
    order = {share.name: place for place, share in enumerate(state.queue.shares)}
    return tuple(sorted(found, key=lambda one: order[one.share]))


def _borrowed(queue: Queue, assumptions: Assumptions, unit: str, usage: Sequence[int]) -> list[int]:
    """Of what each share holds above its limit, what others lend it, as the ledger divides it: pro rata, whole."""
    shares = queue.shares
    wanted = [_wanted(share, unit, held, assumptions) for share, held in zip(shares, usage, strict=True)]
    offered = sum(
        max(0, share.limit(unit) - held)
        for share, held in zip(shares, usage, strict=True)
        if share.strategy.lends and (share.enabled or assumptions.disabled_share != "withheld")
    )
    if assumptions.unassigned_capacity == "borrowable":
        offered += queue.unassigned(unit)
    total = sum(wanted)
    moved, given, upto = min(total, offered), 0, 0
    parts: list[int] = []
    for want in wanted:
        upto += want
        parts.append(moved * upto // max(1, total) - given)
        given += parts[-1]
    return parts


def _wanted(share: Share, unit: str, held: int, assumptions: Assumptions) -> int:
    above = max(0, held - share.limit(unit))
    cap = share.borrow_cap(unit, assumptions.borrow_rounding)
    return above if cap is None else min(above, cap)


def _eligible(state: Replay, old: Queue, ended: set[str]) -> Sequence[Eligible]:
    """Jobs of shares above a limit that use the unit (R13); one that the change terminates is not among them."""
    found: list[Eligible] = []
    for job in sorted(state.holding.values(), key=lambda one: one.index):
        if job.phase is not Phase.PLACED or job.job.id in ended:
            continue
        now = _is_candidate(state, state.queue, job)
        if now:
            newly = not _is_candidate(state, old, job)
            found.append(Eligible(job.job.id, job.job.share, job.demand, job.priority, job.dispatched_at, newly))
    return found


def _is_candidate(state: Replay, queue: Queue, job: JobNow) -> bool:
    share = queue.shares[job.share]
    staying = {
        unit: state.usage[job.share].get(unit, 0) - state.stopping[job.share].get(unit, 0) for unit, _ in job.demand
    }
    return any(staying[unit] > share.limit(unit) for unit, _ in job.demand)
