"""The report of `bounds`: a table by unit, what does not hold, what rests on assumptions, and on request why."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.bounds import Bound, BoundName, Bounds, UnitBounds
from quota_verifier.bounds.setting import STAYS
from quota_verifier.durations import format_duration
from quota_verifier.report.provenance_text import assumptions_line, timing_line
from quota_verifier.report.text import columns, facts, heading, indented, title

NO_BOUND = "none"
"""In place of a value where there is no bound."""

WORDS: dict[BoundName, str] = {
    "guaranteed": "guaranteed",
    "most-borrowed": "can borrow",
    "largest-job": "largest job",
    "kept": "kept",
    "reclaimed-within": "back within",
    "all-reclaimed-within": "all back within",
}
"""The columns of a table, in the order of the bounds."""


def bounds_report(bounds: Bounds, *, why: bool = False) -> Iterator[RenderableType]:
    """The report; with `why` also how each number comes about and what it rests on."""
    setting = bounds.setting
    yield title(setting.queue.name, setting.queue.source)
    yield facts(
        [
            ("jobs", _jobs(bounds)),
            ("timing", timing_line(setting.timing)),
            ("assumptions", assumptions_line(setting.assumptions)),
        ]
    )
    for unit in setting.queue.units:
        yield Text()
        yield from _table(bounds, unit)
    yield from _shortfalls(bounds)
    yield from _elsewhere(bounds)
    if why:
        yield Text()
        yield Text(f"All of it as long as {STAYS.text} (R20).")
        for found in bounds.units:
            yield Text()
            yield from _why(found)


def _jobs(bounds: Bounds) -> str:
    known = bounds.setting.known
    said = [f"like those of {known.source}"] if known.source else ["any that can start"]
    for word, sizes in (("at most", known.largest), ("at least", known.smallest)):
        said += [f"{_whose(name)} {word} {size}" for name, size in sizes.items()]
    return ", ".join(said)


def _whose(share: str) -> str:
    return "every share's" if share == "*" else f"{share}'s"


def _table(bounds: Bounds, unit: str) -> Iterator[RenderableType]:
    queue = bounds.setting.queue
    capacity, promised = queue.environment.limit(unit), queue.promised(unit)
    yield heading(f"{unit}:", f"{capacity} in the environment, {promised} promised to shares")
    rows = [(found.share, *map(_value, found.bounds)) for found in bounds.units if found.unit == unit]
    if rows:
        yield columns(("share", *WORDS.values()), rows)
    else:
        yield indented("no share lists it")


def _value(bound: Bound) -> str:
    return _written(bound, bound.value)


def _written(bound: Bound, value: int | None) -> str:
    if value is None:
        return NO_BOUND
    return format_duration(value) if bound.measure == "ms" else str(value)


def _shortfalls(bounds: Bounds) -> Iterator[RenderableType]:
    falling = [found for found in bounds.units if found.shortfalls]
    if falling:
        yield Text()
        yield heading("What falls short of the limits")
    for found in falling:
        yield indented(f"{found.share}, {found.unit}")
        for shortfall in found.shortfalls:
            yield indented(shortfall.text, 4)


def _elsewhere(bounds: Bounds) -> Iterator[RenderableType]:
    turned: dict[str, list[str]] = {}
    for found in bounds.units:
        for bound in found.bounds:
            for other in bound.elsewhere:
                text = f"{found.share}, {found.unit}: {WORDS[bound.name]} {_written(bound, other.value)}"
                turned.setdefault(other.assume, []).append(f"{text}, not {_value(bound)}")
    if turned:
        yield Text()
        yield heading("Under other answers to the open questions")
        yield facts([(assume, "\n".join(lines)) for assume, lines in sorted(turned.items())])


def _why(found: UnitBounds) -> Iterator[RenderableType]:
    yield heading(f"{found.share}, {found.unit}")
    for bound in found.bounds:
        yield indented(f"{WORDS[bound.name]} {_value(bound)}: {bound.explanation}")
        rests = [condition for condition in bound.conditions if condition != STAYS]
        told = [f"{_truth(condition.holds)} {condition.text}" for condition in rests]
        yield indented("\n".join([*told, bound.derivation]), 4)


def _truth(holds: bool | None) -> str:
    return {True: "holds:", False: "FAILS:", None: "as long as"}[holds]
