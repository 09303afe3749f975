"""What is compared of two runs, as reports write it: values, and differences with their sign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from quota_verifier.diff.measures import Measures
from quota_verifier.diff.trial import Experiment
from quota_verifier.report.numbers import NONE, decimal, instance_hours, percent, short_duration

NEVER = "never"
"""In place of a wait that did not end."""

SAME = "="
"""In place of a difference of nothing."""

Amount = int | Fraction | None | Literal["never"]
"""A value of a measure; None where there is none, `never` for a wait without end."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure: what it is called, its value, and how a value and the size of a difference are written.

    One that is `telling` is left out of a table where it is 0 in every run.
    """

    label: str
    of: Callable[[Measures], Amount]
    value: Callable[[int | Fraction | None], str]
    size: Callable[[int | Fraction], str]
    telling: bool = False

    def text(self, measures: Measures | None) -> str:
        """The value; a dash where there is none."""
        amount = None if measures is None else self.of(measures)
        return NEVER if amount == NEVER else self.value(_number(amount))

    def change(self, old: Measures | None, new: Measures | None) -> str:
        """The difference with its sign."""
        before: Amount = None if old is None else self.of(old)
        after: Amount = None if new is None else self.of(new)
        if before == after:
            return NONE if before is None else SAME
        if NEVER in (before, after):
            return f"to {NEVER}" if after == NEVER else f"from {NEVER}"
        was, now = _number(before), _number(after)
        if was is None or now is None:
            return NONE
        return signed(self.size(abs(now - was)), up=now > was)


def signed(size: str, *, up: bool) -> str:
    """A difference with its sign: `+5m`, `-2`; below what is shown `<+0.1` and `>-0.1`."""
    if size.startswith("<"):
        return f"{'<+' if up else '>-'}{size[1:]}"
    return f"{'+' if up else '-'}{size}"


def _number(amount: Amount) -> int | Fraction | None:
    return None if isinstance(amount, str) else amount


def _wait(statistic: Literal["p50", "p95", "max"]) -> Callable[[Measures], Amount]:
    def of(measures: Measures) -> Amount:
        value = measures.wait.statistic(statistic)
        return NEVER if value is None and measures.wait.count else value

    return of


def _points(size: int | Fraction) -> str:
    return f"{decimal(Fraction(size) * 100)} points"


def _percent(value: int | Fraction | None) -> str:
    return percent(None if value is None else Fraction(value))


def _count(value: int | Fraction | None) -> str:
    return NONE if value is None else str(value)


def _hours(value: int | Fraction | None) -> str:
    return NONE if value is None else instance_hours(int(value))


FIGURES: tuple[Figure, ...] = (
    Figure("wait p50", _wait("p50"), short_duration, short_duration),
    Figure("wait p95", _wait("p95"), short_duration, short_duration),
    Figure("wait max", _wait("max"), short_duration, short_duration),
    Figure("preempted", lambda of: of.preempted, _count, str),
    Figure("preempts", lambda of: of.preempts, _count, str),
    Figure("lost work", lambda of: of.lost_ms, _hours, _hours),
    Figure("utilization", lambda of: of.utilization, _percent, _points),
    Figure("never schedulable", lambda of: of.never_schedulable, _count, str),
    Figure("rejected", lambda of: of.rejected, _count, str, telling=True),
    Figure("terminated", lambda of: of.terminated, _count, str, telling=True),
)
"""The measures in the order of tables; lost work in instance-hours."""


def told(runs: Iterable[Measures | None]) -> tuple[Figure, ...]:
    """The figures of a table over `runs`."""
    given = [run for run in runs if run is not None]
    return tuple(figure for figure in FIGURES if not figure.telling or any(figure.of(run) for run in given))


@dataclass(frozen=True, slots=True)
class Compared:
    """A share, or all of them, in the runs that there are."""

    name: str
    old: Measures
    new: Measures | None
    changed: Measures | None


def compared(of: Experiment) -> Iterator[Compared]:
    """Every share in its order, and last the whole queue under the name `all shares`."""
    changed = None if of.changed is None else of.changed.trial
    for name in of.share_names:
        yield Compared(
            name,
            of.old.shares[name],
            None if of.new is None else of.new.shares[name],
            None if changed is None else changed.shares[name],
        )
    yield Compared(
        "all shares",
        of.old.queue,
        None if of.new is None else of.new.queue,
        None if changed is None else changed.queue,
    )
