"""The figures of a run: what a report shows and a policy may speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from quota_verifier.figures.census import Census, NeverJob, UnfinishedJob
from quota_verifier.figures.distribution import Distribution
from quota_verifier.figures.ledger import ShareLedger, UnitLedger


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """What the jobs of a share, a label, a size class or the whole queue went through.

    Times are in ms, slowdown in thousandths. `lost_work_ms` is work that preemptions threw away (R4) and
    `lost_instance_time_ms` the same times the jobs' instances; `delivered_instance_time_ms` is the work of jobs
    that succeeded, and `disruption_ratio` lost over delivered (None where nothing was delivered).
    `preempted_again` counts jobs that were preempted more than once and `repeated_preemptions` their
    preemptions after the first: thrash. `longest_wait_ms` is the longest time in one piece that a job
    was RUNNABLE, re-queues included; None where one still is, or no job was submitted.
    """

    jobs: Census
    wait: Distribution
    turnaround: Distribution
    slowdown: Distribution
    longest_wait_ms: int | None
    preempted_cross_share: int
    preempted_in_share: int
    preempted_jobs: int
    preempted_again: int
    repeated_preemptions: int
    lost_work_ms: int
    lost_instance_time_ms: int
    delivered_instance_time_ms: int
    disruption_ratio: Fraction | None


@dataclass(frozen=True, slots=True)
class ShareFigures:
    """A share: its jobs, what they did to others, how fast it got lent capacity back, its ledger by unit.

    `utilization` is what the share held of each unit over its own limit, so it exceeds 1 where the share
    borrows; None for a limit of 0. `reclaim` is the time from the first preemption for a job to its start.
    """

    name: str
    group: GroupFigures
    preemptions_caused_cross_share: int
    preemptions_caused_in_share: int
    reclaim: Distribution
    utilization: Mapping[str, Fraction | None]
    ledger: tuple[ShareLedger, ...]


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """The whole queue.

    `utilization` is what the jobs held over the environment's capacity. `preemptions_per_reclaim` is
    cross-share victims over the reclaims that they served; None where there was no reclaim.
    """

    group: GroupFigures
    reclaim: Distribution
    preemptions_per_reclaim: Fraction | None
    utilization: Fraction | None
    utilization_by_unit: Mapping[str, Fraction | None]
    ledger: tuple[UnitLedger, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of a run, over the time from the first submission (`start_ms`) to its end (`end_ms`).

    `labels` maps `key=value` to the jobs that carry it; keys with more than 64 values are listed in
    `crowded_labels` instead. `size_classes` are instances in powers of two: 1, 2, 3-4, 5-8.
    """

    start_ms: int
    end_ms: int
    queue: QueueFigures
    shares: tuple[ShareFigures, ...]
    labels: Mapping[str, GroupFigures]
    size_classes: Mapping[str, GroupFigures]
    crowded_labels: tuple[str, ...]
    never_schedulable: tuple[NeverJob, ...]
    unfinished: tuple[UnfinishedJob, ...]
