"""What is known of the jobs: how large they are, and which units one job uses together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from quota_verifier.errors import InputError
from quota_verifier.model import Job, Queue, Rounding, Share
from quota_verifier.schedulability import largest_job, never_schedulable
from quota_verifier.words import did_you_mean

EVERY_SHARE = "*"
"""In place of a share's name: every share that is not named."""

Demand = tuple[tuple[str, int], ...]
"""(unit, instances) in the order of the units' names."""

Shape = tuple[str, ...]
"""The units that one job uses, in the order of the queue's units."""


@dataclass(frozen=True, slots=True)
class KnownJobs:
    """What was said of the jobs that will come; without it every job that can start may come.

    `demands` are those of a workload, by share; `largest` and `smallest` are instances in one job, by share,
    and go before what the workload says. `source` names the workload.
    """

    demands: Mapping[str, tuple[Demand, ...]] = field(default_factory=dict[str, tuple[Demand, ...]])
    largest: Mapping[str, int] = field(default_factory=dict[str, int])
    smallest: Mapping[str, int] = field(default_factory=dict[str, int])
    source: str = ""


@dataclass(frozen=True, slots=True)
class ShareJobs:
    """The jobs that one share may get.

    `largest` and `smallest` are instances of a unit in one job; `largest` also counts jobs that are too large
    to start, since they block their share. `shapes` are those of jobs that can start.
    """

    largest: Mapping[str, int]
    smallest: Mapping[str, int]
    shapes: tuple[Shape, ...]


def demands_of(jobs: Iterable[Job]) -> dict[str, tuple[Demand, ...]]:
    """The different demands of `jobs`, by share."""
    found: dict[str, dict[Demand, None]] = {}
    for job in jobs:
        found.setdefault(job.share, {})[tuple(sorted(job.demand.items()))] = None
    return {share: tuple(sorted(demands)) for share, demands in found.items()}


def check_known(queue: Queue, known: KnownJobs) -> None:
    """Raises InputError for sizes of a share that the queue does not have, and for none that fits both limits."""
    names = [share.name for share in queue.shares]
    for option, sizes in (("--largest-job", known.largest), ("--smallest-job", known.smallest)):
        for name in sizes:
            if name != EVERY_SHARE and name not in names:
                raise InputError(f"unknown share {name!r}", source=option, remedy=did_you_mean(name, names))
    for name in names:
        largest, smallest = given(known.largest, name), given(known.smallest, name)
        if largest is not None and smallest is not None and smallest > largest:
            raise InputError(
                f"the smallest job of {name} would be larger ({smallest}) than its largest ({largest})",
                source="--smallest-job",
                remedy=f"give {largest} or less",
            )


def given(sizes: Mapping[str, int], share: str) -> int | None:
    """The size that was given for `share`, by its name or for every share."""
    return sizes.get(share, sizes.get(EVERY_SHARE))


def share_jobs(queue: Queue, share: Share, known: KnownJobs, rounding: Rounding = "floor") -> ShareJobs:
    """The jobs that `share` may get; `rounding` is the answer to A4, which R21 depends on."""
    demands = known.demands.get(share.name)
    jobs = _every_job(queue, share, rounding) if demands is None else _like(queue, share, demands, rounding)
    largest, smallest = given(known.largest, share.name), given(known.smallest, share.name)
    return ShareJobs(
        largest=jobs.largest if largest is None else dict.fromkeys(jobs.largest, largest),
        smallest=jobs.smallest if smallest is None else dict.fromkeys(jobs.smallest, smallest),
        shapes=jobs.shapes,
    )


def _every_job(queue: Queue, share: Share, rounding: Rounding) -> ShareJobs:
    """The worst that can come: every size that R21 lets start, on all units of the share at once."""
    largest = {unit: largest_job(queue, share, unit, rounding) for unit in share.limits}
    usable = tuple(unit for unit in queue.units if largest.get(unit))
    return ShareJobs(largest, dict.fromkeys(share.limits, 1), (usable,) if usable else ())


def _like(queue: Queue, share: Share, demands: tuple[Demand, ...], rounding: Rounding) -> ShareJobs:
    asked: dict[str, list[int]] = {unit: [] for unit in share.limits}
    shapes: dict[Shape, None] = {}
    for demand in map(dict, demands):
        for unit in share.limits:
            if unit in demand:
                asked[unit].append(demand[unit])
        if never_schedulable(queue, share, demand, rounding) is None:
            shapes[tuple(unit for unit in queue.units if unit in demand)] = None
    return ShareJobs(
        largest={unit: max(sizes, default=0) for unit, sizes in asked.items()},
        smallest={unit: min(sizes, default=1) for unit, sizes in asked.items()},
        shapes=tuple(sorted(shapes)),
    )
