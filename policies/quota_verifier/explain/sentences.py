"""The one reason of a job's standing in words, with the numbers that decide it and the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quota_verifier.durations import format_duration
from quota_verifier.explain.account import Keeper, UnitAccount, Why, accounts, kept_for, over_limit_of
from quota_verifier.explain.line import ahead, chain
from quota_verifier.explain.moment import Moment, span_at
from quota_verifier.explain.releases import enough_released_at, release_at
from quota_verifier.explain.standing import RULE_OF, Standing
from quota_verifier.schedulability import never_schedulable
from quota_verifier.scheduler.events import NOBODY
from quota_verifier.scheduler.invariants.room import over_limit, usage
from quota_verifier.scheduler.replay import JobNow
from quota_verifier.scheduler.run import UNKNOWN

Words = Callable[[Moment, JobNow], str]


def reason(moment: Moment, job: JobNow, standing: Standing) -> str:
    """Why `job` stands as it does, without its name; the rule's id closes the reason of a waiting job."""
    text = WORDS[standing](moment, job)
    if not standing.waits:
        return text
    rule = RULE_OF[standing]
    choice = f"={moment.state.assumptions.head_blocking}" if standing is Standing.HEAD_OF_LINE else ""
    return f"{text} ({rule}{choice})"


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def counted(count: int, noun: str) -> str:
    """`1 job`, `3 jobs`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _not_submitted(moment: Moment, job: JobNow) -> str:
    return f"not submitted yet: it comes at {format_duration(job.job.submit_ms)}"


def _rejected(moment: Moment, job: JobNow) -> str:
    outcome = moment.run.outcomes[job.index]
    return f"rejected at {format_duration(outcome.end)}: {outcome.detail}"


def _succeeded(moment: Moment, job: JobNow) -> str:
    return f"succeeded at {format_duration(moment.run.outcomes[job.index].end)}"


def _failed(moment: Moment, job: JobNow) -> str:
    outcome = moment.run.outcomes[job.index]
    return f"failed at {format_duration(outcome.end)}: {outcome.detail}"


def _starting(moment: Moment, job: JobNow) -> str:
    span = span_at(moment.spans.get(job.index, ()), moment.at_ms)
    until = f", RUNNING from {format_duration(span.run)}" if span is not None and span.run != UNKNOWN else ""
    return f"SCHEDULED since {format_duration(job.dispatched_at)}{until}; {_capacity(moment, job)}"


def _running(moment: Moment, job: JobNow) -> str:
    span = span_at(moment.spans.get(job.index, ()), moment.at_ms)
    since = job.dispatched_at if span is None else span.run
    return f"RUNNING since {format_duration(since)}; {_capacity(moment, job)}"


def _capacity(moment: Moment, job: JobNow) -> str:
    """On whose capacity a job runs, and whether others may take it."""
    state, share = moment.state, moment.state.share_of(job)
    parts: list[str] = []
    for unit, asked in job.demand:
        over = over_limit_of(state, job, unit)
        what = "borrowed" if share.strategy.borrows else "over the limit"
        split = [f"{asked - over} own"] if asked > over else []
        split += [f"{over} {what}"] if over else []
        used, limit = usage(state, job.share, unit), share.limit(unit)
        parts.append(f"{listed(split)} of {unit}, {share.name} holds {used} of its {limit}")
    at_risk = any(over_limit(state, job.share, unit) > 0 for unit, _ in job.demand)
    risk = "; while it is above, others who need their own may preempt its jobs (R13)" if at_risk else ""
    return f"{'; '.join(parts)}{risk}"


def _stopping(moment: Moment, job: JobNow) -> str:
    by = moment.stopped_for.get(job.index, NOBODY)
    who = f", preempted by {moment.run.jobs[by].id}" if by != NOBODY else ""
    end = release_at(moment, job)
    since, until = format_duration(job.stopping_since), format_duration(end)
    return f"being stopped since {since}{who}; it holds {_demand(job)} until {until}"


def _never(moment: Moment, job: JobNow) -> str:
    state = moment.state
    never = never_schedulable(state.queue, state.share_of(job), job.job.demand, state.assumptions.borrow_rounding)
    if never is None:
        raise AssertionError(f"{job.job.id} can start")
    return (
        f"can never start: asks for {never.asked} {never.unit}, the largest job of {job.job.share} is {never.largest}: "
        f"{never.status_reason}"
    )


def _disabled(moment: Moment, job: JobNow) -> str:
    return f"{moment.state.environment.name} is DISABLED: nothing is placed there"


def _head_of_line(moment: Moment, job: JobNow) -> str:
    state = moment.state
    first = chain(state, job)[0]
    count = len(ahead(state, job))
    rest = "" if count == 1 else f", {counted(count, 'job')} before it"
    return f"head of line: waits behind {first.job.id} in the order of {job.job.share}{rest}"


def _being_released(moment: Moment, job: JobNow) -> str:
    freed, until = enough_released_at(moment, job)
    names = listed(f"{_demand(other)} of {other.job.id}" for other in freed)
    return f"starts once enough has been released, at {format_duration(until)}: {names}"


def _own_limit(moment: Moment, job: JobNow) -> str:
    share = moment.state.share_of(job)
    over = [unit for unit in accounts(moment, job) if unit.to_borrow]
    parts = [
        f"{share.name} holds {unit.used} of its limit of {unit.limit} {unit.unit}, {unit.asked} more would make "
        f"{unit.used + unit.asked}"
        for unit in over
    ]
    return f"own limit: {'; '.join(parts)}, and it does not borrow ({share.strategy})"


def _borrow_limit(moment: Moment, job: JobNow) -> str:
    share = moment.state.share_of(job)
    parts = [
        f"{share.name} holds {unit.used} of at most {unit.cap} {unit.unit} (limit {unit.limit} and "
        f"{share.borrow_limit} %), {unit.asked} more would make {unit.used + unit.asked}"
        for unit in accounts(moment, job)
        if unit.over_cap
    ]
    return f"borrow limit: {'; '.join(parts)}"


def _full(moment: Moment, job: JobNow) -> str:
    full = [unit for unit in accounts(moment, job) if unit.short and unit.free <= 0]
    parts = [f"{max(0, unit.free)} of {unit.environment} {unit.unit} free, it asks for {unit.asked}" for unit in full]
    return f"environment full: {'; '.join(parts)}{_no_reclaim(moment, job)}"


def _nothing_lendable(moment: Moment, job: JobNow) -> str:
    parts = [
        f"{moment.state.share_of(job).name} would hold {unit.used + unit.asked} {unit.unit} with a limit of "
        f"{unit.limit}, but {_room(unit)}"
        for unit in accounts(moment, job)
        if unit.short
    ]
    return f"nothing lendable: {'; '.join(parts)}"


def _too_little(moment: Moment, job: JobNow) -> str:
    parts = [f"{unit.unit}: {_room(unit)}" for unit in accounts(moment, job) if unit.short]
    return f"within its limit, but too little is free: {'; '.join(parts)}{_no_reclaim(moment, job)}"


def _kept_for_another(moment: Moment, job: JobNow) -> str:
    others, certain = kept_for(moment, job)
    names = listed(f"{other.job.id} ({_demand(other)})" for other in others)
    parts = [f"{unit.available} {unit.unit} available" for unit in accounts(moment, job)]
    meant = "is meant for" if certain else "may be meant for"
    return f"kept for another: {', '.join(parts)}, but what is being released {meant} {names}"


def _no_reclaim(moment: Moment, job: JobNow) -> str:
    """Why a job within its share's limit preempts nobody of another share (R13)."""
    if any(unit.to_borrow for unit in accounts(moment, job)):
        return ""
    state = moment.state
    over = [
        f"{share.name} by {above} {unit}"
        for index, share in enumerate(state.queue.shares)
        for unit, _ in job.demand
        if index != job.share and (above := over_limit(state, index, unit)) > 0
    ]
    if not over:
        return "; nobody is over its limit, so nobody can be preempted for it"
    return f"; over their limits are {listed(over)}, which is not enough for it to start, so nobody is preempted"


def _room(unit: UnitAccount) -> str:
    """What is free, who keeps how much of it, and what that leaves."""
    kept = [_keeper(keeper) for keeper in unit.kept]
    if not kept:
        return f"only {unit.free} of {unit.environment} free, others hold the rest, and it asks for {unit.asked}"
    left = max(0, unit.available)
    return f"of {unit.free} free {listed(kept)}, which leaves {left} for the {unit.asked} that it asks for"


def _keeper(keeper: Keeper) -> str:
    idle = "its idle instance" if keeper.instances == 1 else f"its {keeper.instances} idle instances"
    match keeper.why:
        case Why.RESERVE:
            return f"{keeper.share} reserves {idle}"
        case Why.DISABLED:
            return f"{keeper.share} is DISABLED and withholds {idle} (A10)"
        case Why.WAITING:
            return f"{keeper.share} has a job waiting and holds {idle} (A5)"
        case Why.UNASSIGNED:
            return f"{_belong(keeper.instances)} to no share (A6)"


def _belong(instances: int) -> str:
    return "1 belongs" if instances == 1 else f"{instances} belong"


def _demand(job: JobNow) -> str:
    return ", ".join(f"{instances} {unit}" for unit, instances in job.demand)


WORDS: dict[Standing, Words] = {
    Standing.NOT_SUBMITTED: _not_submitted,
    Standing.REJECTED: _rejected,
    Standing.SUCCEEDED: _succeeded,
    Standing.FAILED: _failed,
    Standing.STARTING: _starting,
    Standing.RUNNING: _running,
    Standing.STOPPING: _stopping,
    Standing.NEVER_SCHEDULABLE: _never,
    Standing.ENVIRONMENT_DISABLED: _disabled,
    Standing.HEAD_OF_LINE: _head_of_line,
    Standing.BEING_RELEASED: _being_released,
    Standing.OWN_LIMIT: _own_limit,
    Standing.BORROW_LIMIT: _borrow_limit,
    Standing.ENVIRONMENT_FULL: _full,
    Standing.NOTHING_LENDABLE: _nothing_lendable,
    Standing.TOO_LITTLE_FREE: _too_little,
    Standing.KEPT_FOR_ANOTHER: _kept_for_another,
}
