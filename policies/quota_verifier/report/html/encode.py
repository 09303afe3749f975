"""Data in a page: columns in as few characters as they need, in JSON that no value can break out of.

Not compressed: the bytes that deflate makes differ between builds of zlib, a page must not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Encoded = Mapping[str, object] | list[int] | list[float]
"""A column: all values, `{d}` differences to add up from 0, or `{r}` values and how often each is repeated."""


def script_json(data: object) -> str:
    """`data` as JSON for a script element: nothing in it reads as the end of the element."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def numbers(values: NDArray[np.integer] | NDArray[np.bool_] | Iterable[int]) -> Encoded:
    """A column of whole numbers, in its shortest form; on a tie the plainest."""
    column = np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.int64)
    plain: list[int] = column.tolist()
    forms: list[Encoded] = [plain, {"d": np.diff(column, prepend=0).tolist()}, {"r": _runs(column)}]
    return min(forms, key=lambda form: len(script_json(form)))


def means(values: NDArray[np.float64]) -> Encoded:
    """A column of numbers for drawing, to three decimals; as whole numbers where all are."""
    rounded = np.round(values, 3) + 0.0  # no -0.0
    if bool((rounded == np.round(rounded)).all()):
        return numbers(rounded.astype(np.int64))
    plain = [int(value) if value.is_integer() else value for value in rounded.tolist()]
    return min((plain, {"r": _runs(rounded)}), key=lambda form: len(script_json(form)))


def _runs(column: NDArray[np.int64] | NDArray[np.float64]) -> list[float]:
    """`value, count, value, count, ...` of each run of equal values."""
    first = np.flatnonzero(np.concatenate(([True], column[1:] != column[:-1]))) if len(column) else np.zeros(0, int)
    counts = np.diff(np.append(first, len(column)))
    flat: list[float] = []
    for value, count in zip(column[first].tolist(), counts.tolist(), strict=True):
        flat += (int(value) if float(value).is_integer() else value, count)
    return flat
