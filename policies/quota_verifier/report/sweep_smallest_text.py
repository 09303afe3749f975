"""The part of the report of `sweep --smallest` that says how little capacity is enough, and how that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.report.text import columns, heading, indented
from quota_verifier.sweep.smallest import Smallest


def smallest_report(searches: Sequence[Smallest]) -> Iterator[RenderableType]:
    """A row for each variant, and what the search guarantees."""
    first = searches[0]
    yield heading("Smallest capacity that meets the policies", f"({first.dial.text})")
    shares = [share.name for share in first.variant.queue.shares if first.dial.unit in share.limits]
    rows = [[search.variant.name, str(search.now), _least(search), *_limits(search, shares)] for search in searches]
    yield columns(["variant", "now", "least", *shares], rows)
    for search in searches:
        yield indented(Text(_how(search), "dim"))


def _least(search: Smallest) -> str:
    if not search.finished:
        return "interrupted"
    return "none" if search.capacity is None else str(search.capacity)


def _limits(search: Smallest, shares: Sequence[str]) -> list[str]:
    if search.found is None or not search.finished:
        return ["-"] * len(shares)
    return [str(search.found.queue.share(name).limit(search.dial.unit)) for name in shares]


def _how(search: Smallest) -> str:
    """What was tried, and what follows from it."""
    failing = [capacity for capacity, why in search.tried.items() if why]
    return f"{search.variant.name}: {_known(search, failing)}{_last(search, failing)}"


def _known(search: Smallest, failing: Sequence[int]) -> str:
    if not search.finished:
        return f"interrupted after {_ranges(failing)}" if failing else "interrupted"
    if search.certain and search.capacity == search.low:
        return "this is the lowest legal capacity"
    if search.certain:
        return f"every lower capacity fails ({_ranges(failing)})" if search.capacity else f"{_ranges(failing)} fail"
    if search.capacity is None:
        return f"{_ranges(failing)} fail, others were not tried"
    return f"found by bisection, {_ranges(failing)} fail, other lower ones were not tried"


def _last(search: Smallest, failing: Sequence[int]) -> str:
    return f"; {failing[-1]} fails by {search.tried[failing[-1]]}" if failing else ""


def _ranges(numbers: Sequence[int]) -> str:
    """`3 to 9, 12` for numbers in ascending order."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in runs)
