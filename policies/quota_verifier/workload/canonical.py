"""The canonical order of jobs in columns: by submit time, then by id as text (I9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]

_DIGITS = 18
"""Numbers of so many digits can be scaled to each other's length in 64 bits."""


def first_twin(ids: Ints | Sequence[str]) -> str | None:
    """The lowest id that stands twice, or None."""
    if isinstance(ids, np.ndarray):
        if len(ids) < 2 or bool((ids[1:] > ids[:-1]).all()):
            return None
        ordered = np.sort(ids)
        twins = ordered[1:][ordered[1:] == ordered[:-1]]
        return str(twins[0]) if len(twins) else None
    if len(set(ids)) == len(ids):
        return None
    return min(name for name, count in Counter(ids).items() if count > 1)


def canonical_order(submit_ms: Ints, ids: Ints | Sequence[str]) -> NDArray[np.intp] | None:
    """The rows in canonical order, or None where they stand so already."""
    count = len(submit_ms)
    if count < 2:
        return None
    moved = not bool((submit_ms[1:] >= submit_ms[:-1]).all())
    order = np.argsort(submit_ms, kind="stable") if moved else np.arange(count)
    times = submit_ms[order] if moved else submit_ms
    ties = times[1:] == times[:-1]
    crowd = np.flatnonzero(np.append(ties, False) | np.append(False, ties))
    if len(crowd):
        rows = order[crowd]
        ranked = rows[_by_time_and_id(times[crowd], ids, rows)]
        moved = moved or not bool((ranked == rows).all())
        order[crowd] = ranked
    return order if moved else None


def _by_time_and_id(times: Ints, ids: Ints | Sequence[str], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The order of a few rows: the jobs of one instant stand together."""
    if isinstance(ids, np.ndarray):
        chosen = ids[rows]
        if len(chosen) == 0 or (int(chosen.min()) >= 0 and int(chosen.max()) < 10**_DIGITS):
            return np.lexsort((*_as_texts(chosen), times))
    names = text_ids(ids, rows)
    pairs = sorted(range(len(rows)), key=lambda place: (int(times[place]), names[place]))
    return np.array(pairs, np.intp)


def _as_texts(ids: Ints) -> tuple[Ints, Ints]:
    """Keys, the weaker first, that order whole numbers as their digits do: 1, 10, 2."""
    length = np.ones(len(ids), np.int64)
    for digits in range(1, _DIGITS):
        length += ids >= 10**digits
    return length, ids * 10 ** (_DIGITS - length)


def text_ids(ids: Ints | Sequence[str], rows: NDArray[np.intp]) -> list[str]:
    """The ids of some rows."""
    return [str(ids[row]) for row in rows]
