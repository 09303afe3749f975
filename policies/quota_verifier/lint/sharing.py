"""The shares of a queue as the model has them, as far as the template tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quota_verifier.documents import DataPath
from quota_verifier.lint.limits import CAPACITY_LIMITS, limits
from quota_verifier.lint.results import Unknown, unknown
from quota_verifier.lint.values import text, value_at, whole, word
from quota_verifier.model import UNLIMITED_BORROWING, Share, Strategy
from quota_verifier.template import JOB_QUEUE, QUOTA_SHARE, Resource, Template, Unresolved, shares_of, target

SHARING = "ResourceSharingConfiguration"
STRATEGY: DataPath = (SHARING, "Strategy")
BORROW_LIMIT: DataPath = (SHARING, "BorrowLimit")

_MALFORMED = "is not usable as it is written, which another finding or cfn-lint tells"


@dataclass(frozen=True, slots=True)
class KnownShare:
    """A share whose every value is known."""

    resource: Resource
    share: Share


def strategy(resource: Resource) -> Strategy | Unresolved | None:
    """The strategy of a share; None where it is missing or unknown."""
    found = word(value_at(resource, *STRATEGY))
    if not isinstance(found, str):
        return found
    return Strategy(found) if found in Strategy.__members__ else None


def borrow_limit(resource: Resource) -> int | Unresolved | None:
    """The borrow limit in percent; None where it is absent, which is unlimited, or malformed."""
    return whole(value_at(resource, *BORROW_LIMIT))


def read_share(resource: Resource) -> Share | Unknown:
    """The share as the model has it, or the first property that is in the way.

    A borrow limit of a share that does not borrow is dropped, as it would mean nothing.
    """
    name, kind = text(resource.name), strategy(resource)
    for path, value in ((("QuotaShareName",), name), (STRATEGY, kind)):
        if not isinstance(value, str):
            return _in_the_way(resource, path, value)
    capacities = _capacities(resource)
    if isinstance(capacities, Unknown):
        return capacities
    limit: int | None = None
    if kind is Strategy.LEND_AND_BORROW and value_at(resource, *BORROW_LIMIT) is not None:
        percent = borrow_limit(resource)
        if not isinstance(percent, int) or percent < UNLIMITED_BORROWING:
            return _in_the_way(resource, BORROW_LIMIT, percent)
        limit = percent
    return Share(str(name), capacities, Strategy(str(kind)), limit)


def _capacities(resource: Resource) -> dict[str, int] | Unknown:
    found = limits(resource)
    if isinstance(found, Unresolved) or not found:
        return _in_the_way(resource, (CAPACITY_LIMITS,), found)
    capacities: dict[str, int] = {}
    for limit in found:
        if not isinstance(limit.unit, str):
            return _in_the_way(resource, limit.unit_path, limit.unit)
        if not isinstance(limit.capacity, int) or limit.capacity < 1:
            return _in_the_way(resource, limit.capacity_path, limit.capacity)
        if limit.unit in capacities:
            return _in_the_way(resource, limit.unit_path, None)
        capacities[limit.unit] = limit.capacity
    return capacities


def _in_the_way(resource: Resource, path: DataPath, value: object) -> Unknown:
    return unknown(resource, path, value) if isinstance(value, Unresolved) else Unknown(resource, path, _MALFORMED)


def read_capped_share(resource: Resource) -> Share | Unknown | None:
    """The share, or what is in the way, where it may borrow up to a percentage; None where it certainly does not."""
    unlimited = value_at(resource, *BORROW_LIMIT) is None or borrow_limit(resource) == UNLIMITED_BORROWING
    return None if unlimited or not may_borrow(resource) else read_share(resource)


def may_borrow(resource: Resource) -> bool:
    """Whether the share borrows, or may turn out to."""
    kind = strategy(resource)
    return not isinstance(kind, Strategy) or kind.borrows


def may_lend(resource: Resource) -> bool:
    """Whether the share lends, or may turn out to."""
    kind = strategy(resource)
    return not isinstance(kind, Strategy) or kind.lends


def read_shares(template: Template, queue: Resource) -> tuple[tuple[KnownShare, ...], tuple[Unknown, ...]]:
    """The shares of a queue that are known and certainly there, and what keeps the others from being so."""
    known: list[KnownShare] = []
    missing: list[Unknown] = []
    for resource in shares_of(template, queue):
        read = read_share(resource)
        if resource.condition is not None:
            missing.append(unknown(resource, (), resource.condition))
        elif isinstance(read, Unknown):
            missing.append(read)
        else:
            known.append(KnownShare(resource, read))
    return tuple(known), tuple(missing)


def borrowers(shares: tuple[KnownShare, ...]) -> Iterator[tuple[KnownShare, str]]:
    """Each share with each unit of which it may borrow at least one instance."""
    for known in shares:
        yield from ((known, unit) for unit in known.share.limits if known.share.borrow_cap(unit) != 0)


def capped(share: Share) -> Iterator[tuple[str, int]]:
    """Each unit on which the share may borrow up to a percentage, with that percentage; 0 is one."""
    percent = share.borrow_limit
    if share.strategy.borrows and percent is not None and percent != UNLIMITED_BORROWING:
        yield from ((unit, percent) for unit in share.limits)


def percent_of(share: Share, unit: str) -> str:
    """A borrow limit in instances: `50 % of 3 ml.g5.xlarge is 1.5`."""
    own, percent = share.limit(unit), share.borrow_limit or 0
    whole_part, hundredths = divmod(own * percent, 100)
    fraction = f".{hundredths:02d}".rstrip("0") if hundredths else ""
    return f"{percent} % of {own} {unit} is {whole_part}{fraction}"


def by_queue(template: Template) -> tuple[tuple[Resource, ...], ...]:
    """The shares of the template, grouped by the queue that they name, wherever that is."""
    groups: dict[object, list[Resource]] = {}
    for share in template.of_type(QUOTA_SHARE):
        found = target(template, share.properties.get("JobQueue"), JOB_QUEUE)
        key = found.logical_id if isinstance(found, Resource) else found
        groups.setdefault(key, []).append(share)
    return tuple(tuple(group) for group in groups.values())
