"""Declared, verified and deployed: the same queue thrice, compared by the rules of `diff`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from quota_verifier.diff import ChangeReport, Fate, Side, check, compare
from quota_verifier.diff.sides import Stack
from quota_verifier.documents import Document, as_list, as_map, load_document
from quota_verifier.errors import InputError
from quota_verifier.lint.queue_template import queue_resources
from quota_verifier.model import UNLIMITED_BORROWING, Queue, Share
from quota_verifier.template import parse_template, read_queue, read_queues
from quota_verifier.template.queue_file import parse_queue_file


@dataclass(frozen=True, slots=True)
class Verified:
    """What a run of `verify` was about, as its JSON document tells: the queue, and whether every claim passed."""

    source: str
    queue: Queue
    ok: bool


@dataclass(frozen=True, slots=True)
class Drift:
    """What deploying the declaration, or what was verified, would change of the deployed queue."""

    deployed: Queue
    declared: ChangeReport
    verified: ChangeReport | None
    record: Verified | None

    @property
    def drifted(self) -> bool:
        """Whether what is deployed differs from either."""
        return any(report is not None and differs(report) for report in (self.declared, self.verified))


def drift(deployed: Queue, declared: Queue, record: Verified | None = None) -> Drift:
    """Compare a deployed queue with its declaration and with what was last verified."""
    return Drift(
        deployed=deployed,
        declared=_compared(deployed, declared),
        verified=None if record is None else _compared(deployed, replace(record.queue, source=record.source)),
        record=record,
    )


def differs(report: ChangeReport) -> bool:
    """Whether anything would change."""
    return any(change.fate is not Fate.KEPT for change in report.comparison.changes)


def declared_queue(path: str, parameters: Mapping[str, str], deployed: Queue) -> Queue:
    """The queue of a template: the only one, else the one that is called as the deployed one. Raises InputError."""
    found = read_queues(path, parameters=parameters)
    name = deployed.name if len(found) > 1 else None
    return replace(read_queue(path, parameters=parameters, queue=name), source=path)


def read_verified(path: str, name: str) -> Verified:
    """What `quota-shares verify --json` printed into a file: of its queues the only one, else the one called `name`.

    Raises InputError.
    """
    document = load_document(path)
    data = as_map(document.data) or {}
    queues, ok = as_list(data.get("queues")), data.get("ok")
    if queues is None or not isinstance(ok, bool):
        remedy = "keep what quota-shares verify --json prints"
        raise InputError("this is no record of a verification", source=path, remedy=remedy)
    read = [parse_queue_file(replace(document, data=queue)) for queue in queues]
    named = [queue for queue in read if queue.name == name] if len(read) > 1 else read
    if len(named) != 1:
        listed = ", ".join(queue.name for queue in read) or "none"
        raise InputError(f"{len(named)} of its queues are called {name!r}", source=path, remedy=f"it has {listed}")
    return Verified(path, named[0], ok)


def _compared(deployed: Queue, wanted: Queue) -> ChangeReport:
    return check(compare(_side(deployed), _side(wanted)))


def _side(queue: Queue) -> Side:
    """The queue as a side of a change; a template made of it, so that both sides are of one kind."""
    alike = _normal(queue)
    document = Document({"Resources": queue_resources(alike)}, queue.source, lambda _: 1, lambda _: 1)
    stack = Stack(Path(queue.source).name, parse_template(document), {}, alike)
    return Side(queue.source, (stack,))


def _normal(queue: Queue) -> Queue:
    """The queue with one spelling for what means the same: the order of lists, and an unlimited borrow limit."""
    return replace(
        queue,
        environment=replace(queue.environment, limits=dict(sorted(queue.environment.limits.items()))),
        shares=tuple(sorted(map(_normal_share, queue.shares), key=lambda share: share.name)),
        time_limits=tuple(sorted(queue.time_limits, key=lambda action: action.reason)),
    )


def _normal_share(share: Share) -> Share:
    unlimited = share.strategy.borrows and share.borrow_limit is None
    limit = UNLIMITED_BORROWING if unlimited else share.borrow_limit
    return replace(share, limits=dict(sorted(share.limits.items())), borrow_limit=limit)
