"""Small queues and workloads in few words, for tests of figures: seconds in, a run out."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.model import Environment, Job, Queue, Share, Strategy, Update
from quota_verifier.scheduler.assumptions import assume
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import simulate
from quota_verifier.scheduler.timing import Delay, Timing
from quota_verifier.workload import Workload

G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"
RESERVE, LEND, BORROW = Strategy.RESERVE, Strategy.LEND, Strategy.LEND_AND_BORROW


def job(name, share, at, work, n=1, *, unit=G5, **rest) -> Job:
    demand = n if isinstance(n, Mapping) else {unit: n}
    return Job(name, share, round(at * 1000), round(work * 1000), demand, **rest)


def queue(capacity, *shares: Share, **rest) -> Queue:
    limits = capacity if isinstance(capacity, Mapping) else {G5: capacity}
    return Queue(Environment(limits), shares, **rest)


def share(name, limit, strategy=BORROW, percent=None, **rest) -> Share:
    limits = limit if isinstance(limit, Mapping) else {G5: limit}
    return Share(name, limits, strategy, percent, **rest)


def ran(queue: Queue, *jobs: Job, updates: tuple[Update, ...] = (), stop=0, startup=0, until=None, assuming=()) -> Run:
    return simulate(
        queue,
        Workload(jobs, updates),
        assumptions=assume(assuming),
        timing=Timing(startup=Delay(startup * 1000), stop=Delay(stop * 1000)),
        until_ms=None if until is None else round(until * 1000),
    )
