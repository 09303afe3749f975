"""What is compared of two runs: one set of numbers for each share, and for the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quota_verifier.figures import Distribution, GroupFigures, ShareLedger, UnitLedger, summarize
from quota_verifier.scheduler import Run
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.run import Outcome, State

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
    figures = summarize(run)
    shares: dict[str, Measures] = {}
    for share in figures.shares:
        rows = [n for n, job in enumerate(run.jobs) if job.share == share.name]
        caused = share.preemptions_caused_cross_share + share.preemptions_caused_in_share
        used, limit = _held(share.ledger)
        outcomes = [run.outcomes[row] for row in rows]
        shares[share.name] = _of(share.group, outcomes, caused, Fraction(used, limit) if limit else None)
    group = figures.queue.group
    suffered = group.preempted_cross_share + group.preempted_in_share
    return shares, _of(group, run.outcomes, suffered, figures.queue.utilization)


def _held(ledger: Sequence[ShareLedger | UnitLedger]) -> tuple[int, int]:
    limits = [row.limit if isinstance(row, ShareLedger) else row.capacity for row in ledger]
    return sum(row.used for row in ledger), sum(limits)


def _of(group: GroupFigures, outcomes: Sequence[Outcome], caused: int, utilization: Fraction | None) -> Measures:
    return Measures(
        jobs=group.jobs.jobs,
        succeeded=group.jobs.succeeded,
        rejected=group.jobs.rejected,
        terminated=sum(one.state is State.FAILED and one.reason is Reason.REQUESTED for one in outcomes),
        never_schedulable=sum(map(_is_never, outcomes)),
        wait=group.wait,
        preempted=group.preempted_cross_share + group.preempted_in_share,
        preempts=caused,
        lost_ms=group.lost_instance_time_ms,
        utilization=utilization,
    )


def _is_never(outcome: Outcome) -> bool:
    """The detail of a waiting job is the reason why it never starts, as AWS writes it."""
    if outcome.state is State.RUNNABLE:
        return outcome.detail.startswith(_MISCONFIGURED)
    return outcome.reason is Reason.TIME_LIMIT and _MISCONFIGURED in outcome.detail
