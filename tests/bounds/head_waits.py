"""What bounds promise, read off the event log of a run, without the engine's or the bounds' own arithmetic.

The first waiting job of a share *fits* while its share's usage and its own demand are together no more than what is
guaranteed. Its wait is the time in one piece that it has been first and has fitted when it starts.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from quota_verifier.scheduler import Run
from quota_verifier.scheduler.events import Kind, Reason

RELEASES = frozenset((Kind.SUCCEEDED, Kind.ATTEMPT_FAILED, Kind.STOPPED))
PREEMPTIONS = frozenset((Reason.RECLAIM, Reason.IN_SHARE))

Amounts = Mapping[tuple[str, str], int]
"""Instances by share and unit."""


class Wait(NamedTuple):
    """From when on the first job of `share` fitted until it started; `until` is None where it never did."""

    share: str
    job: int
    since: int
    until: int | None

    @property
    def ms(self) -> float:
        return float("inf") if self.until is None else self.until - self.since


class Left(NamedTuple):
    """What a reclaim left of `unit` running in the share that it took `taken` from."""

    share: str
    unit: str
    taken: int
    left: int


class Observed(NamedTuple):
    """All that a run shows about bounds."""

    waits: list[Wait]
    most_held: dict[tuple[str, str], int]
    largest_started: dict[tuple[str, str], int]
    left: list[Left]


def observe(run: Run, guaranteed: Amounts) -> Observed:
    """Replay the log of `run`."""
    return _Replay(run, guaranteed).observed()


class _Replay:
    def __init__(self, run: Run, guaranteed: Amounts) -> None:
        self.run = run
        self.guaranteed = guaranteed
        self.names = [share.name for share in run.queue.shares]
        self.usage: dict[tuple[str, str], int] = {}
        self.stopping: set[int] = set()
        self.waiting: dict[str, list[tuple[int, int, int]]] = {name: [] for name in self.names}
        self.place: dict[int, tuple[int, int, int]] = {}
        self.queued: dict[int, int] = {}
        self.preempted: dict[int, int] = {}
        self.priority: dict[int, int] = {}
        self.fitting: dict[int, int] = {}
        self.out = Observed([], {}, {}, [])

    def observed(self) -> Observed:
        for at, events in groupby(self.run.events, key=itemgetter(0)):
            victims: list[int] = []
            for event in events:
                if event.kind is Kind.PREEMPTED and event.reason is Reason.RECLAIM:
                    victims.append(event.job)
                elif victims:
                    self._note_what_is_left(victims)
                    victims = []
                self._take_in(*event)
            if victims:
                self._note_what_is_left(victims)
            self._look(at)
        for job, since in self.fitting.items():
            self.out.waits.append(Wait(self.run.jobs[job].share, job, since, None))
        return self.out

    def _take_in(self, at: int, kind: Kind, job: int, by: int, reason: Reason, value: int) -> None:
        if kind is Kind.SUBMITTED:
            self.queued[job], self.priority[job] = at, value
            self._enter(job)
        elif kind is Kind.REQUEUED:
            if self.run.assumptions.requeue_place == "back" and reason in PREEMPTIONS:
                self.queued[job] = self.preempted[job]
            self._enter(job)
        elif kind is Kind.DISPATCHED:
            self._leave(job)
            self._charge(job, +1)
            if job in self.fitting:
                self.out.waits.append(Wait(self.run.jobs[job].share, job, self.fitting.pop(job), at))
        elif kind is Kind.PREEMPTED:
            self.stopping.add(job)
            self.preempted[job] = at
        elif kind is Kind.TERMINATED and job not in self.place:
            self.stopping.add(job)
        elif kind in RELEASES:
            self.stopping.discard(job)
            self._charge(job, -1)
        elif kind is Kind.REPRIORITIZED:
            self.priority[job] = value
            if job in self.place:
                self._leave(job)
                self._enter(job)
        elif kind in (Kind.REJECTED, Kind.FAILED) and job in self.place:
            self._leave(job)

    def _enter(self, job: int) -> None:
        share = self.run.jobs[job].share
        self.place[job] = (-self.priority[job], self.queued[job], job)
        insort(self.waiting[share], self.place[job])
        for other in [each for each in self.fitting if self.run.jobs[each].share == share]:
            if self.place[other] > self.place[job]:
                del self.fitting[other]  # overtaken: its time starts anew

    def _leave(self, job: int) -> None:
        self.waiting[self.run.jobs[job].share].remove(self.place.pop(job))

    def _charge(self, job: int, sign: int) -> None:
        spec = self.run.jobs[job]
        for unit, asked in spec.demand.items():
            key = (spec.share, unit)
            self.usage[key] = self.usage.get(key, 0) + sign * asked
            if sign > 0:
                self.out.most_held[key] = max(self.out.most_held.get(key, 0), self.usage[key])
                self.out.largest_started[key] = max(self.out.largest_started.get(key, 0), asked)

    def _note_what_is_left(self, victims: list[int]) -> None:
        taken: dict[tuple[str, str], int] = {}
        for victim in victims:
            spec = self.run.jobs[victim]
            for unit, asked in spec.demand.items():
                taken[spec.share, unit] = taken.get((spec.share, unit), 0) + asked
        going: dict[tuple[str, str], int] = {}
        for job in self.stopping:
            spec = self.run.jobs[job]
            for unit, asked in spec.demand.items():
                going[spec.share, unit] = going.get((spec.share, unit), 0) + asked
        for (share, unit), amount in taken.items():
            left = self.usage.get((share, unit), 0) - going.get((share, unit), 0)
            self.out.left.append(Left(share, unit, amount, left))

    def _look(self, at: int) -> None:
        before, self.fitting = self.fitting, {}
        for share, entries in self.waiting.items():
            if entries and self._fits(share, entries[0][2]):
                job = entries[0][2]
                self.fitting[job] = before.get(job, at)

    def _fits(self, share: str, job: int) -> bool:
        return all(
            self.usage.get((share, unit), 0) + asked <= self.guaranteed.get((share, unit), 0)
            for unit, asked in self.run.jobs[job].demand.items()
        )
