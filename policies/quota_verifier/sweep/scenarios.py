"""Scenarios: policies that are judged on the same jobs, and the replications of those jobs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from quota_verifier.errors import InputError
from quota_verifier.figures import job_columns
from quota_verifier.model import Queue
from quota_verifier.policy.check import subjects_of
from quota_verifier.policy.policy import Policy, WorkloadPlan
from quota_verifier.sweep.measures import Objective
from quota_verifier.sweep.sweep_file import Seeds
from quota_verifier.sweep.unit import Drawn, Fixed, Jobs
from quota_verifier.sweep.variants import Variant
from quota_verifier.workload import Workload

_NO_JOBS = Workload(())


@dataclass(frozen=True, slots=True)
class Scenario:
    """Policies of one workload, timing and horizon, which share their simulations, and its replications.

    A generated workload has one replication for each seed, any other workload has one. The policies carry no
    workload of their own. `account` is the first replication, with the account of its source's rows.
    """

    policies: tuple[Policy, ...]
    replications: tuple[Jobs, ...]
    account: Workload

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of a generated workload; empty for any other."""
        return tuple(jobs.seed for jobs in self.replications if jobs.seed is not None)

    def at(self, replication: int) -> Jobs:
        """The jobs of a replication; those that are what they are come again in each."""
        return self.replications[min(replication, len(self.replications) - 1)]


def scenarios_of(policies: Iterable[Policy], queue: Queue, seeds: Seeds) -> tuple[Scenario, ...]:
    """The policies by scenario, in order of the first policy of each. Raises InputError for workloads that are none."""
    found: list[Scenario] = []
    for policy in policies:
        new = _scenario(policy, queue, seeds)
        place = next((place for place, known in enumerate(found) if _alike(known, new)), None)
        if place is None:
            found.append(new)
        else:
            found[place] = replace(found[place], policies=(*found[place].policies, *new.policies))
    return tuple(found)


def _scenario(policy: Policy, queue: Queue, seeds: Seeds) -> Scenario:
    bare = (replace(policy, workload=_NO_JOBS),)
    plan = policy.workload
    if isinstance(plan, WorkloadPlan) and (spec := plan.section.generate) is not None:
        chosen = range(spec.seed, spec.seed + seeds) if isinstance(seeds, int) else seeds
        first = spec.model_copy(update={"seed": chosen[0]})
        account = replace(plan, section=plan.section.model_copy(update={"generate": first})).load(queue)
        return Scenario(bare, tuple(Drawn(spec, seed, plan.source) for seed in chosen), account)
    workload = plan.load(queue) if isinstance(plan, WorkloadPlan) else plan
    return Scenario(bare, (Fixed(workload),), workload)


def _alike(one: Scenario, other: Scenario) -> bool:
    mine, theirs = one.policies[0], other.policies[0]
    return (
        (mine.timing, mine.until_ms, mine.assumptions) == (theirs.timing, theirs.until_ms, theirs.assumptions)
        and one.seeds == other.seeds
        and (one.account.jobs, one.account.updates) == (other.account.jobs, other.account.updates)
        and _specs(one) == _specs(other)
    )


def _specs(scenario: Scenario) -> list[object]:
    """What the seeds are put into; specs with other seeds of their own are alike."""
    return [jobs.spec.model_copy(update={"seed": 0}) for jobs in scenario.replications if isinstance(jobs, Drawn)]


def check_scenarios(
    scenarios: Sequence[Scenario], variants: Sequence[Variant], objectives: Sequence[Objective]
) -> None:
    """Refuse, before anything is simulated, what no run could judge.

    Raises InputError for a claim about nothing, and for an objective of a share without jobs, in any
    replication on any variant.
    """
    base = variants[0].queue
    for scenario in scenarios:
        for jobs in scenario.replications:
            workload = jobs.workload(base)
            _check_objectives(objectives, workload, scenario, jobs)
            columns = job_columns(base, workload.jobs)
            for variant in variants:
                for policy in scenario.policies:
                    try:
                        subjects_of(policy, variant.queue, workload, columns)
                    except InputError as error:
                        raise _about(error, variant, jobs) from None


def _about(error: InputError, variant: Variant, jobs: Jobs) -> InputError:
    whose = [f"variant {variant.name!r}"] if variant.settings else []
    whose += [f"seed {jobs.seed}"] if jobs.seed is not None else []
    where = ": ".join(part for part in (", ".join(whose), error.where) if part)
    return InputError(error.problem, source=error.source, where=where, remedy=error.remedy)


def _check_objectives(objectives: Sequence[Objective], workload: Workload, scenario: Scenario, jobs: Jobs) -> None:
    until = scenario.policies[0].until_ms
    busy = {job.share for job in workload.jobs if until is None or job.submit_ms <= until}
    for objective in objectives:
        if objective.share is not None and objective.share not in busy:
            seed = "" if jobs.seed is None else f" with seed {jobs.seed}"
            raise InputError(
                f"{objective.name!r} is about nothing: share {objective.share} has no jobs{seed}",
                source=scenario.policies[0].source,
                remedy="leave the objective out, or give the share jobs",
            )
