"""Counterexamples: a search for a workload that breaks a policy's claim. Names load on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quota_verifier.search.envelope import Envelope
    from quota_verifier.search.replay import write_replay
    from quota_verifier.search.results import Counterexample, SearchResult
    from quota_verifier.search.searcher import Limits, search

__all__ = ["Counterexample", "Envelope", "Limits", "SearchResult", "search", "write_replay"]

_HOMES = {
    "Counterexample": "results",
    "Envelope": "envelope",
    "Limits": "searcher",
    "SearchResult": "results",
    "search": "searcher",
    "write_replay": "replay",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
