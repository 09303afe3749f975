"""The document of `show`: what each share owns, may borrow and can run, in absolute numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal

from typing_extensions import TypedDict

from quota_verifier.model import UNLIMITED_BORROWING, Queue, Rounding, Share
from quota_verifier.schedulability import largest_job

NoteKind = Literal["over-promised", "unassigned", "not-in-environment", "fractional-borrow-cap", "disabled"]


class ShareUnit(TypedDict):
    """One share on one unit that it lists, in instances; null is unlimited."""

    unit: str
    limit: int
    guaranteed: int
    may_borrow: int | None
    others_lend: int
    hard_cap: int | None
    largest_job: int


class ShareSheet(TypedDict):
    """One share. `borrow_limit` is the percentage as configured: null where absent, -1 is unlimited."""

    name: str
    source: str
    enabled: bool
    strategy: str
    borrow_limit: int | None
    borrow_limit_words: str
    in_share_preemption: bool
    units: list[ShareUnit]


class UnitSheet(TypedDict):
    """One unit: the environment's capacity and what of it the shares were promised, in instances."""

    unit: str
    capacity: int
    promised: int
    over_promised: int
    unassigned: int


class TimeLimitSheet(TypedDict):
    """Jobs blocked for `reason` at the head of their share are terminated after `max_time` seconds."""

    reason: str
    max_time: float


class Note(TypedDict):
    """Something to know about the configuration."""

    kind: NoteKind
    text: str


class ShowDocument(TypedDict):
    """What `quota-shares show --json` prints."""

    source: str
    queue: str
    enabled: bool
    environment: str
    environment_enabled: bool
    units: list[UnitSheet]
    shares: list[ShareSheet]
    time_limits: list[TimeLimitSheet]
    assumptions: dict[str, str]
    notes: list[Note]


def show_document(queue: Queue, rounding: Rounding = "floor") -> ShowDocument:
    """The document about `queue`; `rounding` is the answer to A4."""
    return {
        "source": queue.source,
        "queue": queue.name,
        "enabled": queue.enabled,
        "environment": queue.environment.name,
        "environment_enabled": queue.environment.enabled,
        "units": [_unit_sheet(queue, unit) for unit in queue.units],
        "shares": [_share_sheet(queue, share, rounding) for share in queue.shares],
        "time_limits": [
            {"reason": limit.reason.value, "max_time": limit.max_time_ms / 1000} for limit in queue.time_limits
        ],
        "assumptions": {"A4": rounding},
        "notes": list(_notes(queue, rounding)),
    }


def borrow_limit_words(share: Share) -> str:
    """The borrow limit in words: absent, -1 and 0 are three different things (cases C03, C30)."""
    if not share.strategy.borrows:
        return "does not borrow"
    match share.borrow_limit:
        case None:
            return "unlimited (default)"
        case limit if limit == UNLIMITED_BORROWING:
            return "unlimited"
        case 0:
            return "0"
        case limit:
            return f"{limit} %"


def guaranteed(queue: Queue, share: Share, unit: str) -> int:
    """Instances of `unit` that `share` gets whatever the others do: its limit, less what over-promises cost."""
    others = queue.promised(unit) - share.limit(unit)
    return min(share.limit(unit), max(0, queue.environment.limit(unit) - others))


def _unit_sheet(queue: Queue, unit: str) -> UnitSheet:
    capacity, promised = queue.environment.limit(unit), queue.promised(unit)
    return {
        "unit": unit,
        "capacity": capacity,
        "promised": promised,
        "over_promised": max(0, promised - capacity),
        "unassigned": queue.unassigned(unit),
    }


def _share_sheet(queue: Queue, share: Share, rounding: Rounding) -> ShareSheet:
    return {
        "name": share.name,
        "source": share.source,
        "enabled": share.enabled,
        "strategy": share.strategy.value,
        "borrow_limit": share.borrow_limit,
        "borrow_limit_words": borrow_limit_words(share),
        "in_share_preemption": share.in_share_preemption,
        "units": [
            {
                "unit": unit,
                "limit": share.limit(unit),
                "guaranteed": guaranteed(queue, share, unit),
                "may_borrow": share.borrow_cap(unit, rounding),
                "others_lend": queue.borrowable(share.name, unit),
                "hard_cap": share.hard_cap(unit, rounding),
                "largest_job": largest_job(queue, share, unit, rounding),
            }
            for unit in share.limits
        ],
    }


def _notes(queue: Queue, rounding: Rounding) -> Iterator[Note]:
    for unit in queue.units:
        capacity, promised = queue.environment.limit(unit), queue.promised(unit)
        if promised > capacity > 0:
            text = f"{unit}: {promised} > {capacity} (over by {promised - capacity})"
            yield {"kind": "over-promised", "text": text}
        if queue.unassigned(unit):
            yield {"kind": "unassigned", "text": f"{unit}: {queue.unassigned(unit)} unassigned"}
    for share in queue.shares:
        yield from _share_notes(queue.environment.limits, share, rounding)
    for what, enabled in (("the queue", queue.enabled), ("the environment", queue.environment.enabled)):
        if not enabled:
            yield {"kind": "disabled", "text": f"{what} is DISABLED: nothing new starts"}


def _share_notes(capacity: Mapping[str, int], share: Share, rounding: Rounding) -> Iterator[Note]:
    for unit, limit in share.limits.items():
        if not capacity.get(unit):
            text = f"{share.name}: the environment has no {unit}, so {limit} of it can never be used"
            yield {"kind": "not-in-environment", "text": text}
        cap, percent = share.borrow_cap(unit, rounding), share.borrow_limit
        exact = Fraction(limit * (percent or 0), 100)
        if cap is not None and percent and exact != cap:
            way = "up" if rounding == "ceil" else "down"
            off = "; borrowing is switched off" if cap == 0 else ""
            wording = f"{percent} % of {limit} {unit} is {_plain(exact)}, rounded {way} to {cap} (A4){off}"
            yield {"kind": "fractional-borrow-cap", "text": f"{share.name}: {wording}"}
    if not share.enabled:
        yield {"kind": "disabled", "text": f"{share.name} is DISABLED: it takes no new jobs"}


def _plain(hundredths: Fraction) -> str:
    """A number of at most two decimals in full: `1.5`, `0.25`."""
    return f"{float(hundredths):.2f}".rstrip("0").rstrip(".")
