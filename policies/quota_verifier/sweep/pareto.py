"""The Pareto front: variants that no other one beats."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Rank = tuple[int, Fraction | int]
"""A value to compare by, smaller is better; the first part sets values that do not exist behind all others."""


def front(points: Sequence[Sequence[Rank]]) -> tuple[bool, ...]:
    """Which of the points no other one dominates: is as good in everything, and better in something.

    Equal points do not dominate each other.
    """
    # A point that dominates another sorts before it, and one that is dominated itself is not needed to tell.
    order = sorted(range(len(points)), key=lambda place: tuple(points[place]))
    on_front: list[int] = []
    for place in order:
        if not any(_dominates(points[better], points[place]) for better in on_front):
            on_front.append(place)
    chosen = set(on_front)
    return tuple(place in chosen for place in range(len(points)))


def _dominates(one: Sequence[Rank], other: Sequence[Rank]) -> bool:
    return tuple(one) != tuple(other) and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))
