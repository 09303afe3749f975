"""Who is looked at next: R9 inside a share, A1 which jobs are heads, A2 between shares, A3 among borrowers."""

from __future__ import annotations

from heapq import heappop, heappush

from quota_verifier.scheduler.reference.capacity import refresh_held
from quota_verifier.scheduler.reference.state import ActiveJob, ActiveShare, Core, Entry, Phase
from quota_verifier.scheduler.run import UNKNOWN


def enqueue(core: Core, job: ActiveJob) -> None:
    """Put a job into its share's order: higher priority, then earlier, then submission sequence (R9)."""
    share = job.share
    if not job.runs:
        core.in_vain = 0
    job.phase = Phase.WAITING
    job.entry = (-job.priority, job.queued_at, job.index, job)
    heappush(share.waiting.setdefault(job.demand, []), job.entry)
    share.heads_known = False
    core.waiting_count += 1
    share.waiting_count += 1
    if share.waiting_count == 1 and core.assumptions.waiting_lender == "hold":
        refresh_held(core, share)


def leave_queue(core: Core, job: ActiveJob) -> None:
    """Take a job out of its share's order; its heap entry goes stale and is dropped when it surfaces."""
    share = job.share
    job.entry = None
    job.head_since = UNKNOWN
    share.heads_known = False
    core.waiting_count -= 1
    share.waiting_count -= 1
    if share.waiting_count == 0 and core.assumptions.waiting_lender == "hold":
        refresh_held(core, share)


def heads_of(core: Core, share: ActiveShare) -> list[ActiveJob]:
    """The jobs of a share that may start now, in order (A1).

    Only the first job of each demand can matter: what keeps it waiting keeps its likes waiting. So
    the cost does not grow with the backlog.
    """
    if share.heads_known:
        return share.heads
    heads = [entry[3] for entry in _firsts(share)]
    blocking = core.assumptions.head_blocking
    if blocking == "strict":
        del heads[1:]
    elif blocking == "per-unit":
        heads = _first_per_unit(heads)
    for job in share.heads:
        if job not in heads:
            job.head_since = UNKNOWN
    if blocking != "skip":
        for job in heads:
            if job.head_since == UNKNOWN:
                job.head_since = core.now
    share.heads = heads
    share.heads_known = True
    return heads


def note_heads(core: Core) -> None:
    """Let the heads be known from now on (A3), although nothing is placed."""
    for share in core.shares:
        if share.waiting_count:
            heads_of(core, share)


def _firsts(share: ActiveShare) -> list[Entry]:
    firsts: list[Entry] = []
    emptied = False
    for entries in share.waiting.values():
        while entries and entries[0][3].entry is not entries[0]:
            heappop(entries)
        if entries:
            firsts.append(entries[0])
        else:
            emptied = True
    if emptied:
        share.waiting = {demand: entries for demand, entries in share.waiting.items() if entries}
    if len(firsts) > 1:
        firsts.sort(key=lambda entry: entry[:3])
    return firsts


def _first_per_unit(jobs: list[ActiveJob]) -> list[ActiveJob]:
    taken: set[int] = set()
    heads: list[ActiveJob] = []
    for job in jobs:
        units = {unit for unit, _ in job.demand}
        if not units & taken:
            heads.append(job)
        taken |= units
    return heads


def visited(core: Core) -> list[ActiveShare]:
    """The shares that have waiting jobs, in the order of A2; declaration order breaks ties."""
    shares = [share for share in core.shares if share.waiting_count]
    if len(shares) < 2:
        return shares
    match core.assumptions.share_order:
        case "oldest-head":
            shares.sort(key=lambda share: heads_of(core, share)[0].queued_at)
        case "round-robin":
            count = len(core.shares)
            shares.sort(key=lambda share: (share.index - core.last_share - 1) % count)
        case "least-used":
            shares.sort(key=_used_part)
        case "declaration":
            pass  # as they come; the sorts above are stable
    return shares


def _used_part(share: ActiveShare) -> tuple[bool, int]:
    """The fullest unit's usage in billionths of its limit; usage without any limit comes last."""
    parts = [used * 10**9 // limit for used, limit in zip(share.usage, share.limit, strict=True) if limit]
    unlimited_use = any(used for used, limit in zip(share.usage, share.limit, strict=True) if not limit)
    return unlimited_use, max(parts, default=0)


def borrow_key(core: Core, job: ActiveJob) -> tuple[int, int, int]:
    """First in, first out over the whole queue, by the time that A3 names."""
    by_head = core.assumptions.borrow_order == "head-since" and job.head_since != UNKNOWN
    return (job.head_since if by_head else job.queued_at, job.share.index, job.index)
