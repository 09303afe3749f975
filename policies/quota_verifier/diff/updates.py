"""A change of a queue as the updates that a deployment makes at one instant (R20)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quota_verifier.diff.subject import Subject, widened
from quota_verifier.model import EnvironmentUpdate, Job, JobUpdate, Queue, Share, ShareUpdate, Update


@dataclass(frozen=True, slots=True)
class Rollout:
    """The queue that a run starts with, what changes in it at the instant, and what that leaves out or assumes."""

    queue: Queue
    updates: tuple[Update, ...]
    notes: tuple[str, ...]


def rollout(subject: Subject, new: Queue, jobs: Sequence[Job], at_ms: int) -> Rollout:
    """OLD becoming NEW at an instant.

    Shares and the environment are updated in place. A share or queue that is deleted loses the jobs that were
    submitted before, at that instant; a share that is only in NEW refuses jobs until then.
    """
    old = subject.old
    running = replace(old, enabled=True, shares=tuple(_switched(old, share) for share in old.shares))
    start = widened(running, subject.added)
    after = {share.name: _switched(new, share) for share in new.shares}
    updates: list[Update] = [*_environment(old, new, at_ms)]
    for share in start.shares:
        gone = share.name not in after
        target = replace(share, limits={}, enabled=False) if gone else after[share.name]
        updates += _share(share, target, at_ms)
        if gone or subject.queue_goes or share.name in subject.restarted:
            ended = (job for job in jobs if job.share == share.name and job.submit_ms < at_ms)
            updates += (JobUpdate(at_ms, job.id, terminate=True) for job in ended)
    notes = tuple(_notes(subject, new)) or (() if updates else ("nothing that jobs notice changes at that instant",))
    return Rollout(start, tuple(updates), notes)


def _switched(queue: Queue, share: Share) -> Share:
    """A DISABLED queue refuses new jobs as each of its shares would."""
    return replace(share, enabled=share.enabled and queue.enabled)


def _environment(old: Queue, new: Queue, at_ms: int) -> Iterator[EnvironmentUpdate]:
    before, after = old.environment, new.environment
    limits = dict(after.limits) if dict(before.limits) != dict(after.limits) else None
    enabled = after.enabled if before.enabled != after.enabled else None
    if limits is not None or enabled is not None:
        yield EnvironmentUpdate(at_ms, limits, enabled)


def _share(old: Share, new: Share, at_ms: int) -> Iterator[ShareUpdate]:
    """The update of one share, if anything of it changes; the sharing configuration goes as a whole."""
    sharing = (old.strategy, old.borrow_limit) != (new.strategy, new.borrow_limit)
    update = ShareUpdate(
        at_ms,
        old.name,
        limits=dict(new.limits) if dict(old.limits) != dict(new.limits) else None,
        strategy=new.strategy if sharing else None,
        borrow_limit=new.borrow_limit if sharing else None,
        in_share_preemption=new.in_share_preemption if old.in_share_preemption != new.in_share_preemption else None,
        enabled=new.enabled if old.enabled != new.enabled else None,
    )
    if update != ShareUpdate(at_ms, old.name):
        yield update


def _notes(subject: Subject, new: Queue) -> Iterator[str]:
    ended = "the jobs that were submitted to it before are terminated at that instant"
    if subject.queue_goes:
        yield f"the queue cannot be changed in place, it is another one: {ended}"
    removed = {share.name for share in subject.removed}
    for share in () if subject.queue_goes else subject.old.shares:
        if share.name in removed:
            yield f"share {share.name} is removed: {ended}, later ones are refused"
        elif share.name in subject.restarted:
            yield f"share {share.name} cannot be changed in place, it is another one: {ended}"
    for share in subject.added:
        yield f"share {share.name} is new: jobs that are submitted to it before are refused"
    if subject.environment_goes:
        yield "the environment cannot be changed in place, it is another one: taken as a change of its limits"
    if subject.old.time_limits != new.time_limits:
        yield "time-limit actions stay those of OLD in the run with the change"
