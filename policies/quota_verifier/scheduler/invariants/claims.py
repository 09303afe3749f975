"""R14: which waiting jobs have capacity coming to them, as far as the log tells."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from quota_verifier.scheduler.invariants.room import Reach, could_start, heads_of, within
from quota_verifier.scheduler.replay import JobNow, Phase, Replay


@dataclass(slots=True)
class Claims:
    """Jobs that preempted and have not started yet, by index, in the order of their preemptions.

    A job may also wait for capacity that is being released anyway, without preempting anybody. The log
    does not tell of that, so such jobs are `possible` claimants only.
    """

    jobs: dict[int, JobNow] = field(default_factory=dict[int, JobNow])
    known: dict[int, frozenset[int]] = field(default_factory=dict[int, frozenset[int]])
    """For each claimant, which jobs were being stopped when it claimed."""
    doubtful: set[int] = field(default_factory=set[int])
    """Claimants that may have lost their claim to a possible one; the log does not tell."""

    def add(self, state: Replay, job: JobNow) -> None:
        """A job has preempted: what is released for it counts for it."""
        self.jobs[job.index] = job
        self.known[job.index] = frozenset(state.being_stopped)
        self.doubtful.discard(job.index)

    def drop_outdated(self, state: Replay) -> None:
        """A claim ends when its job no longer heads its share, or could not start with all that is coming."""
        for index, job in list(self.jobs.items()):
            heads = job.phase is Phase.WAITING and any(job is head for head in heads_of(state, job.share))
            if not (heads and self.starts_at_last(state, job)):
                del self.jobs[index]
            elif index not in self.doubtful and not self._surely_starts(state, job):
                self.doubtful.add(index)

    def starts_at_last(self, state: Replay, job: JobNow) -> bool:
        """Whether a job could start once all has stopped that is stopping."""
        ahead = self.ahead_of(state, job, owner=self.owns(state, job))
        return could_start(state, job, leaving=coming(state), claimants=ahead)

    def _surely_starts(self, state: Replay, job: JobNow) -> bool:
        """Whether a claimant could start at last whatever possible claimants there are."""
        known = self.ahead_of(state, job, owner=self.owns(state, job))
        ahead = [*known, *self.possible(state, job)]
        return could_start(state, job, leaving=coming(state), claimants=ahead)

    def starts_in_time(self, state: Replay, job: JobNow, joining: Collection[JobNow] = ()) -> bool:
        """Whether a job could start with what was stopping when it claimed, even if others join before it.

        Of those before it the ones that claimed later count on what began to stop later.
        """
        ahead = self.ahead_of(state, job, owner=self.owns(state, job))
        if job.index in self.jobs:
            order = list(self.jobs)
            ahead = [other for other in ahead if order.index(other.index) < order.index(job.index)]
        known = self.known[job.index] if job.index in self.jobs else state.being_stopped
        leaving = [other for other in coming(state) if other.index in known]
        claimants = [other for other in ahead if other not in joining]
        return could_start(state, job, leaving=leaving, joining=joining, claimants=claimants)

    def owns(self, state: Replay, job: JobNow) -> bool:
        """Whether a job fits its share's limit once all has stopped that is stopping, beside earlier claimants."""
        earlier = [other for other in self.jobs.values() if other.share == job.share and other.place < job.place]
        return within(state, job, Reach.OWN, leaving=coming(state), claimants=earlier)

    def certainly_ahead_of(self, state: Replay, job: JobNow, *, owner: bool) -> list[JobNow]:
        """The claimants that a job must not take from, as far as the log tells for certain."""
        return [other for other in self.ahead_of(state, job, owner=owner) if other.index not in self.doubtful]

    def ahead_of(self, state: Replay, job: JobNow, *, owner: bool) -> list[JobNow]:
        """The claimants that a job must not take from.

        Of its own share those that come before it (R9). Of other shares those within their limit before those
        that will borrow (R12; `owner` says what the job is), then those that claimed before it, if it claims.
        """
        order = list(self.jobs)

        def goes_before(other: JobNow) -> bool:
            if other.share == job.share:
                return other.place < job.place
            if self.owns(state, other) is not owner:
                return not owner
            return job.index not in order or order.index(other.index) < order.index(job.index)

        return [other for other in self.jobs.values() if other is not job and goes_before(other)]

    def possible(self, state: Replay, besides: JobNow) -> list[JobNow]:
        """Heads that may be waiting for capacity that is being released anyway."""
        if not state.being_stopped:
            return []
        return [
            head
            for share in range(len(state.usage))
            for head in heads_of(state, share)
            if head is not besides and head.index not in self.jobs and self.starts_at_last(state, head)
        ]


def coming(state: Replay) -> Collection[JobNow]:
    """The jobs that are being stopped: their capacity is on its way."""
    return state.being_stopped.values()
