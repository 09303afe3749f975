"""Offered load as reports write it."""

from __future__ import annotations

from collections.abc import Sequence

from quota_verifier.report.numbers import percent
from quota_verifier.workload.load import UnitLoad


def load_numbers(loads: tuple[UnitLoad, ...]) -> dict[str, float | None]:
    """The load by unit for JSON; null where it says nothing."""
    return {load.unit: None if load.ratio is None else round(float(load.ratio), 6) for load in loads}


def load_words(loads: Sequence[UnitLoad]) -> str:
    """The load in words: `ml.g5.xlarge 64.2 % of capacity`, or why nothing can be said."""
    stated = [f"{load.unit} {percent(load.ratio)} of capacity" for load in loads if load.ratio is not None]
    burst = any(load.capacity for load in loads if load.ratio is None)
    without = [load.unit for load in loads if not load.capacity]
    if burst and not stated:
        stated.append("says nothing: the jobs come in one burst")
    return ", ".join([*stated, *([f"no capacity given for {' and '.join(without)}"] if without else [])])
