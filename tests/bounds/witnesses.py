"""For each bound that claims to be tight, a workload that attains it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from scopes import BORROW, G5, LONG, STOP_MS

from quota_verifier.bounds import Setting
from quota_verifier.bounds.setting import keeps_idle
from quota_verifier.model import Environment, Job, Queue, Share
from quota_verifier.scheduler import Delay, Run, Timing, assume
from quota_verifier.scheduler.reference.engine import run_reference
from quota_verifier.workload import Workload

WANTED_AT = 5
"""When the share asks for what is its own; the others have come before."""


class Jobs:
    """A workload in the making: jobs of any share that work for so long that they never end by themselves."""

    def __init__(self, work_ms: int = 1000 * LONG) -> None:
        self._numbers = count()
        self._work = work_ms
        self._jobs: list[Job] = []

    def add(self, share: Share, at: int, instances: int, jobs: int = 1, *, priority: int = 0) -> Jobs:
        """`jobs` jobs of `instances` each."""
        for number in (next(self._numbers) for _ in range(jobs)):
            self._jobs.append(Job(f"j{number:03}", share.name, at, self._work, {G5: instances}, priority=priority))
        return self

    def run(self, setting: Setting) -> Run:
        """What happens."""
        jobs = Workload(tuple(self._jobs)).jobs
        return run_reference(setting.queue, jobs, (), setting.assumptions, setting.timing, until_ms=500 * LONG)


def others(queue: Queue, share: Share) -> Iterator[Share]:
    return (other for other in queue.shares if other.name != share.name)


def filled(queue: Queue, share: Share, at: int = 0) -> Jobs:
    """Every other share runs all that it was promised, in jobs of one instance."""
    jobs = Jobs()
    for other in others(queue, share):
        jobs.add(other, at, 1, other.limit(G5))
    return jobs


def denied(setting: Setting, share: Share, guaranteed: int) -> Run:
    """Everybody else takes what is theirs; then the share asks for one instance more than is guaranteed."""
    return filled(setting.queue, share).add(share, WANTED_AT, 1, guaranteed + 1).run(setting)


def borrowing_all(setting: Setting, share: Share, most: int) -> Run:
    """The share is alone and wants more than it can ever get."""
    return Jobs().add(share, 0, 1, share.limit(G5) + most + 1).run(setting)


def one_large(setting: Setting, share: Share, instances: int) -> Run:
    """The share is alone and wants one job of so many instances."""
    return Jobs().add(share, 0, instances).run(setting)


def straddling(setting: Setting, share: Share, instances: int) -> Run:
    """The share holds one instance above its limit, the last of it in a gang; then everybody wants what is theirs."""
    small = max(0, share.limit(G5) + 1 - instances)
    gang_first = setting.assumptions.victim_order == "oldest"
    jobs = filled(setting.queue, share, at=WANTED_AT)
    if gang_first:
        jobs.add(share, 0, instances).add(share, 1, 1, small)
    else:
        jobs.add(share, 0, 1, small, priority=1).add(share, 1, instances)
    return jobs.run(setting)


def all_lent(setting: Setting, share: Share, guaranteed: int, wanted: int) -> Run:
    """Borrowers hold the last `wanted` instances that are guaranteed; then the share wants them, one a job."""
    jobs = Jobs()
    for other in others(setting.queue, share):
        jobs.add(other, 0, 1, other.limit(G5))
    jobs.add(share, 0, 1, guaranteed - wanted)
    for other in others(setting.queue, share):
        if other.strategy.borrows and not keeps_idle(setting, other):
            jobs.add(other, 1, 1, setting.queue.environment.limit(G5))
    return jobs.add(share, WANTED_AT, 1, wanted).run(setting)


def several_heads() -> tuple[Run, Share, str]:
    """A run under A1=skip in which a job that preempted is overtaken by another head of its share.

    j004 preempts at 3. At 5 a job of higher priority heads its share too and takes part of what is released at
    13, so that j004 must preempt again, at 5.
    """
    first, second = Share("S0", {G5: 2}, BORROW), Share("S1", {G5: 1}, BORROW, 200)
    owner = Share("S2", {G5: 3}, BORROW, 200)
    queue = Queue(Environment({G5: 6}), (first, second, owner))
    setting = Setting(queue, assume(["A1=skip", "A7=latest"]), Timing(stop=Delay(STOP_MS)))
    jobs = Jobs(LONG)
    jobs.add(first, 0, 3, priority=1).add(first, 1, 1, priority=2).add(second, 1, 2, priority=1)
    jobs.add(first, 1, 4, priority=1).add(owner, 3, 2).add(owner, WANTED_AT, 1, priority=9)
    return jobs.run(setting), owner, "j004"
