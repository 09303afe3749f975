"""A Dask cluster as a place where units of work run. Needs the extra `cluster`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Protocol, cast

from quota_verifier.errors import InputError
from quota_verifier.sweep.executors import Workers
from quota_verifier.sweep.plan import installed_version


class _Client(Protocol):
    """What is used of `distributed.Client`, which is not typed; it runs its own event loop."""

    def wait_for_workers(self, n_workers: int, timeout: float) -> None: ...
    def run(self, function: Callable[[], str]) -> Mapping[str, str]: ...
    def nthreads(self) -> Mapping[str, int]: ...
    def get_executor(self, *, pure: bool, retries: int) -> Executor: ...
    def close(self) -> None: ...


PATIENCE_S = 10
"""How long the scheduler may take to answer, and the first worker to be there."""

RETRIES = 2
"""How often Dask runs a unit again that raised an error on a worker; a worker's death is not counted here."""

UNITS_A_THREAD = 4
"""Units that are sent ahead for each thread of the cluster."""

_OPTION = "--dask"


@contextmanager
def cluster(address: str) -> Generator[Workers]:
    """The workers of the Dask scheduler at `address`, such as tcp://10.0.0.5:8786.

    Dask gives the units of a worker that dies to another. Raises InputError where nobody answers, there is no
    worker, or a worker has another version of quota-shares than this process.
    """
    try:
        from distributed import KilledWorker
    except ImportError:
        raise InputError(
            "Dask is not installed", source=_OPTION, remedy="pip install 'quota-shares[cluster]'"
        ) from None
    client = _connected(address)
    try:
        threads = _threads(client, address)
        executor = client.get_executor(pure=False, retries=RETRIES)
        try:
            yield Workers(executor, threads, in_flight=UNITS_A_THREAD * threads, died=(KilledWorker,))
        except BaseException:
            _quiet()
            raise
        finally:
            executor.shutdown(wait=False)
    finally:
        client.close()


def _quiet() -> None:
    """What was under way is given up, so nobody wants to read how it failed."""
    for name in ("asyncio", "distributed", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _connected(address: str) -> _Client:
    from distributed import Client
    from distributed.comm.addressing import resolve_address

    try:
        resolve_address(address)  # a client that could not even try hangs when it is thrown away
        return cast("_Client", Client(address, timeout=PATIENCE_S, set_as_default=False))
    except (OSError, ValueError, ImportError) as error:
        told = str(error).partition("\n")[0]
        raise InputError(
            f"no Dask scheduler answers at {address!r} ({told})",
            source=_OPTION,
            remedy="start one with dask scheduler, and give the address that it prints",
        ) from None


def _threads(client: _Client, address: str) -> int:
    """The threads of all workers, once there is a worker and all have our version."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except TimeoutError:
        raise InputError(
            f"the scheduler at {address} has no workers", source=_OPTION, remedy=f"start some: dask worker {address}"
        ) from None
    mine = installed_version()
    remedy = f"install quota-shares {mine} on every worker"
    try:
        versions = client.run(installed_version)
    except ImportError as error:
        raise InputError(f"a worker cannot load quota-shares ({error})", source=_OPTION, remedy=remedy) from None
    for worker, theirs in sorted(versions.items()):
        if theirs != mine:
            raise InputError(f"the worker {worker} has quota-shares {theirs}", source=_OPTION, remedy=remedy)
    return sum(client.nthreads().values())
