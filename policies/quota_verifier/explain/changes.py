"""Single changes that may let a waiting job start; the arithmetic proposes them, the simulation decides.

Of each kind only the smallest values that the limits allow are proposed, in ascending order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from quota_verifier.explain.account import UnitAccount, accounts
from quota_verifier.explain.line import ahead
from quota_verifier.explain.moment import Moment
from quota_verifier.model import EnvironmentUpdate, JobUpdate, Rounding, Share, ShareUpdate, Strategy, Update
from quota_verifier.scheduler.invariants.room import available, total, usage
from quota_verifier.scheduler.replay import JobNow
from quota_verifier.workload.schema import HIGHEST_PRIORITY


class ChangeKind(StrEnum):
    """What is changed; in the order in which the changes are told, those that touch least first."""

    PRIORITY = "priority"
    IN_SHARE_PREEMPTION = "in-share-preemption"
    LENDER = "lender"
    BORROW_LIMIT = "borrow-limit"
    BORROWING = "borrowing"
    OWN_LIMIT = "own-limit"
    ENVIRONMENT = "environment"
    ENABLE = "enable"


@dataclass(frozen=True, slots=True)
class Change:
    """One change in words and as the update that makes it."""

    kind: ChangeKind
    text: str
    update: Update


@dataclass(frozen=True, slots=True)
class _Need:
    """What must fit for a job to start: with it, all that is ahead of it in its share."""

    share: Share
    by_unit: Mapping[str, int]
    asked: Mapping[str, int]


def changes(moment: Moment, job: JobNow, at_ms: int) -> Iterator[list[Change]]:
    """The changes to try at `at_ms`, those of one kind and one subject together, smallest first."""
    yield _priorities(moment, job, at_ms)
    yield _in_share(moment, job, at_ms)
    for share in moment.state.queue.shares:
        yield _lender(moment, job, share, at_ms)
    need = _need(moment, job)
    yield _borrowing(moment, need, at_ms)
    yield _own_limit(moment, job, need, at_ms)
    yield _environment(moment, job, need, at_ms)
    if not moment.state.environment.enabled:
        update = EnvironmentUpdate(at_ms, enabled=True)
        yield [Change(ChangeKind.ENABLE, f"enable {moment.state.environment.name}", update)]


def _need(moment: Moment, job: JobNow) -> _Need:
    state = moment.state
    jobs = [*ahead(state, job), job]
    units = dict.fromkeys(unit for other in jobs for unit, _ in other.demand)
    asked = {unit: total(jobs, unit) for unit in units}
    used = {unit: usage(state, job.share, unit) + asked[unit] for unit in units}
    return _Need(state.share_of(job), used, asked)


def _priorities(moment: Moment, job: JobNow, at_ms: int) -> list[Change]:
    """Above the jobs ahead of it, and above jobs of its share that it could then preempt."""
    state = moment.state
    rivals = {other.priority for other in ahead(state, job)} | {other.priority + 1 for other in ahead(state, job)}
    if state.share_of(job).in_share_preemption:
        rivals |= {other.priority + 1 for other in state.holding.values() if other.share == job.share}
    return [
        Change(ChangeKind.PRIORITY, f"priority {value} for {job.job.id}", JobUpdate(at_ms, job.job.id, priority=value))
        for value in sorted(rivals)
        if job.priority < value <= HIGHEST_PRIORITY
    ]


def _in_share(moment: Moment, job: JobNow, at_ms: int) -> list[Change]:
    share = moment.state.share_of(job)
    if share.in_share_preemption:
        return []
    update = ShareUpdate(at_ms, share.name, in_share_preemption=True)
    return [Change(ChangeKind.IN_SHARE_PREEMPTION, f"in-share preemption in {share.name}", update)]


def _lender(moment: Moment, job: JobNow, lender: Share, at_ms: int) -> list[Change]:
    """A neighbour that reserves what the job needs lends it instead."""
    if lender.strategy.lends or lender.name == job.job.share:
        return []
    rows = accounts(moment, job)
    kept = [(keeper.instances, unit) for unit in rows for keeper in unit.kept if keeper.share == lender.name]
    if not kept and not any(lender.limit(unit.unit) for unit in rows):
        return []
    parts = [f"{instances} {unit.unit}" for instances, unit in kept]
    lent = ", ".join(parts) or "what it does not use"
    update = ShareUpdate(at_ms, lender.name, strategy=Strategy.LEND)
    return [Change(ChangeKind.LENDER, f"{lender.name} lends {lent} (LEND instead of RESERVE)", update)]


def _borrowing(moment: Moment, need: _Need, at_ms: int) -> list[Change]:
    """A higher borrow limit, or for a share that does not borrow the right to, with the lowest limit that is enough."""
    share, rounding = need.share, moment.state.assumptions.borrow_rounding
    percents = [
        _percent_for(share.limit(unit), used - share.limit(unit), rounding)
        for unit, used in need.by_unit.items()
        if used > share.limit(unit) > 0
    ]
    if not percents or any(not share.limit(unit) for unit in need.by_unit):
        return []
    percent = max(percents)
    if not share.strategy.borrows:
        update = ShareUpdate(at_ms, share.name, strategy=Strategy.LEND_AND_BORROW, borrow_limit=percent)
        lends = " (it then lends, too)" if not share.strategy.lends else ""
        text = f"{share.name} borrows up to {percent} % (LEND_AND_BORROW instead of {share.strategy}){lends}"
        return [Change(ChangeKind.BORROWING, text, update)]
    if share.borrow_limit is None or share.borrow_limit < 0 or share.borrow_limit >= percent:
        return []
    text = f"borrow limit of {share.name} from {share.borrow_limit} % to {percent} %"
    return [Change(ChangeKind.BORROW_LIMIT, text, ShareUpdate(at_ms, share.name, borrow_limit=percent))]


def _percent_for(limit: int, extra: int, rounding: Rounding) -> int:
    """The lowest percentage of `limit` that is `extra` whole instances (A4)."""
    return -(-100 * extra // limit) if rounding == "floor" else 100 * (extra - 1) // limit + 1


def _own_limit(moment: Moment, job: JobNow, need: _Need, at_ms: int) -> list[Change]:
    """A higher limit: what the share may borrow, what the job lacks, or all that it needs as its own."""
    share, rounding = need.share, moment.state.assumptions.borrow_rounding
    short = {unit.unit: unit.short for unit in accounts(moment, job)}
    wholly = {unit: used for unit, used in need.by_unit.items() if used > share.limit(unit)}
    choices = [wholly, {unit: share.limit(unit) + lack for unit, lack in short.items() if lack}]
    if share.strategy.borrows and share.borrow_limit is not None and share.borrow_limit >= 0:
        choices.append({unit: _limit_for(share.borrow_limit, used, rounding) for unit, used in wholly.items()})
    raised = [
        {unit: value for unit, value in sorted(choice.items()) if value > share.limit(unit)} for choice in choices
    ]
    found: list[Change] = []
    for limits in sorted((limits for limits in raised if limits), key=lambda limits: sum(limits.values())):
        update = ShareUpdate(at_ms, share.name, limits={**share.limits, **limits})
        parts = [f"{unit} from {share.limit(unit)} to {value}" for unit, value in limits.items()]
        change = Change(ChangeKind.OWN_LIMIT, f"limit of {share.name} on {', '.join(parts)}", update)
        if change not in found:
            found.append(change)
    return found


def _limit_for(percent: int, used: int, rounding: Rounding) -> int:
    """The lowest limit whose hard cap with `percent` is `used`."""
    low, high = 1, used
    while low < high:
        middle = (low + high) // 2
        extra = -(-middle * percent // 100) if rounding == "ceil" else middle * percent // 100
        low, high = (low, middle) if middle + extra >= used else (middle + 1, high)
    return low


def _environment(moment: Moment, job: JobNow, need: _Need, at_ms: int) -> list[Change]:
    """More capacity of the environment, as much as is missing."""
    state = moment.state
    limits = state.environment.limits
    missing = {
        unit: max(asked - available(state, job.share, unit), _beyond(unit, accounts(moment, job)))
        for unit, asked in need.asked.items()
    }
    raised = {unit: state.environment.limit(unit) + lack for unit, lack in sorted(missing.items()) if lack > 0}
    if not raised:
        return []
    parts = [f"{unit} from {state.environment.limit(unit)} to {value}" for unit, value in raised.items()]
    text = f"capacity of {state.environment.name} on {', '.join(parts)}"
    return [Change(ChangeKind.ENVIRONMENT, text, EnvironmentUpdate(at_ms, limits={**limits, **raised}))]


def _beyond(unit: str, rows: tuple[UnitAccount, ...]) -> int:
    """How much larger than the whole environment the job is."""
    return max((row.asked - row.environment for row in rows if row.unit == unit), default=0)
