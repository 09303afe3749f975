"""Running units of work on any executor, so that each counts exactly once whatever happens to the workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, MutableMapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field

from quota_verifier.errors import InputError
from quota_verifier.policy.verifier import Progress
from quota_verifier.sweep.unit import Unit, UnitResult, simulated

IN_FLIGHT = 64
"""Units that are with the executor at one time: enough for any machine, few enough to keep in memory."""

Renew = Callable[[], Executor]
"""Gives a fresh executor in place of one whose workers died."""

Results = MutableMapping[str, UnitResult]
"""Results by the key of their unit."""


def run_units(
    units: Iterable[Unit],
    executor: Executor,
    results: Results,
    *,
    renew: Renew | None = None,
    in_flight: int = IN_FLIGHT,
    died: tuple[type[BaseException], ...] = (),
    progress: Progress | None = None,
) -> None:
    """Put the result of every unit into `results`; units whose key is there already are not run.

    A unit counts by its key, however often an executor runs it. Where workers die, what is finished stays, and
    each unit that was in their hands runs once more, alone, in an executor that `renew` gives. Where they die
    again, or there is no `renew`, InputError names the unit. `died` are exceptions by which an executor says
    that a worker died, besides those of the standard library. Whatever is raised, KeyboardInterrupt
    included, `results` then holds all that was finished.
    """
    todo: dict[str, Unit] = {}
    for unit in units:
        if unit.key not in results:
            todo.setdefault(unit.key, unit)
    flight = _Flight(executor, results, (BrokenExecutor, CancelledError, *died), progress, len(todo))
    waiting, suspects = deque(todo.values()), deque[Unit]()
    try:
        while waiting or suspects or flight.pending:
            if suspects:
                unit = suspects.popleft()
                if flight.launch([unit]) or flight.land():
                    raise _dead(unit, "the worker that ran it died twice")
                continue
            room = min(len(waiting), in_flight - len(flight.pending))
            lost = flight.launch([waiting.popleft() for _ in range(room)]) or flight.land(some=True)
            if lost:
                lost += flight.land()  # a broken executor fails the others at once
                if renew is None:
                    raise _dead(lost[0], "its worker died, or the cluster gave it up")
                suspects.extend(lost)
                flight.executor = renew()
    except BaseException:
        flight.abort()
        raise


def _dead(unit: Unit, problem: str) -> InputError:
    return InputError(
        problem,
        source=unit.label,
        remedy="perhaps it needs more memory; with --out, what is finished is kept for --resume",
    )


@dataclass(slots=True)
class _Flight:
    """The units that are with the executor."""

    executor: Executor
    results: Results
    died: tuple[type[BaseException], ...]
    progress: Progress | None
    total: int
    done: int = 0
    pending: dict[Future[UnitResult], Unit] = field(default_factory=dict[Future[UnitResult], Unit])

    def launch(self, units: list[Unit]) -> list[Unit]:
        """Hand the units to the executor. Returns those that it no longer takes."""
        for place, unit in enumerate(units):
            try:
                future = self.executor.submit(simulated, unit)
            except self.died:
                return units[place:]
            self.pending[future] = unit
        return []

    def land(self, *, some: bool = False) -> list[Unit]:
        """Wait for the units, or for `some` of them, and keep their results. Returns those whose worker died."""
        finished = wait(self.pending, return_when=FIRST_COMPLETED).done if some else wait(self.pending).done
        lost: list[Unit] = []
        for future in [future for future in self.pending if future in finished]:
            unit = self.pending[future]
            error = _error(future)
            if error is None:
                self._keep(unit, future.result())
            elif isinstance(error, self.died):
                lost.append(unit)
            else:
                error.add_note(f"in {unit.label}")
                raise error
            del self.pending[future]
        return lost

    def abort(self) -> None:
        """Keep the results that are there, and give up the rest."""
        for future, unit in self.pending.items():
            if not future.cancel() and future.done() and _error(future) is None:
                self._keep(unit, future.result())

    def _keep(self, unit: Unit, result: UnitResult) -> None:
        self.results.setdefault(unit.key, result)
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)


def _error(future: Future[UnitResult]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error
