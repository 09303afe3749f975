"""The SageMaker training instance types that may be capacity units of a quota-managed environment."""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import cast


@cache
def _document() -> dict[str, object]:
    text = (files("quota_verifier") / "data" / "training_instance_types.json").read_text(encoding="utf-8")
    return cast("dict[str, object]", json.loads(text))


@cache
def training_instance_types() -> frozenset[str]:
    """Every type that SageMaker Training accepted when `tools/refresh_instance_types.py` last ran."""
    return frozenset(cast("list[str]", _document()["instance_types"]))


def instance_types_source() -> str:
    """Where the list came from: the package, its version and the enum."""
    return str(_document()["source"])


def closest_instance_type(unit: str) -> str | None:
    """The known type that `unit` most likely means, or None where nothing is close."""
    known = sorted(training_instance_types())
    if f"ml.{unit}" in training_instance_types():
        return f"ml.{unit}"
    return next(iter(get_close_matches(unit, known, n=1)), None)
