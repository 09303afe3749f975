"""What is compared of two runs: one set of numbers for each share, and for the queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from quota_verifier.figures import Distribution, GroupFigures, job_columns, summarize
from quota_verifier.figures.columns import Mask
from quota_verifier.scheduler import Run
from quota_verifier.scheduler.columns import STATES, OutcomeColumns, outcome_columns
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.run import State

_MISCONFIGURED = "MISCONFIGURATION"


@dataclass(frozen=True, slots=True)
class Measures:
    """Jobs and what they went through; times in ms, lost work in instances x ms, utilization over the own limit.

    `never_schedulable` are jobs that R21 blocks under the configuration in which the run ended, whether they
    still wait or a time limit ended them; `terminated` are those that were ended by request.
    """

    jobs: int
    succeeded: int
    rejected: int
    terminated: int
    never_schedulable: int
    wait: Distribution
    preempted: int
    preempts: int
    lost_ms: int
    utilization: Fraction | None


def measures(run: Run) -> tuple[Mapping[str, Measures], Measures]:
    """The measures of every share by name, and of the whole queue."""
    jobs = job_columns(run.queue, run.jobs)
    figures = summarize(run, jobs)
    outcomes = outcome_columns(run)
    ended, never = _terminated(outcomes), _never(outcomes)
    shares: dict[str, Measures] = {}
    for index, share in enumerate(figures.shares):
        caused = share.preemptions_caused_cross_share + share.preemptions_caused_in_share
        used, limit = sum(row.used for row in share.ledger), sum(row.limit for row in share.ledger)
        utilization = Fraction(used, limit) if limit else None
        shares[share.name] = _of(share.group, jobs.share == index, ended, never, caused, utilization)
    group = figures.queue.group
    everybody = np.ones(len(ended), np.bool_)
    suffered = group.preempted_cross_share + group.preempted_in_share
    return shares, _of(group, everybody, ended, never, suffered, figures.queue.utilization)


def _of(
    group: GroupFigures, members: Mask, ended: Mask, never: Mask, caused: int, utilization: Fraction | None
) -> Measures:
    return Measures(
        jobs=group.jobs.jobs,
        succeeded=group.jobs.succeeded,
        rejected=group.jobs.rejected,
        terminated=int((ended & members).sum()),
        never_schedulable=int((never & members).sum()),
        wait=group.wait,
        preempted=group.preempted_cross_share + group.preempted_in_share,
        preempts=caused,
        lost_ms=group.lost_instance_time_ms,
        utilization=utilization,
    )


def _terminated(of: OutcomeColumns) -> Mask:
    return (of.state == STATES.index(State.FAILED)) & (of.reason == Reason.REQUESTED)


def _never(of: OutcomeColumns) -> Mask:
    """The detail of a waiting job is the reason why it never starts, as AWS writes it; a time limit repeats it."""
    told = np.array([_MISCONFIGURED in detail for detail in of.details], np.bool_)[of.detail]
    waits = of.state == STATES.index(State.RUNNABLE)
    return told & (waits | (of.reason == Reason.TIME_LIMIT))
