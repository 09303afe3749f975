"""The preemptions after a change, and which of them only the change allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quota_verifier.model import JobUpdate, Queue, Update
from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.reference.changes import configured
from quota_verifier.scheduler.replay import JobNow, Replay, replayed
from quota_verifier.scheduler.run import Run


@dataclass(frozen=True, slots=True)
class Preemption:
    """A preemption. `because` says what of the change allows it; empty where OLD allows it too."""

    at_ms: int
    job: str
    share: str
    by: str
    by_share: str
    lost_ms: int
    because: str


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Every preemption from the instant of the change on, in order."""

    preemptions: tuple[Preemption, ...]

    @property
    def because(self) -> tuple[Preemption, ...]:
        """Those that the change allows and OLD would not."""
        return tuple(one for one in self.preemptions if one.because)


def aftermath(run: Run, updates: Sequence[Update], at_ms: int) -> Aftermath:
    """The preemptions of a run from the instant of `updates` on."""
    return Aftermath(tuple(_preemptions(run, updates, at_ms)))


def _preemptions(run: Run, updates: Sequence[Update], at_ms: int) -> Iterator[Preemption]:
    lost = {(span.job, span.stop): span.lost_ms * run.jobs[span.job].instances for span in run.spans}
    old = run.queue
    for state, event in replayed(run):
        if event.kind is Kind.CONFIGURED:
            update = run.updates[event.value]
            if update not in updates and not isinstance(update, JobUpdate):
                old = configured(old, update)
        elif event.kind is Kind.PREEMPTED and event.at >= at_ms:
            job, head = state.jobs[event.job], state.jobs[event.by]
            yield Preemption(
                at_ms=event.at,
                job=job.job.id,
                share=job.job.share,
                by=head.job.id,
                by_share=head.job.share,
                lost_ms=lost.get((event.job, event.at), 0),
                because=_because(state, old, event, job, head),
            )


def _because(state: Replay, old: Queue, event: Event, job: JobNow, head: JobNow) -> str:
    before, after = old.shares[job.share], state.queue.shares[job.share]
    if event.reason is Reason.IN_SHARE:
        return "" if before.in_share_preemption else f"in-share preemption of {after.name} is on"
    # Only what exceeds a limit may be taken back (I4), so under a limit that is not exceeded nobody could.
    contested = [
        unit for unit, _ in job.demand if head.needs(unit) and _staying(state, job.share, unit) > after.limit(unit)
    ]
    if contested and all(_staying(state, job.share, unit) <= before.limit(unit) for unit in contested):
        falls = [f"{before.limit(unit)} -> {after.limit(unit)} {unit}" for unit in contested]
        return f"the limit of {after.name} is lower: {', '.join(falls)}"
    owner, owned = old.shares[head.share], state.queue.shares[head.share]
    rises = [unit for unit, asked in head.demand if state.usage[head.share].get(unit, 0) + asked > owner.limit(unit)]
    if rises:
        listed = [f"{owner.limit(unit)} -> {owned.limit(unit)} {unit}" for unit in rises]
        return f"the limit of {owned.name} is higher: {', '.join(listed)}"
    return ""


def _staying(state: Replay, share: int, unit: str) -> int:
    return state.usage[share].get(unit, 0) - state.stopping[share].get(unit, 0)
