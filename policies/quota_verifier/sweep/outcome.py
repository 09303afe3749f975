"""What a sweep found: each variant's claims and objectives over the replications, against the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from quota_verifier.policy.bounds import Value
from quota_verifier.policy.claims import Claim
from quota_verifier.sweep.intervals import Estimate, estimate, paired
from quota_verifier.sweep.measures import Objective, worst
from quota_verifier.sweep.pareto import front
from quota_verifier.sweep.plan import Plan
from quota_verifier.sweep.unit import ClaimResult, UnitResult
from quota_verifier.sweep.variants import Variant


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """A claim over the finished replications: how often it holds, fails and depends, and the worst of them.

    `worst` is the replication with the smallest margin, the first of several; `seed` is its seed.
    """

    policy: str
    claim: Claim
    holds: int
    fails: int
    depends: int
    worst: ClaimResult
    seed: int | None

    @property
    def count(self) -> int:
        """The replications that were judged."""
        return self.holds + self.fails + self.depends

    @property
    def ok(self) -> bool:
        """Whether the claim holds in each of them."""
        return self.holds == self.count


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """A variant: `done` of its `total` units are finished, and only where all are it is compared with others.

    `estimates` are the objectives in order, `differences` those from the baseline, replication by
    replication (None for the baseline itself, and where either has no value). `same_as` is an earlier variant
    with the same queue. `overloaded` counts the replications in which an instance type is offered more than
    its capacity.
    """

    variant: Variant
    done: int
    total: int
    claims: tuple[ClaimOutcome, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    differences: tuple[Estimate | None, ...] = ()
    same_as: str = ""
    on_front: bool = False
    overloaded: int = 0

    @property
    def complete(self) -> bool:
        """Whether all units are finished."""
        return self.done == self.total

    @property
    def meets(self) -> bool:
        """Whether every claim holds in every replication; never known of a variant that is not finished."""
        return self.complete and all(claim.ok for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The outcome of a plan. The Pareto front is taken among the variants that meet the policies, if any does."""

    plan: Plan
    variants: tuple[VariantOutcome, ...]
    results: Mapping[str, UnitResult]

    @property
    def complete(self) -> bool:
        """Whether everything that was planned is finished."""
        return all(found.complete for found in self.variants)

    @property
    def ok(self) -> bool:
        """Whether some variant meets the policies."""
        return any(found.meets for found in self.variants)


def outcome_of(plan: Plan, results: Mapping[str, UnitResult]) -> Sweep:
    """What `results`, which may be some of those of the plan, say about its variants."""
    results = {key: result for key, result in results.items() if not result.refused}
    keys = {variant.name: plan.keys_of(variant) for variant in plan.variants}
    base = _values(plan, plan.variants[0], keys[plan.variants[0].name], results)
    seen: dict[tuple[tuple[str, ...], ...], str] = {}
    found: list[VariantOutcome] = []
    for variant in plan.variants:
        of_variant = keys[variant.name]
        outcome = _outcome(plan, variant, of_variant, results, base)
        found.append(replace(outcome, same_as=seen.get(of_variant, "")))
        seen.setdefault(of_variant, variant.name)
    return Sweep(plan, _with_front(plan.objectives, found), results)


def _outcome(
    plan: Plan,
    variant: Variant,
    keys: tuple[tuple[str, ...], ...],
    results: Mapping[str, UnitResult],
    base: list[list[Value | None]] | None,
) -> VariantOutcome:
    finished = [key for of_scenario in keys for key in of_scenario if key in results]
    outcome = VariantOutcome(variant, done=len(finished), total=sum(map(len, keys)))
    values = _values(plan, variant, keys, results)
    if values is None:
        return outcome
    compared = base if variant is not plan.variants[0] else None
    differences = [_difference(*pair) for pair in zip(values, compared, strict=True)] if compared else ()
    return replace(
        outcome,
        claims=_claims(plan, keys, results),
        estimates=tuple(map(estimate, values)),
        differences=tuple(differences) or (None,) * len(values),
        overloaded=sum(
            any(results[of_scenario[min(place, len(of_scenario) - 1)]].overloaded for of_scenario in keys)
            for place in range(plan.replications)
        ),
    )


def _difference(values: list[Value | None], base: list[Value | None]) -> Estimate | None:
    found = paired(values, base)
    return None if found.missing else found


def _values(
    plan: Plan, variant: Variant, keys: Sequence[Sequence[str]], results: Mapping[str, UnitResult]
) -> list[list[Value | None]] | None:
    """Each objective's value in each replication, the worst over the scenarios; None until all are finished."""
    if not all(key in results for of_scenario in keys for key in of_scenario):
        return None
    found: list[list[Value | None]] = []
    for objective in plan.objectives:
        if objective.is_capacity:
            found.append([objective.capacity_of(variant.queue)])
            continue
        found.append(
            [
                worst((results[of[min(place, len(of) - 1)]].figures[objective.name] for of in keys), objective.better)
                for place in range(plan.replications)
            ]
        )
    return found


def _claims(plan: Plan, keys: Sequence[Sequence[str]], results: Mapping[str, UnitResult]) -> tuple[ClaimOutcome, ...]:
    found: list[ClaimOutcome] = []
    for scenario, of_scenario in zip(plan.scenarios, keys, strict=True):
        judged = [results[key] for key in of_scenario]
        claims = [(policy.source, claim) for policy in scenario.policies for claim in policy.claims]
        for place, (source, claim) in enumerate(claims):
            found.append(_claim(source, claim, [result.claims[place] for result in judged], scenario.seeds))
    return tuple(found)


def _claim(source: str, claim: Claim, judged: Sequence[ClaimResult], seeds: Sequence[int]) -> ClaimOutcome:
    verdicts = [result.verdict for result in judged]
    place = min(range(len(judged)), key=lambda place: _badness(judged[place]))
    return ClaimOutcome(
        policy=source,
        claim=claim,
        holds=verdicts.count("holds"),
        fails=verdicts.count("fails"),
        depends=verdicts.count("depends"),
        worst=judged[place],
        seed=seeds[place] if seeds else None,
    )


def _badness(result: ClaimResult) -> tuple[bool, bool, Fraction]:
    """Sorts what does not hold first, then by margin; no margin is none to speak of."""
    return result.verdict == "holds", result.margin is None, result.margin or Fraction(0)


def _with_front(objectives: Sequence[Objective], found: Sequence[VariantOutcome]) -> tuple[VariantOutcome, ...]:
    """Marks the front among the finished variants that meet the policies, or among all finished where none does."""
    meeting = [outcome for outcome in found if outcome.meets] or [outcome for outcome in found if outcome.complete]
    points = [
        [objective.rank(value.mean) for objective, value in zip(objectives, outcome.estimates, strict=True)]
        for outcome in meeting
    ]
    chosen = {outcome.variant.name for outcome, is_on in zip(meeting, front(points), strict=True) if is_on}
    return tuple(replace(outcome, on_front=outcome.variant.name in chosen) for outcome in found)
