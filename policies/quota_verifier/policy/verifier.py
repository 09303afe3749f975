"""verify(): a queue and policies in, verdicts out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from os import PathLike

from quota_verifier.cost.prices import Prices
from quota_verifier.figures import JobColumns, job_columns
from quota_verifier.figures.columns import Mask
from quota_verifier.model import Queue
from quota_verifier.policy.check import subjects_of
from quota_verifier.policy.claims import MeasureClaim
from quota_verifier.policy.evaluate import evaluate
from quota_verifier.policy.likeness import likeness
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.policy import Policy, WorkloadPlan, read_policy
from quota_verifier.policy.verdicts import (
    Case,
    Evidence,
    PolicyVerdicts,
    SkippedPolicy,
    Turn,
    Verdict,
    Verdicts,
    changes,
    smallest,
)
from quota_verifier.policy.view import RunView
from quota_verifier.scheduler.assumptions import Assumptions, Profiles, profiles
from quota_verifier.scheduler.assumptions import assume as assumptions_from
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import Engine
from quota_verifier.template import read_queue
from quota_verifier.workload.load import load_warnings, offered_load

FindQueue = Callable[[str | None], Queue]
"""Finds the job queue that a policy names; None where it names none."""

Progress = Callable[[int, int], None]
"""Told after each simulation how many are done, and how many there are in all."""

PolicyLike = Policy | str | PathLike[str]
_Key = tuple[str, ...]
_GROWS_WITH_OVERLOAD = ("wait", "turnaround", "slowdown", "starvation")
"""Measures that an overload makes as long as the workload; what a share is owed of its own does not grow with it."""


def verify(
    queue: Queue | str | PathLike[str] | FindQueue,
    policies: PolicyLike | Iterable[PolicyLike],
    *,
    under: Profiles | None = None,
    assume: Assumptions | Sequence[str] | None = None,
    engine: Engine = "auto",
    today: date | None = None,
    prices: Prices | None = None,
    progress: Progress | None = None,
) -> Verdicts:
    """Judge every claim of `policies` on `queue`.

    `queue` is a Queue, a template or queue file, or a function from the name that a policy gives to the queue.
    `policies` are policies or paths of policy files, or one of either. `under` and `assume` stand in for
    what the policies say: which profiles to try, and the answers to start from (texts such as `A1=skip`
    change single answers). Claims on one workload and timing share their simulations. `today` decides
    which waivers have expired; by default the date of this machine. `prices` stand in for those of the policies. Raises
    InputError for bad input, names that do not exist, and claims about nothing.
    """
    single = isinstance(policies, Policy | str | PathLike)
    given = [_policy(policy) for policy in ([policies] if single else policies)]
    if prices is not None:
        given = [replace(policy, prices=prices) for policy in given]
    skipped = tuple(skip for policy in given if (skip := _skipped(policy)))
    tasks = [_task(policy, queue, under, assume, engine) for policy in given if _skipped(policy) is None]
    groups = _grouped(tasks)
    plans = [_plan(group) for group in groups]
    total, done = sum(len(plan) for plan in plans), 0
    for group, plan in zip(groups, plans, strict=True):
        for key, profile in plan.items():
            _judge(group, key, profile)
            done += 1
            if progress is not None:
                progress(done, total)
    day = date.today() if today is None else today
    return Verdicts(tuple(_verdicts(task, day) for task in tasks), skipped)


@dataclass(slots=True)
class _Task:
    """One policy on its way to verdicts; `measured` fills up as profiles are simulated.

    `profiles` are those to judge under, `base` first, with their keys: equal keys share a simulation.
    """

    policy: Policy
    case: Case
    jobs: JobColumns
    members: tuple[Mask, ...]
    base: Assumptions
    profiles: Mapping[Assumptions, _Key]
    measured: dict[_Key, tuple[Measured, ...]]
    keys: frozenset[_Key]
    run: Run | None = None


def _policy(policy: PolicyLike) -> Policy:
    return policy if isinstance(policy, Policy) else read_policy(policy)


def _skipped(policy: Policy) -> SkippedPolicy | None:
    absent = policy.workload.absent if isinstance(policy.workload, WorkloadPlan) else None
    return None if absent is None else SkippedPolicy(policy, f"there is no {absent}")


def _task(
    policy: Policy,
    queue: Queue | str | PathLike[str] | FindQueue,
    under: Profiles | None,
    assume: Assumptions | Sequence[str] | None,
    engine: Engine,
) -> _Task:
    found = _queue(queue, policy)
    workload = policy.workload.load(found) if isinstance(policy.workload, WorkloadPlan) else policy.workload
    jobs = job_columns(found, workload.jobs)
    base = assume if isinstance(assume, Assumptions) else assumptions_from(assume or (), policy.assumptions)
    like = likeness(found, workload)
    keyed = {profile: like.key(profile) for profile in profiles(under or policy.under, base)}
    return _Task(
        policy=policy,
        case=Case(found, workload, policy.timing, policy.until_ms, engine),
        jobs=jobs,
        members=subjects_of(policy, found, workload, jobs),
        base=base,
        profiles=keyed,
        measured={},
        keys=frozenset(keyed.values()),
    )


def _queue(queue: Queue | str | PathLike[str] | FindQueue, policy: Policy) -> Queue:
    if isinstance(queue, Queue):
        return queue
    if callable(queue):
        return queue(policy.queue)
    return read_queue(os.fspath(queue), queue=policy.queue)


def _grouped(tasks: Sequence[_Task]) -> list[list[_Task]]:
    """Tasks of equal cases together, so that they share runs, and one copy of the workload."""
    groups: list[list[_Task]] = []
    for task in tasks:
        group = next((group for group in groups if group[0].case == task.case), None)
        if group is None:
            groups.append([task])
        else:
            task.case, task.jobs = group[0].case, group[0].jobs
            group.append(task)
    return groups


def _plan(group: Sequence[_Task]) -> dict[_Key, Assumptions]:
    """The simulations that a group needs, one for each key: base profiles first, for their runs are kept."""
    plan: dict[_Key, Assumptions] = {task.profiles[task.base]: task.base for task in group}
    for task in group:
        for profile, key in task.profiles.items():
            plan.setdefault(key, profile)
    return plan


def _judge(group: Sequence[_Task], key: _Key, profile: Assumptions) -> None:
    """Simulate one profile and judge every claim that asks for it; the run is dropped unless it is a base."""
    takers = [task for task in group if key in task.keys]
    view = RunView(takers[0].case.simulate(profile), takers[0].jobs)
    for task in takers:
        pairs = zip(task.policy.claims, task.members, strict=True)
        task.measured[key] = tuple(evaluate(view, claim, members, task.policy.prices) for claim, members in pairs)
        if task.profiles[task.base] == key:
            task.run = view.run


def _verdicts(task: _Task, today: date) -> PolicyVerdicts:
    run = task.run
    if run is None:
        raise AssertionError("the base profile was not simulated")
    loads = offered_load(task.case.workload, task.case.queue)
    unstable = tuple(load.unit for load in loads if load.unstable)
    return PolicyVerdicts(
        policy=task.policy,
        verdicts=tuple(
            replace(
                _waived(_verdict(task, index, run), task.policy, today), overloaded=_overloaded(task, index, unstable)
            )
            for index in range(len(task.policy.claims))
        ),
        case=task.case,
        run=run,
        profiles=len(task.profiles),
        simulations=len(task.measured),
        warnings=(*task.case.workload.warnings, *load_warnings(loads)),
    )


def _verdict(task: _Task, index: int, run: Run) -> Verdict:
    claim = task.policy.claims[index]
    by_profile = [(profile, task.measured[key][index]) for profile, key in task.profiles.items()]
    base = by_profile[0][1]
    others = [(profile, found) for profile, found in by_profile if found.holds != base.holds]
    turns = smallest(Turn(changes(profile, task.base), found) for profile, found in others)
    if base.holds and not others:
        return Verdict(claim, "holds", base)
    failing, found = (task.base, base) if not base.holds else _first(others, turns[0])
    evidence = Evidence(task.case, failing, found.job, found.at_ms, kept=run if failing == task.base else None)
    return Verdict(claim, "depends" if others else "fails", base, turns, evidence)


def _overloaded(task: _Task, index: int, unstable: tuple[str, ...]) -> tuple[str, ...]:
    """The units of the claim's jobs that are offered too much, where the claim is on how long jobs take."""
    claim, members = task.policy.claims[index], task.members[index]
    if not isinstance(claim, MeasureClaim) or claim.measure not in _GROWS_WITH_OVERLOAD:
        return ()
    return tuple(unit for unit in unstable if unit in task.jobs.units and (task.jobs.of_unit(unit)[members] > 0).any())


def _waived(verdict: Verdict, policy: Policy, today: date) -> Verdict:
    """The verdict with what the policy file waives."""
    waiver = next((waiver for waiver in policy.waivers if waiver.claim == verdict.claim), None)
    return verdict if waiver is None else replace(verdict, waiver=waiver, expired=waiver.expired(today))


def _first(others: Sequence[tuple[Assumptions, Measured]], turn: Turn) -> tuple[Assumptions, Measured]:
    return next((profile, found) for profile, found in others if found is turn.measured)
