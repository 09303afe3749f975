"""Workloads that break many a policy, made of the envelope's own kinds: what the search tries first.

Bursts; borrowers that fill everything before an owner comes; a gang behind a stream of small jobs; owners that
come and go so that borrowers are preempted again and again; urgent jobs on top of jobs that are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product

from quota_verifier.model import Queue
from quota_verifier.scheduler.timing import Timing
from quota_verifier.search.chance import GRAINS
from quota_verifier.search.envelope import Draft, Drafts, Envelope, Kind, fitted

MINUTE_MS, SECOND_MS, _ = GRAINS
_BURSTS = (1, 2, 3, 5, 8, 13)


@dataclass(frozen=True, slots=True)
class Setting:
    """What patterns are made for; `most_jobs` is the most jobs in a workload."""

    envelope: Envelope
    queue: Queue
    timing: Timing
    most_jobs: int


def patterns(setting: Setting) -> Iterator[tuple[str, Drafts]]:
    """Name and workload of each pattern, small ones first; each keeps to the envelope and comes once."""
    made = chain(
        _bursts(setting),
        _owner_after_borrowers(setting),
        _all_before_one(setting),
        _urgent_on_top(setting),
        _gang_behind_stream(setting),
        _owners_that_come_and_go(setting),
    )
    seen: set[Drafts] = set()
    for name, drafts in made:
        workload = fitted(setting.envelope, drafts, setting.most_jobs)
        if workload and workload not in seen:
            seen.add(workload)
            yield name, workload


_Made = Iterator[tuple[str, Sequence[Draft]]]


def _bursts(setting: Setting) -> _Made:
    for count, (index, kind) in product(_BURSTS, enumerate(setting.envelope.kinds)):
        for size, work in product(_ends(kind.sizes), _works(kind)):
            yield "burst", _burst(kind, index, min(count, setting.most_jobs), size, work)


def _owner_after_borrowers(setting: Setting) -> _Made:
    """One kind takes all that it can get; then another comes, once or twice, when those are running."""
    kinds = tuple(enumerate(setting.envelope.kinds))
    for (taker, kind), (owner, other) in product(kinds, kinds):
        for size, last in product(_ends(kind.sizes), _ends(other.sizes)):
            taken = _burst(kind, taker, _filling(setting, kind, size), size, kind.work_high)
            for count, after in product((1, 2), _moments(setting, kind)):
                at = kind.start_ms + after
                coming = [Draft(at, owner, other.work_high, last, other.priorities[-1])] * count
                yield "owner after borrowers", [*taken, *coming]


def _all_before_one(setting: Setting) -> _Made:
    kinds = tuple(enumerate(setting.envelope.kinds))
    for index, kind in kinds:
        for size in _ends(kind.sizes):
            before = [
                draft
                for place, other in kinds
                if place != index
                for draft in _burst(
                    other, place, _filling(setting, other, other.sizes[-1]), other.sizes[-1], other.work_high
                )
            ]
            share = max(1, setting.most_jobs - 2)
            at = kind.start_ms + _moments(setting, kind)[-1]
            late = [Draft(at, index, kind.work_high, size, kind.priorities[-1])] * 2
            yield "everybody before one", [*before[:share], *late]


def _urgent_on_top(setting: Setting) -> _Made:
    """Jobs of low priority fill the share, then one of high priority comes; the same kind or its share's others."""
    kinds = tuple(enumerate(setting.envelope.kinds))
    for (low, kind), (high, other) in product(kinds, kinds):
        if kind.share != other.share or (low == high and len(kind.priorities) == 1):
            continue
        for size, last in product(_ends(kind.sizes), _ends(other.sizes)):
            filling = _burst(kind, low, _filling(setting, kind, size), size, kind.work_high, kind.priorities[0])
            at = kind.start_ms + _moments(setting, kind)[-1]
            yield "urgent on top", [*filling, Draft(at, high, other.work_high, last, other.priorities[-1])]


def _gang_behind_stream(setting: Setting) -> _Made:
    """Small jobs, each submitted before the last has ended, and one large job behind the first of them."""
    kinds = tuple(enumerate(setting.envelope.kinds))
    for (small, stream), (large, gang) in product(kinds, kinds):
        work = stream.work_high
        gap = max(SECOND_MS, work // 2)
        jobs = [
            Draft(stream.start_ms + number * gap, small, work, stream.sizes[0], stream.priorities[0])
            for number in range(setting.most_jobs - 1)
        ]
        late = Draft(stream.start_ms + min(gap, MINUTE_MS), large, gang.work_high, gang.sizes[-1], gang.priorities[0])
        yield "gang behind a stream", [*jobs, late]


def _owners_that_come_and_go(setting: Setting) -> _Made:
    """A borrower takes what is idle, and a short job of its owner comes again and again."""
    kinds = tuple(enumerate(setting.envelope.kinds))
    for (taker, kind), (owner, other) in product(kinds, kinds):
        if taker == owner:
            continue
        for size in _ends(kind.sizes):
            count = min(_filling(setting, kind, size), setting.most_jobs // 2)
            taken = _burst(kind, taker, count, size, kind.work_high)
            first = kind.start_ms + _moments(setting, kind)[-1]
            pause = other.work_low + _moments(setting, other)[-1] + setting.timing.stop.of(kind.each)
            coming = [
                Draft(first + number * pause, owner, other.work_low, other.sizes[-1], other.priorities[-1])
                for number in range(setting.most_jobs - count)
            ]
            yield "owners that come and go", [*taken, *coming]


def _burst(kind: Kind, index: int, count: int, size: int, work: int, priority: int | None = None) -> list[Draft]:
    return [Draft(kind.start_ms, index, work, size, kind.priorities[-1] if priority is None else priority)] * count


def _ends(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((values[0], values[-1])))


def _works(kind: Kind) -> tuple[int, ...]:
    return _ends((kind.work_low, kind.work_high))


def _filling(setting: Setting, kind: Kind, size: int) -> int:
    """Jobs of this size that fill the environment, and one more that has to wait."""
    demand = kind.demand(size)
    fits = [setting.queue.environment.limit(unit) // count for unit, count in demand.items()]
    return max(1, min(min(fits) + 1, setting.most_jobs - 1))


def _moments(setting: Setting, kind: Kind) -> tuple[int, ...]:
    """Times after a start at which to come: at once, and when jobs are RUNNING (a SCHEDULED one stops at once)."""
    return 0, setting.timing.startup.of(kind.each) + MINUTE_MS
