"""Where units of work run: in this process, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from typing import ParamSpec, TypeVar

from quota_verifier.policy.verifier import Progress
from quota_verifier.sweep.run import IN_FLIGHT, Renew, Results, run_units
from quota_verifier.sweep.unit import Unit

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True)
class Workers:
    """An executor, and what `run_units` should know about it. `parallel` is how many units it runs at one time.

    `renew` puts a fresh executor in the place of one whose workers died.
    """

    executor: Executor
    parallel: int = 1
    in_flight: int = IN_FLIGHT
    renew: Renew | None = None
    died: tuple[type[BaseException], ...] = ()

    def run(self, units: Iterable[Unit], results: Results, progress: Progress | None = None) -> None:
        """Put the result of every unit into `results`. Raises as `run_units` does."""
        run_units(
            units,
            self.executor,
            results,
            renew=self.renew,
            in_flight=self.in_flight,
            died=self.died,
            progress=progress,
        )


class Here(Executor):
    """Runs everything at once, in this thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future that is done. Ctrl-C is raised here, not kept in it."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 (a future hands on whatever its function raises)
            future.set_exception(error)
        return future


@contextmanager
def here() -> Generator[Workers]:
    """No workers but the process itself."""
    yield Workers(Here(), in_flight=1)


class _Processes(ProcessPoolExecutor):
    """A pool whose processes leave Ctrl-C, which goes to all processes of a terminal, to this one."""

    def __init__(self, count: int) -> None:
        # A fork would inherit the locks of whatever threads there are, the progress bar's among them.
        super().__init__(count, mp_context=get_context("spawn"), initializer=_leave_interrupts)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """As usual. A process that is started here is deaf to Ctrl-C from its first instruction on."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(count: int) -> Generator[Workers]:
    """`count` processes of this machine; they are stopped at once where the block is left by an exception."""
    others = set(active_children())
    with ExitStack() as pools:

        def fresh() -> Executor:
            pool = _Processes(count)
            pools.callback(pool.shutdown, cancel_futures=True)
            return pool

        def renew() -> Executor:
            workers.executor = fresh()
            return workers.executor

        workers = Workers(fresh(), parallel=count, in_flight=2 * count, renew=renew)
        try:
            yield workers
        except BaseException:
            for child in active_children():
                if child not in others:
                    child.terminate()
            raise


def _leave_interrupts() -> None:
    """Where a mask is not inherited: be deaf to Ctrl-C from here on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def cores() -> int:
    """The cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
