"""R8: a head that can never start under the configuration in force is terminated after its time limit."""

from __future__ import annotations

from quota_verifier.scheduler.kernel import codes
from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.attempts import terminate_waiting
from quota_verifier.scheduler.kernel.compiled import called, merged
from quota_verifier.scheduler.kernel.heaps import drop_first, push
from quota_verifier.scheduler.kernel.lanes import SKIP, look
from quota_verifier.scheduler.kernel.layout import Row


@called
def watch_blocked_heads(w: Row) -> None:
    """Start a clock for each head that R21 blocks, and forget those that no longer head their share."""
    for i in range(w.blocked):
        at.rare(w, at.blocked(w, i).value).was_blocked = 1
    watched = w.blocked
    count = watched  # the new ones are written behind the old ones, then moved
    for i in range(w.share_count):
        share = at.shares(w, i)
        if share.waiting:
            look(w, i)
            heads = min(share.heads, 1) if w.blocking == SKIP else share.heads
            for h in range(share.lane_first, share.lane_first + heads):
                job = at.heads(w, h).value
                never = at.lanes(w, at.jobs(w, job).lane).never
                if never:
                    at.rare(w, job).was_blocked = 0
                    at.blocked(w, count).value = job
                    count += 1
                    _start_clock(w, job, never)
    for i in range(watched):
        rare = at.rare(w, at.blocked(w, i).value)
        if rare.was_blocked:
            rare.was_blocked = 0
            rare.blocked_by = 0
    for i in range(watched, count):
        at.blocked(w, i - watched).value = at.blocked(w, i).value
    w.blocked = count - watched


@called
def _start_clock(w: Row, job: int, reason: int) -> None:
    rare = at.rare(w, job)
    if rare.blocked_by == reason:
        return
    rare.blocked_by = reason
    rare.blocked_since = w.now
    limit = _limit(w, reason)
    if limit >= 0:
        push(w.deadlines_at, w.deadlines, w.now + limit, job)
        w.deadlines += 1


@called
def _limit(w: Row, reason: int) -> int:
    return w.environment_limit if reason == codes.ABOVE_ENVIRONMENT else w.quota_limit


@called
def end_overdue_heads(w: Row) -> None:
    """Terminate the heads whose time is up now; clocks of jobs that moved on in the meantime are void."""
    while w.deadlines and at.deadlines(w, 0).at == w.now:
        job = at.deadlines(w, 0).key
        drop_first(w.deadlines_at, w.deadlines)
        w.deadlines -= 1
        place = _place_in_blocked(w, job)
        if place < 0:
            continue
        reason = at.rare(w, job).blocked_by
        limit = _limit(w, reason)
        if limit >= 0 and at.rare(w, job).blocked_since + limit == w.now:
            w.blocked -= 1
            at.blocked(w, place).value = at.blocked(w, w.blocked).value
            verdict = codes.ENVIRONMENT_LIMIT if reason == codes.ABOVE_ENVIRONMENT else codes.QUOTA_LIMIT
            terminate_waiting(w, job, codes.TIME_LIMIT, verdict)


@merged
def _place_in_blocked(w: Row, job: int) -> int:
    for i in range(w.blocked):
        if at.blocked(w, i).value == job:
            return i
    return -1
