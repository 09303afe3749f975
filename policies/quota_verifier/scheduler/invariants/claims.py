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

    def add(self, job: JobNow) -> None:
        """A job has preempted: what is released for it counts for it."""
        self.jobs[job.index] = job

    def drop_outdated(self, state: Replay) -> None:
        """A claim ends when its job no longer heads its share, or could not start with all that is coming."""
        for index, job in list(self.jobs.items()):
            stands = (
                job.phase is Phase.WAITING
                and any(job is head for head in heads_of(state, job.share))
                and could_start(
                    state, job, leaving=coming(state), claimants=self.ahead_of(state, job, owner=owns(state, job))
                )
            )
            if not stands:
                del self.jobs[index]

    def ahead_of(self, state: Replay, job: JobNow, *, owner: bool) -> list[JobNow]:
        """The claimants that a job must not take from.

        Of its own share those that come before it (R9). Of other shares those within their limit before those
        that will borrow (R12; `owner` says what the job is), then those that claimed before it, if it claims.
        """
        order = list(self.jobs)

        def goes_before(other: JobNow) -> bool:
            if other.share == job.share:
                return other.place < job.place
            if owns(state, other) is not owner:
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
            if head is not besides
            and head.index not in self.jobs
            and could_start(
                state, head, leaving=coming(state), claimants=self.ahead_of(state, head, owner=owns(state, head))
            )
        ]


def owns(state: Replay, job: JobNow) -> bool:
    """Whether a job fits its share's limit once all has stopped that is stopping."""
    return within(state, job, Reach.OWN, leaving=coming(state))


def coming(state: Replay) -> Collection[JobNow]:
    """The jobs that are being stopped: their capacity is on its way."""
    return state.being_stopped.values()
