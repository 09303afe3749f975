"""A unit of work: one queue, one replication of the workload of some policies. Pure, and easy to send elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from quota_verifier.documents import DataPath
from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.policy.bounds import Value
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.verdicts import Judgement, PolicyVerdicts, Verdict
from quota_verifier.policy.verifier import verify
from quota_verifier.scheduler.assumptions import Profiles
from quota_verifier.scheduler.simulate import Engine
from quota_verifier.sweep.margin import least, margin
from quota_verifier.sweep.measures import MARGIN, run_figures
from quota_verifier.words import field_path
from quota_verifier.workload import Workload
from quota_verifier.workload.generate import generate_workload
from quota_verifier.workload.generate_spec import GenerateSpec
from quota_verifier.workload.load import offered_load


@dataclass(frozen=True, slots=True)
class Fixed:
    """Jobs that are what they are: of a trace, a workload file, or written in the policy."""

    given: Workload
    seed: None = None

    def workload(self, queue: Queue) -> Workload:
        """The jobs."""
        return self.given


@dataclass(frozen=True, slots=True)
class Drawn:
    """Jobs that a policy generates, with one seed. They are drawn where they are needed, not sent."""

    spec: GenerateSpec
    seed: int
    source: str

    def workload(self, queue: Queue) -> Workload:
        """The jobs, the same for every queue of the sweep. Raises InputError where none arrives."""
        return generate_workload(self.spec, queue, seed=self.seed, place=self._place)

    def _place(self, path: DataPath) -> tuple[str, str]:
        return self.source, field_path(("workload", "generate", *path))


Jobs = Fixed | Drawn


@dataclass(frozen=True, slots=True)
class Unit:
    """What a worker is told: judge `policies` on `queue` with these jobs. Units of equal `key` have equal results.

    `label` names it in messages. The policies carry no workload of their own.
    """

    key: str
    label: str
    queue: Queue
    policies: tuple[Policy, ...]
    jobs: Jobs
    under: Profiles
    assume: tuple[str, ...]
    engine: Engine


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What a claim came to in one run: its verdict, its measure, and its margin (see `margin`)."""

    verdict: Judgement
    text: str
    measured: str | int | float | list[str] | None
    margin: Fraction | None


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What came of a unit: its claims in order, every figure by the name of its objective.

    `overloaded` are the units (instance types) that are offered more than their capacity. `refused` says why
    nothing could be judged, such as a claim about nothing; it is empty otherwise.
    """

    claims: tuple[ClaimResult, ...]
    figures: Mapping[str, Value | None]
    overloaded: tuple[str, ...] = ()
    refused: str = ""

    @property
    def ok(self) -> bool:
        """Whether every claim is proven."""
        return not self.refused and all(claim.verdict == "holds" for claim in self.claims)


def simulated(unit: Unit) -> UnitResult:
    """Simulate and judge one unit; the same wherever and however often it runs."""
    try:
        workload = unit.jobs.workload(unit.queue)
        policies = [replace(policy, workload=workload) for policy in unit.policies]
        found = verify(unit.queue, policies, under=unit.under, assume=unit.assume, engine=unit.engine)
    except InputError as error:
        return UnitResult((), {}, refused=str(error))
    verdicts = [verdict for policy in found.policies for verdict in policy.verdicts]
    claims = tuple(_claim(verdict) for verdict in verdicts)
    return UnitResult(claims, _figures(found.policies[0], claims), _overloaded(workload, unit.queue))


def _claim(verdict: Verdict) -> ClaimResult:
    measured = verdict.measured
    return ClaimResult(verdict.verdict, measured.text, measured.plain, margin(verdict.claim, measured))


def _figures(found: PolicyVerdicts, claims: tuple[ClaimResult, ...]) -> dict[str, Value | None]:
    """The run is that of the base profile, which all policies of a unit share."""
    return {MARGIN: least(claim.margin for claim in claims), **run_figures(found.figures)}


def _overloaded(workload: Workload, queue: Queue) -> tuple[str, ...]:
    return tuple(load.unit for load in offered_load(workload, queue) if load.unstable)
