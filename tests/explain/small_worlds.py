"""Queues and jobs in few words, and their explanation; times are seconds."""

from __future__ import annotations

from quota_verifier.explain import explain
from quota_verifier.model import Environment, Job, Queue, Share, Strategy, TimeLimitAction, TimeLimitReason
from quota_verifier.scheduler import Delay, Timing, assume, simulate
from quota_verifier.workload import Workload

G5, G6, P5 = "ml.g5.xlarge", "ml.g6.xlarge", "ml.p5.48xlarge"
LONG = 100_000
STOP_20 = Timing(stop=Delay(20_000))
BORROW, LEND, RESERVE = Strategy.LEND_AND_BORROW, Strategy.LEND, Strategy.RESERVE
TIME_LIMITS = tuple(
    TimeLimitAction(reason, 600_000) for reason in TimeLimitReason if reason.startswith("MISCONFIGURATION")
)


def amounts(given):
    return {G5: given} if isinstance(given, int) else given


def share(name, limits, strategy=RESERVE, borrow_limit=None, **rest):
    return Share(name, amounts(limits), strategy, borrow_limit, **rest)


def queue(environment, *shares, **rest):
    return Queue(Environment(amounts(environment)), tuple(shares), **rest)


def job(name, of, submit, demand=1, work=LONG, **rest):
    return Job(name, of, submit * 1000, work * 1000, amounts(demand), **rest)


def workload(*jobs, updates=()):
    return Workload(tuple(jobs), tuple(updates))


def told(of, jobs, name, at=None, *, assume_also=(), timing=None, under="default", updates=()):
    """The explanation of a job; `at` in seconds."""
    return explain(
        of,
        workload(*jobs, updates=updates),
        name,
        at_ms=None if at is None else round(at * 1000),
        assumptions=assume(assume_also),
        timing=timing,
        under=under,
    )


def run(of, jobs, *, assume_also=(), timing=None, updates=(), until=None):
    return simulate(
        of,
        workload(*jobs, updates=updates),
        assumptions=assume(assume_also),
        timing=timing,
        until_ms=None if until is None else until * 1000,
    )


def three_shares():
    """C01: AWS's own example."""
    return queue(
        3,
        share("QS1", 1, BORROW, 200, in_share_preemption=True),
        share("QS2", 1, LEND),
        share("QS3", 1, RESERVE),
    )


def aws_jobs():
    return [
        job("high", "QS1", 0, priority=3),
        job("med", "QS1", 0, priority=2),
        job("low", "QS1", 0, priority=1),
        job("qs2j", "QS2", 10, priority=1),
    ]
