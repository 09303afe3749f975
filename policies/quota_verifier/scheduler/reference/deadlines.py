"""R8: a head that can never start under the configuration in force is terminated after its time limit."""

from __future__ import annotations

from heapq import heappop, heappush

from quota_verifier.model import TimeLimitReason
from quota_verifier.schedulability import NeverSchedulable, never_schedulable
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.reference.attempts import terminate_waiting, time_limit_text
from quota_verifier.scheduler.reference.order import heads_of
from quota_verifier.scheduler.reference.state import ActiveJob, Core
from quota_verifier.scheduler.run import UNKNOWN


def blocked_for_ever(core: Core, job: ActiveJob) -> NeverSchedulable | None:
    """R21's verdict on a job under the configuration in force."""
    share = job.share
    if all(instances <= share.largest[unit] for unit, instances in job.demand):
        return None
    demand = {core.units[unit]: instances for unit, instances in job.demand}
    return never_schedulable(core.queue, share.share, demand, core.assumptions.borrow_rounding)


def watch_blocked_heads(core: Core) -> None:
    """Start a clock for each head that R21 blocks, and forget those that no longer head their share."""
    if not core.queue.time_limits:
        return
    blocked: dict[int, ActiveJob] = {}
    for share in core.shares:
        heads = heads_of(core, share) if share.waiting_count else []
        if core.assumptions.head_blocking == "skip":
            heads = heads[:1]
        for job in heads:
            verdict = blocked_for_ever(core, job)
            if verdict is not None:
                blocked[job.index] = job
                _start_clock(core, job, verdict.reason)
    for index, job in core.blocked.items():
        if index not in blocked:
            job.blocked_since = UNKNOWN
            job.blocked_by = ""
    core.blocked = blocked


def _start_clock(core: Core, job: ActiveJob, reason: TimeLimitReason) -> None:
    if job.blocked_by == reason:
        return
    job.blocked_by = reason
    job.blocked_since = core.now
    limit = _limit_ms(core, reason)
    if limit is not None:
        heappush(core.deadlines, (core.now + limit, job.index))


def _limit_ms(core: Core, reason: str) -> int | None:
    for action in core.queue.time_limits:
        if action.reason == reason:
            return action.max_time_ms
    return None


def end_overdue_heads(core: Core) -> None:
    """Terminate the heads whose time is up now; clocks of jobs that moved on in the meantime are void."""
    while core.deadlines and core.deadlines[0][0] == core.now:
        _, index = heappop(core.deadlines)
        job = core.blocked.get(index)
        if job is None:
            continue
        limit = _limit_ms(core, job.blocked_by)
        if limit is not None and job.blocked_since + limit == core.now:
            reason = TimeLimitReason(job.blocked_by)
            del core.blocked[index]
            terminate_waiting(core, job, Reason.TIME_LIMIT, time_limit_text(reason))
