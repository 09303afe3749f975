"""polars, loaded when it is first used: a workload of a few jobs in a policy file does without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl
else:
    from importlib import import_module

    class _Late:
        def __getattr__(self, name: str) -> object:
            return getattr(import_module("polars"), name)

    pl = _Late()

__all__ = ["pl"]
