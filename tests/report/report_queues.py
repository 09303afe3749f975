"""Queues and workloads in few words, for tests of reports."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.figures import summarize
from quota_verifier.model import Environment, Job, Queue, Share, Strategy
from quota_verifier.report.simulate_document import simulate_document
from quota_verifier.report.simulate_text import simulate_report
from quota_verifier.report.text import rendered
from quota_verifier.scheduler import simulate
from quota_verifier.workload import Workload
from quota_verifier.workload.load import offered_load

G5 = "ml.g5.xlarge"
P5 = "ml.p5.48xlarge"
RESERVE, LEND, BORROW = Strategy.RESERVE, Strategy.LEND, Strategy.LEND_AND_BORROW


def limits(of) -> Mapping[str, int]:
    return of if isinstance(of, Mapping) else {G5: of}


def share(name, limit, strategy=BORROW, percent=None, **rest) -> Share:
    return Share(name, limits(limit), strategy, percent, **rest)


def queue(capacity, *shares: Share, **rest) -> Queue:
    return Queue(Environment(limits(capacity)), shares, name="gpu-queue", source="queue.yaml", **rest)


def job(name, share, at, work, n=1, **rest) -> Job:
    return Job(name, share, round(at * 1000), round(work * 1000), limits(n), **rest)


def three_shares() -> Queue:
    """The queue of case C01."""
    return queue(
        3,
        share("QS1", 1, BORROW, 200, in_share_preemption=True),
        share("QS2", 1, LEND),
        share("QS3", 1, RESERVE),
    )


def simulated(queue: Queue, workload: Workload, *, until_ms=None, around_ms=None, **rest):
    """The report and the document of one simulation."""
    run = simulate(queue, workload, until_ms=until_ms, **rest)
    figures, loads = summarize(run), offered_load(workload, queue)
    text = rendered(simulate_report(run, figures, workload, loads, around_ms))
    return text, simulate_document(run, figures, workload, loads, until_ms, around_ms)
