"""How the kernel's functions are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit, types  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

Untyped = Any
"""What numba hands over: it has no types."""

F = TypeVar("F", bound=Callable[..., object])


def merged(function: F) -> F:
    """A function that is called from one place: it is compiled as a part of its caller."""
    return njit(inline="always", error_model="numpy")(function)  # pyright: ignore


def inlined(function: F) -> F:
    """A small function that is part of each of its callers."""
    return _once(njit(forceinline=True, error_model="numpy")(function))  # pyright: ignore


def called(function: F) -> F:
    """A function that is called."""
    return _once(njit(error_model="numpy")(function))  # pyright: ignore


def _once(dispatcher: Untyped) -> Untyped:
    """Compile a function once for all callers: numba would make one more for each constant that is passed to it."""
    make = dispatcher.get_call_template

    def make_without_constants(args: Untyped, kws: Untyped) -> Untyped:
        return make(tuple(types.unliteral(arg) for arg in args), kws)  # pyright: ignore

    dispatcher.get_call_template = make_without_constants
    return dispatcher


def cached(function: F) -> F:
    """A function that Python calls: compiled once for a machine, where any place to keep it can be written.

    numba keeps it beside its file, or in the user's cache folder, or where NUMBA_CACHE_DIR says.
    """
    try:
        return njit(cache=True, error_model="numpy", nogil=True)(function)  # pyright: ignore
    except RuntimeError:  # no such place
        return njit(error_model="numpy", nogil=True)(function)  # pyright: ignore
