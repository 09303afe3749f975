"""The order in which a deployment creates what is new and deletes what goes (case C26).

References decide it: what refers to another resource is created after it and deleted before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quota_verifier.diff.changes import Change, Comparison, Fate
from quota_verifier.diff.links import change_of, is_left_out, is_retained
from quota_verifier.lint.links import dependencies, links, waits_for
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, SCHEDULING_POLICY, SERVICE_ENVIRONMENT

_FIRST_TO_GO = (QUOTA_SHARE, JOB_QUEUE, SCHEDULING_POLICY, SERVICE_ENVIRONMENT)

Edges = Mapping[str, frozenset[str]]


def deleted(comparison: Comparison) -> tuple[Change, ...]:
    """What goes, in the order in which it has to: shares, queues, policies, environments, unless references differ."""
    going = [
        change
        for change in comparison.changes
        if change.fate.deletes and not is_retained(change) and not is_left_out(comparison, change)
    ]
    return _ordered(comparison, sorted(going, key=_rank), side="old")


def created(comparison: Comparison) -> tuple[Change, ...]:
    """What is made, replacements among it, in the order in which it has to be."""
    made = (Fate.REPLACED, Fate.RECREATED, Fate.ADDED)
    coming = [change for change in comparison.changes if change.fate in made]
    return tuple(reversed(_ordered(comparison, sorted(coming, key=_rank), side="new")))


def unordered(comparison: Comparison) -> Iterator[tuple[Change, Change]]:
    """Pairs that go together, the first before the second, although nothing in OLD makes it so."""
    for pair in comparison.stacks:
        if pair.old is None or pair.new is None:
            continue
        edges = dependencies(pair.old.template)
        for link in links(pair.old.template):
            waiting = comparison.of_old(pair.old.name, link.resource.logical_id)
            if waiting is None or waiting.pair.old is None or not waiting.fate.deletes:
                continue
            awaited = change_of(comparison, waiting.pair.old, link.target, "old")
            if awaited is None or awaited.pair.old is None or not awaited.fate.deletes:
                continue
            here = awaited.pair.old.stack.name == pair.old.name
            if here and not waits_for(edges, link.resource.logical_id, awaited.pair.old.resource.logical_id):
                yield waiting, awaited


def _rank(change: Change) -> tuple[int, str, str]:
    kind = _FIRST_TO_GO.index(change.type) if change.type in _FIRST_TO_GO else len(_FIRST_TO_GO)
    return kind, change.pair.subject.stack.name, change.pair.resource.logical_id


def _ordered(comparison: Comparison, changes: list[Change], side: str) -> tuple[Change, ...]:
    """`changes` so that whatever refers to another comes before it; else as they were."""
    edges = {
        stack.name: dependencies(stack.template)
        for pair in comparison.stacks
        if (stack := pair.old if side == "old" else pair.new) is not None
    }
    found: list[Change] = []
    waiting = list(changes)
    while waiting:
        free = [one for one in waiting if not any(_refers(edges, other, one, side) for other in waiting)]
        chosen = (free or waiting)[0]  # a circle, which CloudFormation refuses anyway
        found.append(chosen)
        waiting.remove(chosen)
    return tuple(found)


def _refers(edges: Mapping[str, Edges], one: Change, other: Change, side: str) -> bool:
    """Whether `one` waits for `other` at creation, in one stack."""
    user, used = (change.pair.old if side == "old" else change.pair.new for change in (one, other))
    if user is None or used is None or one is other or user.stack.name != used.stack.name:
        return False
    return waits_for(edges[user.stack.name], user.resource.logical_id, used.resource.logical_id)
