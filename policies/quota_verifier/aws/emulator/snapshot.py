"""GetJobQueueSnapshot: who is next, and who uses how much."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.scheduler import Scheduler
from quota_verifier.aws.emulator.shapes import Answer, Request
from quota_verifier.scheduler.reference.order import heads_of, visited
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Core, Entry
from quota_verifier.scheduler.run import UNKNOWN

MOST_JOBS = 100
"""How many waiting jobs the front of a queue shows (API reference)."""


def snapshot(account: Account, request: Request) -> Answer:
    """GetJobQueueSnapshot, without delay."""
    queue = account.queue(request["jobQueue"])
    scheduler, now = queue.scheduler, account.now
    core = scheduler.live.core
    total = [sum(share.usage[unit] for share in core.shares) for unit in range(len(core.units))]
    heads = {share.share.name: _head(core, share) for share in core.shares}
    return {
        "frontOfQueue": {
            "jobs": [_place(scheduler, job) for job in _front(core)],
            "lastUpdatedAt": now,
        },
        "frontOfQuotaShares": {
            "quotaShares": {name: [_place(scheduler, job) for job in jobs] for name, jobs in heads.items()},
            "lastUpdatedAt": now,
        },
        "queueUtilization": {
            "totalCapacityUsage": _usage(core, total),
            "quotaShareUtilization": {"topCapacityUtilization": _shares_usage(core)},
            "lastUpdatedAt": now,
        },
    }


def _head(core: Core, share: ActiveShare) -> list[ActiveJob]:
    return heads_of(core, share)[:1] if share.waiting_count else []


def _place(scheduler: Scheduler, job: ActiveJob) -> dict[str, object]:
    """`earliestTimeAtPosition` is since when a head is one; for others, since when the job waits."""
    at = job.queued_at if job.head_since == UNKNOWN else job.head_since
    return {"jobArn": scheduler.jobs[job.index].arn, "earliestTimeAtPosition": at}


def _front(core: Core) -> list[ActiveJob]:
    """The waiting jobs in the order in which shares would be visited for them, if each took one job in turn."""
    waiting = {share.index: _in_order(share) for share in visited(core)}
    turns: list[tuple[int, int, int, ActiveJob]] = []
    by_age = core.assumptions.share_order == "oldest-head"

    def next_of(index: int, turn: int) -> None:
        job = next(waiting[index], None)
        if job is not None:
            heappush(turns, (job.queued_at if by_age else turn, ranks[index], job.index, job))

    ranks = {index: rank for rank, index in enumerate(waiting)}
    for index in waiting:
        next_of(index, 0)
    found: list[ActiveJob] = []
    while turns and len(found) < MOST_JOBS:
        turn, _, _, job = heappop(turns)
        found.append(job)
        next_of(job.share.index, turn + 1)
    return found


def _in_order(share: ActiveShare) -> Iterator[ActiveJob]:
    """The waiting jobs of a share by R9. Only as much of its heaps is looked at as is asked for."""
    heaps = [heap for heap in share.waiting.values() if heap]
    ahead: list[tuple[Entry, int, int]] = []
    for which, heap in enumerate(heaps):
        heappush(ahead, (heap[0], which, 0))
    while ahead:
        entry, which, at = heappop(ahead)
        for child in (2 * at + 1, 2 * at + 2):
            if child < len(heaps[which]):
                heappush(ahead, (heaps[which][child], which, child))
        if entry[3].entry is entry:  # else it left the queue since
            yield entry[3]


def _shares_usage(core: Core) -> list[dict[str, object]]:
    """The shares that use something, the largest first."""
    users = sorted((share for share in core.shares if any(share.usage)), key=lambda share: -sum(share.usage))
    return [{"quotaShareName": s.share.name, "capacityUsage": _usage(core, s.usage)} for s in users]


def _usage(core: Core, usage: list[int]) -> list[dict[str, object]]:
    return [
        {"capacityUnit": unit, "quantity": float(used)} for unit, used in zip(core.units, usage, strict=False) if used
    ]
