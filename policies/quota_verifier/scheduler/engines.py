"""Which engine simulates: the reference for few jobs, the kernel for many, where numba is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from quota_verifier.errors import InputError
from quota_verifier.model import Queue, Update
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.reference.engine import run_reference
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload import Workload

Engine = Literal["auto", "reference", "kernel"]

KERNEL_FROM_JOBS = 50_000
"""From so many jobs on, `auto` takes the kernel.

Loading numba and the kernel costs about half a second, in which the reference simulates some 30,000 jobs; the
first use on a machine costs half a minute for compiling. Below this number the reference needs a second or so.
"""

_INSTALL = "pip install 'quota-shares[fast]'"


def run_on_engine(
    engine: Engine,
    queue: Queue,
    workload: Workload,
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None,
    watch: Callable[[Event], None] | None,
    progress: Callable[[int], None] | None,
) -> Run:
    """The run of a workload whose names were checked; `updates` are its updates in canonical order.

    `watch` needs the reference. Raises InputError for the kernel where numba is not installed, and for what is
    beyond 64-bit integers.
    """
    hints: tuple[str, ...] = ()
    if watch is None and (engine == "kernel" or (engine == "auto" and len(workload.jobs) >= KERNEL_FROM_JOBS)):
        try:
            return _run_kernel(queue, workload, updates, assumptions, timing, until_ms, progress)
        except InputError as error:
            if engine == "kernel":
                raise
            hints = (f"{len(workload.jobs)} jobs on the reference engine: {error}",)
    run = run_reference(queue, workload.jobs, updates, assumptions, timing, until_ms, watch, progress)
    return replace(run, hints=hints) if hints else run


def _run_kernel(
    queue: Queue,
    workload: Workload,
    updates: Sequence[Update],
    assumptions: Assumptions,
    timing: Timing,
    until_ms: int | None,
    progress: Callable[[int], None] | None,
) -> Run:
    from quota_verifier.scheduler.kernel.bounds import beyond_bounds
    from quota_verifier.workload.columns import workload_columns

    try:
        from quota_verifier.scheduler.kernel.engine import run_kernel
    except ImportError as error:
        raise InputError(f"the kernel engine needs numba, which cannot be loaded ({error})", remedy=_INSTALL) from None
    columns = workload_columns(workload)
    reason = beyond_bounds(queue, columns, updates, timing)
    if reason:
        raise InputError(f"the kernel engine cannot simulate this: {reason}", remedy="the reference engine can")
    return run_kernel(queue, workload.jobs, columns, updates, assumptions, timing, until_ms, progress)
