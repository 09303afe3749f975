"""Variants: the queue as it is, and with the changes that a sweep asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from quota_verifier.documents import Document, load_document
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.sweep.settings import Setting, Value, changed, read_key, value_text
from quota_verifier.sweep.sweep_file import BASELINE, SweepFile
from quota_verifier.validation import validate_document

MOST_VARIANTS = 10_000
"""More than anybody reads; a grid beyond it has a slip in it."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A key and the values it takes in the grid; `source` is where it was written."""

    key: str
    values: tuple[Value, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A variant as it was asked for. An empty name is made from the settings."""

    settings: tuple[Setting, ...]
    name: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A queue to try. `settings` are what it changes by key; `notes` what is odd about it, though legal."""

    name: str
    queue: Queue
    settings: Mapping[str, Value]
    notes: tuple[str, ...] = ()


def read_sweep_file(path: str) -> tuple[SweepFile, tuple[Axis, ...], tuple[Asked, ...]]:
    """A sweep file, its grid and its list of variants with their places. Raises InputError for the first mistake."""
    document = load_document(path)
    file = validate_document(SweepFile, document)
    axes = tuple(Axis(key, values, document.at(("grid", key))) for key, values in file.grid.items())
    return file, axes, tuple(_listed(file, document))


def _listed(file: SweepFile, document: Document) -> Iterator[Asked]:
    for index, entry in enumerate(file.variants):
        place = ("variants", index)
        settings = tuple(
            Setting(key, value, document.at((*place, "set", key))) for key, value in entry.settings.items()
        )
        yield Asked(settings, entry.name, document.at(place))


def grid(axes: Sequence[Axis], queue: Queue) -> tuple[Asked, ...]:
    """Every combination of the values of the axes, the last one changing fastest; none without axes.

    Raises InputError for a key that stands twice or does not exist, a value that stands twice, and too many
    combinations.
    """
    seen: dict[str, Axis] = {}
    for axis in axes:
        if axis.key in seen:
            raise InputError(f"{axis.key!r} is given twice", source=axis.source, remedy="give all its values at once")
        seen[axis.key] = axis
        _check_axis(axis, queue)
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_VARIANTS:
        raise InputError(
            f"the grid has {count} variants, more than {MOST_VARIANTS}",
            source=axes[0].source,
            remedy="give fewer values, or list the variants that matter",
        )
    if not axes:
        return ()
    points = product(*([Setting(axis.key, value, axis.source) for value in axis.values] for axis in axes))
    return tuple(Asked(point) for point in points)


def _check_axis(axis: Axis, queue: Queue) -> None:
    try:
        read_key(axis.key, queue)
    except InputError as error:
        raise error.within(axis.source) from None
    texts = [value_text(value) for value in axis.values]
    for text in texts:
        if texts.count(text) > 1:
            raise InputError(
                f"the value {text} is given twice", source=axis.source, where=axis.key, remedy="give each once"
            )


def variants_of(queue: Queue, asked: Iterable[Asked]) -> tuple[Variant, ...]:
    """The baseline, then every variant that was asked for, in order.

    Raises InputError, with the variant's name, where it is no legal queue or has the name of another.
    """
    found = {BASELINE: Variant(BASELINE, queue, {}, notes_on(queue))}
    for item in asked:
        variant = _variant(queue, item)
        if variant.name in found:
            raise InputError(
                f"two variants are called {variant.name!r}",
                source=item.source or item.settings[0].source,
                remedy="give every variant its own name",
            )
        found[variant.name] = variant
    return tuple(found.values())


def _variant(queue: Queue, asked: Asked) -> Variant:
    name = asked.name or _name(asked, queue)
    try:
        varied = changed(queue, asked.settings)
    except InputError as error:
        where = ": ".join(part for part in (f"variant {name!r}", error.where) if part)
        raise InputError(error.problem, source=error.source, where=where, remedy=error.remedy) from None
    return Variant(name, varied, {setting.key: setting.value for setting in asked.settings}, notes_on(varied))


def _name(asked: Asked, queue: Queue) -> str:
    parts = (f"{read_key(setting.key, queue).short}={value_text(setting.value)}" for setting in asked.settings)
    return ", ".join(parts)


def notes_on(queue: Queue) -> tuple[str, ...]:
    """What is legal, but seldom meant: promises beyond the capacity, and capacity that no share owns."""
    found: list[str] = []
    for unit in queue.units:
        capacity, promised = queue.environment.limit(unit), queue.promised(unit)
        if promised > capacity:
            found.append(f"promises {promised} of {capacity} {unit} (E9516)")
        elif queue.unassigned(unit):
            found.append(f"{queue.unassigned(unit)} of {capacity} {unit} belong to no share (I9501)")
    return tuple(found)
