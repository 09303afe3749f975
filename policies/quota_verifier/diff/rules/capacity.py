"""Capacity limits of a resource before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quota_verifier.diff.pairs import Found
from quota_verifier.documents import DataPath
from quota_verifier.lint.limits import CAPACITY_LIMITS, known_limits, limit_on, limits, units, unknown_limit
from quota_verifier.lint.results import Unknown, unknown
from quota_verifier.template import Resource, Unresolved
from quota_verifier.template.unresolved import in_text


@dataclass(frozen=True, slots=True)
class Fall:
    """A limit that becomes smaller; 0 where it goes."""

    unit: str
    old: int
    new: int


def lowered(old: Found, new: Found) -> Iterator[Fall | Unknown]:
    """Each limit that falls, by unit; Unknown where the deployment decides whether it does."""
    for found in (old, new):
        listed = limits(found.resource)
        if isinstance(listed, Unresolved):
            if limits(old.resource) != limits(new.resource):
                yield unknown(found.resource, (CAPACITY_LIMITS,), listed)
            return
    for unit in sorted(units((old.resource, new.resource))):
        was, now = limit_on(old.resource, unit), limit_on(new.resource, unit)
        if isinstance(was, Unresolved) or isinstance(now, Unresolved):
            if in_text(was) != in_text(now):
                yield _undecided(old, new, unit, was, now)
        elif was is not None and now is not None and now < was:
            yield Fall(unit, was, now)


def _undecided(old: Found, new: Found, unit: str, was: object, now: object) -> Unknown:
    if isinstance(now, Unresolved):
        return unknown_limit(new.resource, unit, now)
    if isinstance(was, Unresolved):
        return unknown_limit(old.resource, unit, was)
    raise AssertionError("both limits are known")


def place_of(resource: Resource, unit: str) -> DataPath:
    """Where the limit on a unit stands; the list of limits where it has none."""
    return next((limit.capacity_path for limit in known_limits(resource) if limit.unit == unit), (CAPACITY_LIMITS,))
