"""A syrupy extension that snapshots the figures of a simulation. Needs the extra `pytest`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any, cast

from syrupy.extensions.json import JSONSnapshotExtension
from syrupy.types import SerializedData

from quota_verifier.figures.plain import Plain, plain
from quota_verifier.testing.simulation import ShareResult, Simulation

DIGITS = 3
"""Significant digits that are kept: a change of one part in a thousand is no change of behaviour."""


class FiguresSnapshotExtension(JSONSnapshotExtension):
    """Snapshots figures rounded to three significant digits, keys sorted: times in seconds, ratios plain.

    Takes a `Simulation`, its `figures` or a part of them, a share's result, or plain data:

        assert simulate(workload) == snapshot.use_extension(FiguresSnapshotExtension)
    """

    def serialize(self, data: Any, **options: Any) -> SerializedData:  # noqa: ANN401 (syrupy's own signature)
        """The rounded figures as JSON text; `exclude`, `include` and `matcher` work as in syrupy."""
        return super().serialize(cast("Any", rounded(_plain(data))), **options)


def rounded(value: Plain, digits: int = DIGITS) -> Plain:
    """Plain data with every number rounded to `digits` significant digits, keys sorted."""
    if isinstance(value, dict):
        return {key: rounded(part, digits) for key, part in sorted(value.items())}
    if isinstance(value, list):
        return [rounded(part, digits) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    short = float(f"{value:.{digits - 1}e}")
    return int(short) if short.is_integer() else short


def _plain(data: object) -> Plain:
    if isinstance(data, Simulation):
        return plain(data.figures)
    if isinstance(data, ShareResult):
        return plain(data.figures)
    if isinstance(data, Mapping):
        return {str(key): _plain(part) for key, part in cast("Mapping[object, object]", data).items()}
    if isinstance(data, list | tuple):
        return [_plain(part) for part in cast("Sequence[object]", data)]
    return plain(cast("object", data)) if is_dataclass(data) or isinstance(data, Fraction) else cast("Plain", data)
