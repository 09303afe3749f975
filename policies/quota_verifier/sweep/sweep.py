"""run_sweep(): a plan and an executor in, what became of every variant out."""

from __future__ import annotations

from concurrent.futures import Executor

from quota_verifier.errors import InputError
from quota_verifier.policy.verifier import Progress
from quota_verifier.sweep.outcome import Sweep, outcome_of
from quota_verifier.sweep.plan import Plan
from quota_verifier.sweep.run import IN_FLIGHT, Renew, Results, run_units


def run_sweep(
    plan: Plan,
    executor: Executor,
    *,
    results: Results | None = None,
    renew: Renew | None = None,
    in_flight: int = IN_FLIGHT,
    died: tuple[type[BaseException], ...] = (),
    progress: Progress | None = None,
) -> Sweep:
    """Run what `plan` says on any `concurrent.futures.Executor`; the outcome is the same on all of them.

    `results` holds what is known already, and takes what is found: after KeyboardInterrupt or an error
    `outcome_of(plan, results)` is the outcome of what was finished. The other arguments are those of
    `run_units`. Raises InputError where workers keep dying.
    """
    found: Results = {} if results is None else results
    run_units(plan.units(), executor, found, renew=renew, in_flight=in_flight, died=died, progress=progress)
    return judged(plan, found)


def judged(plan: Plan, results: Results) -> Sweep:
    """The outcome of a plan whose units are all in `results`. Raises InputError where one could not be judged."""
    for unit in plan.units():
        if refused := results[unit.key].refused:
            raise InputError(refused, source=unit.label)
    return outcome_of(plan, results)
