"""Which unit `instances: 1` stands for."""

from __future__ import annotations

from collections.abc import Iterable

from quota_verifier.errors import InputError
from quota_verifier.model import Queue


def unit_in_play(queue: Queue | None, named: Iterable[str] = (), chosen: str | None = None) -> str:
    """The one unit that `instances` counts: `chosen`, else the queue's only one, else the only one `named`.

    Raises InputError where there is none or more than one.
    """
    if chosen is not None:
        return chosen
    units = list(queue.units if queue else dict.fromkeys(named))
    if len(units) == 1:
        return units[0]
    if not units:
        raise InputError(
            "instances of which unit? none is known", remedy="write demand: {ml.g5.xlarge: 1}, or name the unit"
        )
    raise InputError(
        f"instances of which unit? {len(units)} are in play: {', '.join(units)}",
        remedy=f"write demand: {{{units[0]}: 1}}, or name the unit",
    )
