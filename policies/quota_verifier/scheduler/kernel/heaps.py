"""Binary heaps of instants, given by their addresses: the endings of runs and stops, and the deadlines of R8."""

from __future__ import annotations

from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.memory import entry


@inlined
def push(heap: int, count: int, at: int, key: int) -> None:
    """Add an entry to a heap of `count` entries."""
    rise(heap, 0, count, at, key)


@inlined
def drop_first(heap: int, count: int) -> None:
    """Take the first of `count` entries away."""
    last = count - 1
    sink(heap, 0, last, entry(heap, last).at, entry(heap, last).key)


@inlined
def rise(heap: int, top: int, place: int, at: int, key: int) -> None:
    """Put an entry at `place` or above it, but no higher than `top`."""
    while place > top:
        parent = (place - 1) >> 1
        above = entry(heap, parent)
        if above.at < at or (above.at == at and above.key <= key):
            break
        here = entry(heap, place)
        here.at = above.at
        here.key = above.key
        place = parent
    here = entry(heap, place)
    here.at = at
    here.key = key


@inlined
def sink(heap: int, top: int, count: int, at: int, key: int) -> None:
    """Put an entry at `top` or below, where its two branches are heaps already.

    It comes from the end of the heap, so it belongs near the bottom: let the place sink to there without looking at
    it, and let it rise from there. Which of two children is lower nobody can foresee, so no branch is taken on it.
    """
    place = top
    child = 2 * place + 1
    while child + 1 < count:
        left, right = entry(heap, child), entry(heap, child + 1)
        child += int((right.at < left.at) | ((right.at == left.at) & (right.key < left.key)))
        below, here = entry(heap, child), entry(heap, place)
        here.at = below.at
        here.key = below.key
        place = child
        child = 2 * place + 1
    if child < count:
        below, here = entry(heap, child), entry(heap, place)
        here.at = below.at
        here.key = below.key
        place = child
    rise(heap, top, place, at, key)


@called
def restore_order(heap: int, count: int) -> None:
    """Make `count` entries in any order a heap."""
    for place in range(count // 2 - 1, -1, -1):
        sink(heap, place, count, entry(heap, place).at, entry(heap, place).key)
