"""Which queue a workload is tried on, before and after, and whether NEW can be tried at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from quota_verifier.diff.changes import Change, Comparison
from quota_verifier.diff.check import ChangeReport
from quota_verifier.diff.links import environment_change, policy_change, queue_change
from quota_verifier.diff.pairs import Found
from quota_verifier.errors import InputError
from quota_verifier.lint.results import Severity
from quota_verifier.lint.values import called, value_at, word
from quota_verifier.model import Environment, Queue, Share
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE
from quota_verifier.words import did_you_mean


@dataclass(frozen=True, slots=True)
class Subject:
    """A queue before and after. `new` is None where `why_not_new` says why nothing can run on it.

    `refused` are the rules by which the deployment would fail, so that nothing changes at any instant.
    `restarted` are the shares, by their name in OLD, whose jobs end because what they are in is deleted;
    `moves` says that the environment is another one.
    """

    old: Queue
    new: Queue | None
    why_not_new: str = ""
    refused: tuple[str, ...] = ()
    restarted: frozenset[str] = frozenset()
    queue_goes: bool = False
    environment_goes: bool = False

    @property
    def removed(self) -> tuple[Share, ...]:
        """The shares that are in OLD alone, by name."""
        return () if self.new is None else _without(self.old, self.new)

    @property
    def added(self) -> tuple[Share, ...]:
        """The shares that are in NEW alone."""
        return () if self.new is None else _without(self.new, self.old)


def subject_of(report: ChangeReport, name: str | None = None) -> Subject:
    """The queue called `name` in OLD or NEW, or the only one of OLD. Raises InputError where there is not one."""
    comparison = report.comparison
    change = _chosen(comparison, name)
    old, new = change.pair.old, change.pair.new
    if old is None:
        raise InputError(f"{called(change.pair.resource)} is not in OLD", source=comparison.old.source)
    before = old.stack.queue(old.resource)
    why = _why_not(comparison, change)
    if new is None or why:
        return Subject(before, None, why or "the queue is removed")
    files = {found.stack.template.source for found in (old, new)}
    environment = environment_change(comparison, old, "old")
    return Subject(
        old=before,
        new=new.stack.queue(new.resource),
        refused=tuple(sorted(_errors(report, files))),
        restarted=frozenset(_restarted(comparison, change)),
        queue_goes=change.fate.deletes,
        environment_goes=environment is not None and environment.fate.deletes,
    )


def _errors(report: ChangeReport, files: set[str]) -> set[str]:
    """The rules that find an error in the queue's own stack; that of another one fails by itself."""
    return {one.rule for one in report.findings if one.severity is Severity.ERROR and one.file in files}


def _chosen(comparison: Comparison, name: str | None) -> Change:
    managed = [change for change in comparison.of_type(JOB_QUEUE) if change.pair.old and _is_managed(change.pair.old)]
    source = comparison.old.source
    if name is not None:
        chosen = [change for change in managed if name in _names(change)]
        known = [called(change.pair.subject.resource) for change in managed]
        if not chosen:
            raise InputError(
                f"no quota-managed job queue is called {name!r}", source=source, remedy=did_you_mean(name, known)
            )
        managed = chosen
    if not managed:
        raise InputError("no quota-managed job queue", source=source, remedy="leave --workload and --policy out")
    if len(managed) > 1:
        listed = ", ".join(called(change.pair.subject.resource) for change in managed)
        raise InputError(f"{len(managed)} quota-managed job queues", source=source, remedy=f"name one of {listed}")
    return managed[0]


def _names(change: Change) -> Iterator[object]:
    for found in (change.pair.old, change.pair.new):
        if found is not None:
            resource = found.resource
            yield from (resource.logical_id, resource.label, resource.construct_path, resource.name)
            if found.stack.file is not None:
                yield found.stack.file.name


def _is_managed(queue: Found) -> bool:
    return any(queue.resource is one for one in queue.stack.queues())


def _why_not(comparison: Comparison, change: Change) -> str:
    new = change.pair.new
    if new is None:
        return "NEW has no such queue"
    kind = word(value_at(new.resource, "JobQueueType"))
    if isinstance(kind, str) and kind != "SAGEMAKER_TRAINING":
        return f"the queue of NEW is of type {kind}"
    policy = policy_change(comparison, new, "new")
    found = None if policy is None else policy.pair.new
    if found is not None and "QuotaSharePolicy" not in found.resource.properties:
        return f"the policy {found.resource.logical_id} of NEW has no QuotaSharePolicy"
    return "" if _is_managed(new) else "the queue of NEW is not under quota management"


def _restarted(comparison: Comparison, queue: Change) -> Iterator[str]:
    for share in comparison.of_type(QUOTA_SHARE):
        if share.pair.old is not None and queue_change(comparison, share, "old") is queue and share.fate.deletes:
            yield called(share.pair.old.resource)


def _without(queue: Queue, other: Queue) -> tuple[Share, ...]:
    names = {share.name for share in other.shares}
    return tuple(share for share in queue.shares if share.name not in names)


def widened(queue: Queue, more: tuple[Share, ...]) -> Queue:
    """`queue` with shares that it does not have: without limits and DISABLED, so that their jobs are refused."""
    absent = (replace(share, limits={}, enabled=False) for share in more)
    return replace(queue, shares=(*queue.shares, *absent))


def reading_queue(subject: Subject) -> Queue:
    """A queue with every share and unit of both sides, to read a workload with."""
    old, new = subject.old, subject.new or subject.old
    shares = {share.name: share for share in (*old.shares, *new.shares)}
    limits = {**new.environment.limits, **old.environment.limits}
    return Queue(Environment(limits), tuple(shares.values()), name=old.name, source=old.source)
