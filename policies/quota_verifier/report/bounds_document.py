"""The document of `bounds`: what each share is sure of, and what it may never exceed, with derivations."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from quota_verifier.bounds import Bound, BoundName, Bounds, Setting, UnitBounds
from quota_verifier.bounds.records import Because
from quota_verifier.model import Share
from quota_verifier.report.provenance import TimingDocument, timing_document


class ConditionDocument(TypedDict):
    """What a bound rests on; `holds` is null where the configuration does not tell."""

    id: str
    text: str
    holds: bool | None


class ElsewhereDocument(TypedDict):
    """The value that a bound has under another answer to an open question."""

    assume: str
    value: float | None


class BoundDocument(TypedDict):
    """One bound, in instances or seconds; `value` is null where there is none. `tight`: some workload attains it."""

    name: BoundName
    measure: Literal["instances", "seconds"]
    value: float | None
    tight: bool
    explanation: str
    conditions: list[ConditionDocument]
    elsewhere: list[ElsewhereDocument]
    derivation: str


class ShortfallDocument(TypedDict):
    """Where a bound is less than the limits seem to promise, and why."""

    bound: BoundName
    because: Because
    text: str


class UnitBoundsDocument(TypedDict):
    """The bounds of a share on one unit that it lists. Job sizes are those that the bounds reckon with."""

    unit: str
    limit: int
    largest_job_expected: int
    smallest_job_expected: int
    bounds: list[BoundDocument]
    shortfalls: list[ShortfallDocument]


class ShareBoundsDocument(TypedDict):
    """One share."""

    name: str
    source: str
    strategy: str
    units: list[UnitBoundsDocument]


class UnitCapacity(TypedDict):
    """One unit: the environment's capacity, and what of it the shares were promised, in instances."""

    unit: str
    capacity: int
    promised: int


class BoundsDocument(TypedDict):
    """What `quota-shares bounds --json` prints. `workload` is where job sizes come from, null where any may come."""

    source: str
    queue: str
    workload: str | None
    timing: TimingDocument
    assumptions: dict[str, str]
    units: list[UnitCapacity]
    shares: list[ShareBoundsDocument]


def bounds_document(bounds: Bounds) -> BoundsDocument:
    """The document about `bounds`."""
    setting = bounds.setting
    queue = setting.queue
    return {
        "source": queue.source,
        "queue": queue.name,
        "workload": setting.known.source or None,
        "timing": timing_document(setting.timing),
        "assumptions": setting.assumptions.as_choices(),
        "units": [
            {"unit": unit, "capacity": queue.environment.limit(unit), "promised": queue.promised(unit)}
            for unit in queue.units
        ],
        "shares": [_share(setting, share, bounds) for share in queue.shares],
    }


def _share(setting: Setting, share: Share, bounds: Bounds) -> ShareBoundsDocument:
    return {
        "name": share.name,
        "source": share.source,
        "strategy": share.strategy.value,
        "units": [_unit(setting, share, bounds.of(share.name, unit)) for unit in share.limits],
    }


def _unit(setting: Setting, share: Share, found: UnitBounds) -> UnitBoundsDocument:
    jobs = setting.jobs(share)
    return {
        "unit": found.unit,
        "limit": share.limit(found.unit),
        "largest_job_expected": jobs.largest[found.unit],
        "smallest_job_expected": jobs.smallest[found.unit],
        "bounds": [_bound(bound) for bound in found.bounds],
        "shortfalls": [
            {"bound": shortfall.bound, "because": shortfall.because, "text": shortfall.text}
            for shortfall in found.shortfalls
        ],
    }


def _bound(bound: Bound) -> BoundDocument:
    return {
        "name": bound.name,
        "measure": "seconds" if bound.measure == "ms" else "instances",
        "value": _value(bound, bound.value),
        "tight": bound.tight,
        "explanation": bound.explanation,
        "conditions": [
            {"id": condition.id, "text": condition.text, "holds": condition.holds} for condition in bound.conditions
        ],
        "elsewhere": [{"assume": other.assume, "value": _value(bound, other.value)} for other in bound.elsewhere],
        "derivation": bound.derivation,
    }


def _value(bound: Bound, value: int | None) -> float | None:
    return value if value is None or bound.measure == "instances" else value / 1000
