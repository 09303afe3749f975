"""What a bound is: a number, what it rests on, and where it is derived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BoundName = Literal[
    "guaranteed",
    "most-borrowed",
    "largest-job",
    "kept",
    "reclaimed-within",
    "all-reclaimed-within",
]
"""The names of the bounds, which are also the anchors of their derivations."""

Measure = Literal["instances", "ms"]

PAGE = "docs/bounds.md"
"""Where the bounds are derived."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that a bound rests on. `holds` is None where the configuration alone does not tell."""

    id: str
    text: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The value that a bound has under another answer to an open question, such as `A4=ceil`."""

    assume: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound of one share on one unit.

    `value` is in instances or milliseconds, None where there is no bound; then a condition that does not
    hold says why. `tight` claims that some workload attains the value, so that no better bound exists.
    """

    name: BoundName
    measure: Measure
    value: int | None
    explanation: str
    conditions: tuple[Condition, ...] = ()
    tight: bool = False
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def derivation(self) -> str:
        """Where it is derived."""
        return f"{PAGE}#{self.name}"


Because = Literal[
    "over-promised",
    "gangs",
    "head-of-line",
    "never-starts",
    "nobody-lends",
    "disabled",
    "assumption",
]
"""Why a bound is less than the configuration seems to promise."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Where a bound is less than the configuration seems to promise, or does not exist, and why."""

    bound: BoundName
    because: Because
    text: str


@dataclass(frozen=True, slots=True)
class UnitBounds:
    """The bounds of one share on one unit that it lists."""

    share: str
    unit: str
    bounds: tuple[Bound, ...]
    shortfalls: tuple[Shortfall, ...]

    def bound(self, name: BoundName) -> Bound:
        """The bound called `name`."""
        return next(bound for bound in self.bounds if bound.name == name)
