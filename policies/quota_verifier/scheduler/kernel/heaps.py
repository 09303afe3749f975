"""Binary heaps of instants: the endings of runs and stops, and the deadlines of R8. A heap is given by its address."""

from __future__ import annotations

from quota_verifier.scheduler.kernel.compiled import called, inlined
from quota_verifier.scheduler.kernel.memory import entry


@inlined
def push(heap: int, count: int, at: int, key: int) -> None:
    """Add an entry to a heap of `count` entries."""
    place = count
    while place > 0:
        parent = (place - 1) >> 1
        above = entry(heap, parent)
        if above.at < at or (above.at == at and above.key <= key):
            break
        entry(heap, place).at = above.at
        entry(heap, place).key = above.key
        place = parent
    entry(heap, place).at = at
    entry(heap, place).key = key


@inlined
def drop_first(heap: int, count: int) -> None:
    """Take the first of `count` entries away."""
    last = count - 1
    sink(heap, 0, last, entry(heap, last).at, entry(heap, last).key)


@inlined
def sink(heap: int, place: int, count: int, at: int, key: int) -> None:
    """Put an entry at `place` or below, where its two branches are heaps already."""
    while True:
        child = 2 * place + 1
        if child >= count:
            break
        if child + 1 < count:
            left, right = entry(heap, child), entry(heap, child + 1)
            if right.at < left.at or (right.at == left.at and right.key < left.key):
                child += 1
        below = entry(heap, child)
        if below.at > at or (below.at == at and below.key >= key):
            break
        entry(heap, place).at = below.at
        entry(heap, place).key = below.key
        place = child
    entry(heap, place).at = at
    entry(heap, place).key = key


@called
def restore_order(heap: int, count: int) -> None:
    """Make `count` entries in any order a heap."""
    for place in range(count // 2 - 1, -1, -1):
        sink(heap, place, count, entry(heap, place).at, entry(heap, place).key)
