"""How a queue changes with the one number that a search for the smallest capacity varies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.sweep.settings import Key, Setting, changed, read_key
from quota_verifier.words import did_you_mean


@dataclass(frozen=True, slots=True)
class Dial:
    """What is varied: the capacity of `unit` with all shares in proportion (`key` None), or one property alone."""

    unit: str
    key: Key | None = None

    @property
    def text(self) -> str:
        """`ml.g5.xlarge, shares in proportion`, or the key."""
        return f"{self.unit}, shares in proportion" if self.key is None else self.key.text

    @property
    def short(self) -> str:
        """The unit, or the key without its first word."""
        return self.unit if self.key is None else self.key.short

    def reading(self, queue: Queue) -> int:
        """Where the dial stands on `queue`."""
        if self.key is None or self.key.share is None:
            return queue.environment.limit(self.unit)
        return queue.share(self.key.share).limit(self.unit)

    def least(self, queue: Queue) -> int:
        """The lowest setting that gives a legal queue: an instance for every share that has any."""
        if self.key is not None:
            return 1
        owners = sum(1 for share in queue.shares if share.limit(self.unit))
        promised = queue.promised(self.unit)
        return max(1, -(-owners * queue.environment.limit(self.unit) // promised)) if promised else 1

    def turned(self, queue: Queue, to: int) -> Queue:
        """`queue` with the dial at `to`, which is `least` or more."""
        if self.key is not None:
            return changed(queue, [Setting(self.key.text, to)])
        return _in_proportion(queue, self.unit, to)


def read_dial(text: str | None, queue: Queue) -> Dial:
    """The dial that `--vary` names: a unit, `environment.UNIT`, `shares.NAME.limits.UNIT`; by default the only unit.

    Raises InputError for anything else, where there is more than one unit to choose from, and where the
    environment has none of it to scale.
    """
    units = queue.units
    if text is None and len(units) != 1:
        raise InputError(
            f"smallest capacity of which unit? The queue has {', '.join(units)}",
            source="--smallest",
            remedy=f"add --vary {units[0]}" if units else "",
        )
    named = units[0] if text is None else text
    if named in units:
        if not queue.environment.limit(named):
            raise InputError(f"the environment has no {named} to scale", source="--vary", remedy="vary another unit")
        return Dial(named)
    if not named.startswith(("environment.", "shares.")):
        raise InputError(f"the queue has no unit {named!r}", source="--vary", remedy=did_you_mean(named, units))
    try:
        key = read_key(named, queue)
    except InputError as error:
        raise error.within("--vary") from None
    if not key.unit:
        raise InputError(
            f"{named!r} is no capacity",
            source="--vary",
            remedy="vary a unit, environment.UNIT or shares.NAME.limits.UNIT",
        )
    return Dial(key.unit, key)


def _in_proportion(queue: Queue, unit: str, capacity: int) -> Queue:
    """The environment with `capacity` of `unit`, and what the shares were promised of it in the same proportion."""
    promised = queue.promised(unit)
    limits = {share.name: share.limit(unit) for share in queue.shares if share.limit(unit)}
    seats = max(len(limits), promised * capacity // queue.environment.limit(unit))
    scaled = apportioned(limits, seats)
    environment = replace(queue.environment, limits={**queue.environment.limits, unit: capacity})
    shares = tuple(
        replace(share, limits={**share.limits, unit: scaled[share.name]}) if share.name in scaled else share
        for share in queue.shares
    )
    return replace(queue, environment=environment, shares=shares)


def apportioned(weights: Mapping[str, int], seats: int) -> dict[str, int]:
    """`seats` whole instances in proportion to the weights: the method of largest remainders, but 1 for everybody.

    Whoever would get less than 1 gets 1, and the others divide the rest. Among equal remainders the first in
    order comes first. There must be a seat for everybody.
    """
    found = dict.fromkeys(weights, 1)
    rest, left = dict(weights), seats
    while poor := [name for name, weight in rest.items() if weight * left < sum(rest.values())]:
        left -= len(poor)
        rest = {name: weight for name, weight in rest.items() if name not in poor}
    total = sum(rest.values())
    found.update({name: weight * left // total for name, weight in rest.items()})
    spare = left - sum(found[name] for name in rest)
    for name in sorted(rest, key=lambda name: -(rest[name] * left % total))[:spare]:
        found[name] += 1
    return found
