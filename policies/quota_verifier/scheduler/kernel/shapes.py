"""Lanes: the distinct pairs of share and demand among a workload's jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quota_verifier.model import JobUpdate, Queue, Update
from quota_verifier.workload.columns import Shape


class Lane(NamedTuple):
    """A share by index, and what its jobs in this lane ask for, in unit order."""

    share: int
    demand: Mapping[str, int]


def all_units(queue: Queue, shapes: Sequence[Shape], updates: Sequence[Update]) -> tuple[str, ...]:
    """Every unit that is listed now, listed later, or asked for."""
    units = dict.fromkeys(queue.units)
    for update in updates:
        if not isinstance(update, JobUpdate) and update.limits is not None:
            units.update(dict.fromkeys(update.limits))
    for shape in shapes:
        units.update(dict.fromkeys(shape.demand))
    return tuple(units)


def lanes_of(queue: Queue, shapes: Sequence[Shape], units: Sequence[str]) -> tuple[tuple[Lane, ...], NDArray[np.int32]]:
    """The lanes, those of a share together in share order, and for each shape the row of its lane."""
    share_of = {share.name: index for index, share in enumerate(queue.shares)}
    unit_of = {unit: index for index, unit in enumerate(units)}

    def key(shape: Shape) -> tuple[int, tuple[tuple[int, int], ...]]:
        asks = sorted((unit_of[unit], instances) for unit, instances in shape.demand.items())
        return share_of[shape.share], tuple(asks)

    keys = [key(shape) for shape in shapes]
    distinct = sorted(set(keys))
    row_of = {key: row for row, key in enumerate(distinct)}
    lanes = tuple(Lane(share, {units[unit]: count for unit, count in asks}) for share, asks in distinct)
    return lanes, np.array([row_of[key] for key in keys], np.int32)
