"""How long a share's jobs waited for capacity that was their share's own.

A waiting job is *owed* capacity at an instant when it would be running if nobody but its own share held
any of the share's limit: walking the share's jobs in their order (R9, A1, A8) from its usage upwards,
the job still fits the limit. Jobs behind a head that does not fit the limit are owed nothing under
A1 strict. The time from when a job was owed without a break until it started is what it took to
reclaim: whether somebody had to be preempted, had to finish stopping, or could not be preempted at all.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from quota_verifier.figures.columns import Columns
from quota_verifier.figures.configuration import periods
from quota_verifier.figures.distribution import UNBOUNDED
from quota_verifier.scheduler.assumptions import HeadBlocking
from quota_verifier.scheduler.events import Kind, Reason

Place = tuple[int, int, int]
"""A waiting job's place in its share (R9): minus priority, queued since, index."""

Entry = tuple[int, int, int, int, int]
"""An entry of the log: at, kind, job, reason, value."""

_RELEASES = frozenset((Kind.SUCCEEDED, Kind.ATTEMPT_FAILED, Kind.STOPPED))


def owed_waits(table: Columns, share: int) -> list[tuple[int, int, int]]:
    """For each start of a job of `share`: the job, since when it was owed, and for how long, in ms.

    Owed for 0 ms where it started at once when it fell due. UNBOUNDED, at the end of the list, for
    jobs that are still owed when the run ends. Costs time in proportion to the share's events.
    """
    watch = _Watch(table, share)
    for at, entries in groupby(_entries(table, share), key=itemgetter(0)):
        watch.instant(at, entries)
    still = ((job, since, UNBOUNDED) for job, since in sorted(watch.owed.items()))
    return [*watch.waits, *still]


def _entries(table: Columns, share: int) -> Iterator[Entry]:
    """The part of the log that concerns the share: its jobs' events and every CONFIGURED."""
    events = table.events
    concerns = events.kind == Kind.CONFIGURED
    concerns |= (table.jobs.share[events.job] == share) & ~concerns
    columns = (events.at, events.kind, events.job, events.reason, events.value)
    return zip(*(column[concerns].tolist() for column in columns), strict=True)


class _Watch:
    """One share's waiting jobs, usage and limits as the log goes by."""

    def __init__(self, table: Columns, share: int) -> None:
        jobs = table.jobs
        self._demand = [tuple((unit, asked) for unit, asked in enumerate(row) if asked) for row in jobs.demand.tolist()]
        self._shape: Sequence[int] = jobs.shape.tolist()
        self._limits = [
            (period.start_ms, [period.queue.shares[share].limit(unit) for unit in jobs.units])
            for period in periods(table)
        ]
        own = self._limits[0][1] if self._limits else [0] * len(jobs.units)
        self._room, self._limit = list(own), own
        self._waiting: list[Place] = []
        self._place: dict[int, Place] = {}
        self._priority: dict[int, int] = {}
        self._queued: dict[int, int] = {}
        self._blocking: HeadBlocking = table.run.assumptions.head_blocking
        self._to_the_back = table.run.assumptions.requeue_place == "back"
        self.owed: dict[int, int] = {}
        self.waits: list[tuple[int, int, int]] = []

    def instant(self, at: int, entries: Iterable[Entry]) -> None:
        """Take in all events of one instant, then see who is owed capacity after its pass."""
        for entry in entries:
            self._take_in(*entry)
        owed = self._who_is_owed() if self._waiting else []
        self.owed = {job: self.owed.get(job, at) for job in owed}

    def _take_in(self, at: int, kind: int, job: int, reason: int, value: int) -> None:
        if kind == Kind.CONFIGURED:
            self._configure(at)
        elif kind == Kind.SUBMITTED:
            self._priority[job] = value
            self._queued[job] = at
            self._enter(job)
        elif kind == Kind.REQUEUED:
            if self._to_the_back and reason in (Reason.RECLAIM, Reason.IN_SHARE):
                self._queued[job] = at
            self._enter(job)
        elif kind == Kind.REPRIORITIZED:
            self._priority[job] = value
            if job in self._place:
                self._leave(job)
                self._enter(job)
        elif kind == Kind.DISPATCHED:
            self._leave(job)
            self._charge(job, -1)
            since = self.owed.get(job, at)
            self.waits.append((job, since, at - since))
        elif kind in _RELEASES:
            self._charge(job, +1)
        elif kind in (Kind.REJECTED, Kind.FAILED) and job in self._place:
            self._leave(job)

    def _enter(self, job: int) -> None:
        place = (-self._priority[job], self._queued[job], job)
        self._place[job] = place
        insort(self._waiting, place)

    def _leave(self, job: int) -> None:
        del self._waiting[bisect_left(self._waiting, self._place.pop(job))]

    def _charge(self, job: int, sign: int) -> None:
        for unit, asked in self._demand[self._shape[job]]:
            self._room[unit] += sign * asked

    def _configure(self, at: int) -> None:
        for start, limit in self._limits:
            if start == at:
                self._room = [room + new - old for room, new, old in zip(self._room, limit, self._limit, strict=True)]
                self._limit = limit

    def _who_is_owed(self) -> list[int]:
        room = list(self._room)
        strict, per_unit = self._blocking == "strict", self._blocking == "per-unit"
        blocked: set[int] = set()
        owed: list[int] = []
        for _, _, job in self._waiting:
            demand = self._demand[self._shape[job]]
            fits = all(room[unit] >= asked and unit not in blocked for unit, asked in demand)
            if fits:
                owed.append(job)
                for unit, asked in demand:
                    room[unit] -= asked
            elif strict:
                break
            elif per_unit:
                blocked.update(unit for unit, _ in demand)
            if max(room) <= 0:
                break
        return owed
