"""summarize(): the figures of one run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from quota_verifier.figures import measures
from quota_verifier.figures.census import Census, census, never_jobs, unfinished_jobs
from quota_verifier.figures.columns import Columns, Ints, JobColumns, Mask, columns
from quota_verifier.figures.configuration import window
from quota_verifier.figures.distribution import UNBOUNDED, distribution, exact_sum
from quota_verifier.figures.figures import Figures, GroupFigures, QueueFigures, ShareFigures
from quota_verifier.figures.groups import label_groups, size_classes
from quota_verifier.figures.ledger import Ledger, ledger
from quota_verifier.figures.reclaims import reclaim_latencies
from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.run import Run


@dataclass(frozen=True, slots=True)
class JobMeasures:
    """Every per-job measure of a run, computed once for all groups."""

    table: Columns
    wait: Ints
    turnaround: Ints
    slowdown: Ints
    longest_wait: Ints
    cross_share: Ints
    in_share: Ints
    caused_cross_share: Ints
    caused_in_share: Ints
    lost: Ints
    delivered: Ints


def job_measures(table: Columns) -> JobMeasures:
    """The per-job measures of a run."""
    cross_share, caused_cross_share = measures.preemptions(table, Reason.RECLAIM)
    in_share, caused_in_share = measures.preemptions(table, Reason.IN_SHARE)
    return JobMeasures(
        table=table,
        wait=measures.waits(table),
        turnaround=measures.turnarounds(table),
        slowdown=measures.slowdowns(table),
        longest_wait=measures.longest_waits(table),
        cross_share=cross_share,
        in_share=in_share,
        caused_cross_share=caused_cross_share,
        caused_in_share=caused_in_share,
        lost=measures.lost_work(table),
        delivered=measures.delivered_work(table),
    )


def summarize(run: Run, jobs: JobColumns | None = None) -> Figures:
    """All figures of `run`; `jobs` saves work where several runs share one workload."""
    table = columns(run, jobs)
    of_jobs = job_measures(table)
    books = ledger(table)
    labels, crowded = label_groups(run.jobs)
    start, end = window(run)
    reclaims = reclaim_latencies(table)
    return Figures(
        start_ms=start,
        end_ms=end,
        queue=_queue_figures(of_jobs, books, reclaims),
        shares=_share_figures(of_jobs, books, reclaims),
        labels={name: group_figures(of_jobs, members) for name, members in labels},
        size_classes={name: group_figures(of_jobs, members) for name, members in size_classes(table.jobs.instances)},
        crowded_labels=crowded,
        never_schedulable=never_jobs(table),
        unfinished=unfinished_jobs(table),
    )


def group_figures(of_jobs: JobMeasures, members: Mask) -> GroupFigures:
    """The figures of the jobs in `members`."""
    table = of_jobs.table
    counts: Census = census(table, members)
    rows = slice(None) if members.all() else members  # a copy of everything costs as much as the figures
    preemptions = (of_jobs.cross_share + of_jobs.in_share)[rows]
    lost = exact_sum(of_jobs.lost[rows])
    delivered = exact_sum(of_jobs.delivered[rows])
    longest = int(of_jobs.longest_wait[rows].max()) if counts.jobs > counts.not_submitted else UNBOUNDED
    return GroupFigures(
        jobs=counts,
        wait=distribution(of_jobs.wait[rows]),
        turnaround=distribution(of_jobs.turnaround[rows]),
        slowdown=distribution(of_jobs.slowdown[rows]),
        longest_wait_ms=None if longest == UNBOUNDED else longest,
        preempted_cross_share=int(of_jobs.cross_share[rows].sum()),
        preempted_in_share=int(of_jobs.in_share[rows].sum()),
        preempted_jobs=int((preemptions > 0).sum()),
        preempted_again=int((preemptions > 1).sum()),
        repeated_preemptions=int(np.maximum(preemptions - 1, 0).sum()),
        lost_work_ms=exact_sum(table.lost[rows]),
        lost_instance_time_ms=lost,
        delivered_instance_time_ms=delivered,
        disruption_ratio=ratio(lost, delivered),
    )


def ratio(part: int, whole: int) -> Fraction | None:
    """`part` over `whole`; None where `whole` is 0."""
    return Fraction(part, whole) if whole else None


def _share_figures(of_jobs: JobMeasures, books: Ledger, reclaims: tuple[Ints, Ints]) -> tuple[ShareFigures, ...]:
    table = of_jobs.table
    owners, latencies = reclaims
    found: list[ShareFigures] = []
    for index, share in enumerate(table.run.queue.shares):
        members = table.jobs.share == index
        rows = tuple(row for row in books.shares if row.share == share.name)
        found.append(
            ShareFigures(
                name=share.name,
                group=group_figures(of_jobs, members),
                preemptions_caused_cross_share=int(of_jobs.caused_cross_share[members].sum()),
                preemptions_caused_in_share=int(of_jobs.caused_in_share[members].sum()),
                reclaim=distribution(latencies[members[owners]]),
                utilization={row.unit: ratio(row.used, row.limit) for row in rows},
                ledger=rows,
            )
        )
    return tuple(found)


def _queue_figures(of_jobs: JobMeasures, books: Ledger, reclaims: tuple[Ints, Ints]) -> QueueFigures:
    _, latencies = reclaims
    everybody = np.ones(len(of_jobs.wait), np.bool_)
    return QueueFigures(
        group=group_figures(of_jobs, everybody),
        reclaim=distribution(latencies),
        preemptions_per_reclaim=ratio(int(of_jobs.cross_share.sum()), len(latencies)),
        utilization=ratio(sum(row.used for row in books.units), sum(row.capacity for row in books.units)),
        utilization_by_unit={row.unit: ratio(row.used, row.capacity) for row in books.units},
        ledger=books.units,
    )
