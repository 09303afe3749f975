"""The plan of a sweep: which units of work it takes, each with a key that says what its result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from os import PathLike

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.policy.policy import Policy, WorkloadPlan, read_policy
from quota_verifier.policy.verdicts import SkippedPolicy
from quota_verifier.scheduler.assumptions import Profiles, assume
from quota_verifier.scheduler.simulate import Engine
from quota_verifier.sweep.measures import Objective, default_objectives, objective
from quota_verifier.sweep.scenarios import Scenario, check_scenarios, scenarios_of
from quota_verifier.sweep.sweep_file import Seeds
from quota_verifier.sweep.unit import Drawn, Jobs, Unit
from quota_verifier.sweep.variants import Asked, Variant, variants_of
from quota_verifier.template.queue_document import queue_document


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sweep runs: every variant (the baseline first) on every replication of every scenario.

    `digests` are those of the replications, by scenario. `skipped` are policies whose optional trace is not there.
    """

    variants: tuple[Variant, ...]
    scenarios: tuple[Scenario, ...]
    objectives: tuple[Objective, ...]
    under: Profiles
    assume: tuple[str, ...]
    engine: Engine
    digests: tuple[tuple[str, ...], ...]
    skipped: tuple[SkippedPolicy, ...] = ()

    @property
    def replications(self) -> int:
        """How many times each variant is judged: once for each seed, or once where no workload is generated."""
        return max(len(scenario.replications) for scenario in self.scenarios)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policies in the order of their scenarios, which is that of the results' claims."""
        return tuple(policy for scenario in self.scenarios for policy in scenario.policies)

    def units(self) -> Iterator[Unit]:
        """Every unit, variant by variant."""
        for variant in self.variants:
            yield from self.units_of(variant)

    def units_of(self, variant: Variant) -> Iterator[Unit]:
        """The units of a variant, scenario by scenario, seed by seed."""
        for scenario, digests in zip(self.scenarios, self.digests, strict=True):
            for jobs, digest in zip(scenario.replications, digests, strict=True):
                yield self._unit(variant, scenario, jobs, digest)

    def keys_of(self, variant: Variant) -> tuple[tuple[str, ...], ...]:
        """The keys of a variant's units, by scenario."""
        return tuple(tuple(_key(variant.queue, digest) for digest in digests) for digests in self.digests)

    def _unit(self, variant: Variant, scenario: Scenario, jobs: Jobs, digest: str) -> Unit:
        parts = [f"variant {variant.name!r}", scenario.policies[0].source or "policy"]
        parts += [f"seed {jobs.seed}"] if jobs.seed is not None else []
        return Unit(
            key=_key(variant.queue, digest),
            label=", ".join(parts),
            queue=variant.queue,
            policies=scenario.policies,
            jobs=jobs,
            under=self.under,
            assume=self.assume,
            engine=self.engine,
        )


def plan_sweep(
    queue: Queue,
    policies: Iterable[Policy | str | PathLike[str]],
    asked: Iterable[Asked] = (),
    *,
    seeds: Seeds = 10,
    objectives: Sequence[str] | None = None,
    under: Profiles = "default",
    assumptions: Sequence[str] = (),
    engine: Engine = "auto",
) -> Plan:
    """The plan for trying the variants `asked` for, and `queue` itself, against `policies`.

    Policies whose optional trace is not there are skipped. Raises InputError for whatever no run could judge:
    variants that are no legal queues, claims about nothing, objectives that do not exist, no policy left.
    """
    assume(assumptions)
    given = [policy if isinstance(policy, Policy) else read_policy(policy) for policy in policies]
    variants = variants_of(queue, asked)
    skipped = tuple(skip for policy in given if (skip := _skipped(policy)))
    scenarios = scenarios_of((policy for policy in given if not _skipped(policy)), queue, seeds)
    if not scenarios:
        reason = skipped[0].reason if skipped else "none is given"
        raise InputError(f"no policy can be judged: {reason}", source=skipped[0].policy.source if skipped else "")
    chosen = default_objectives(queue) if objectives is None else _objectives(objectives, queue)
    check_scenarios(scenarios, variants, chosen)
    settings = (under, tuple(assumptions))
    return Plan(
        variants=variants,
        scenarios=scenarios,
        objectives=chosen,
        under=under,
        assume=tuple(assumptions),
        engine=engine,
        digests=tuple(_digests(scenario, settings) for scenario in scenarios),
        skipped=skipped,
    )


def _skipped(policy: Policy) -> SkippedPolicy | None:
    absent = policy.workload.absent if isinstance(policy.workload, WorkloadPlan) else None
    return None if absent is None else SkippedPolicy(policy, f"there is no {absent}")


def _objectives(names: Sequence[str], queue: Queue) -> tuple[Objective, ...]:
    return tuple(objective(name, queue) for name in dict.fromkeys(names))


def _key(queue: Queue, digest: str) -> str:
    return _hashed([queue_document(queue), digest])


def _digests(scenario: Scenario, settings: tuple[object, ...]) -> tuple[str, ...]:
    """What the results on each replication depend on, besides the queue: jobs, claims, timing, assumptions, program."""
    policies: list[object] = []
    for policy in scenario.policies:
        claims = [claim.text for claim in policy.claims]
        policies.append([claims, repr(policy.timing), policy.until_ms, policy.assumptions.as_choices()])
    shared = [installed_version(), policies, settings]
    return tuple(_hashed([shared, _jobs_digest(jobs)]) for jobs in scenario.replications)


def _jobs_digest(jobs: Jobs) -> str:
    if isinstance(jobs, Drawn):
        return _hashed([jobs.spec.model_dump_json(exclude={"seed"}), jobs.seed])
    digest = hashlib.sha256()
    for row in (*jobs.given.jobs, *jobs.given.updates):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def _hashed(data: object) -> str:
    return hashlib.sha256(json.dumps(data, default=str).encode()).hexdigest()


def installed_version() -> str:
    """The version of the installed distribution; empty where it runs from a bare clone."""
    try:
        return version("quota-shares")
    except PackageNotFoundError:
        return ""
