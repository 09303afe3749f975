"""The document of `sweep`: every variant's claims and objectives over the seeds, and the results behind them.

Times are seconds, instance-time is instances x seconds, ratios are plain numbers; null where there is no value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, cast

from typing_extensions import TypedDict

from quota_verifier.policy.bounds import Value
from quota_verifier.report.provenance import version
from quota_verifier.report.verify_document import MeasuredValue, SkippedDocument
from quota_verifier.sweep.intervals import CONFIDENCE, Estimate
from quota_verifier.sweep.measures import Better, Kind, Objective
from quota_verifier.sweep.outcome import ClaimOutcome, Sweep, VariantOutcome
from quota_verifier.sweep.saved import SavedResult, saved
from quota_verifier.sweep.scenarios import Scenario
from quota_verifier.sweep.settings import Value as SettingValue
from quota_verifier.sweep.smallest import Method, Smallest


class SweepPolicyDocument(TypedDict):
    """A policy file; `seeds` generate its workloads, none where its jobs are what they are."""

    file: str
    description: str
    seeds: list[int]


class ObjectiveDocument(TypedDict):
    """What variants are compared by."""

    name: str
    text: str
    kind: Kind
    better: Better


class EstimateDocument(TypedDict):
    """A mean over `count` replications and its confidence interval.

    `mean` is null where `missing` replications have no value, the interval also where there is but one.
    """

    count: int
    missing: int
    mean: float | None
    half: float | None
    low: float | None
    high: float | None


class WorstDocument(TypedDict):
    """The replication in which a claim is worst off. `margin` is how far it is from its limit, -1 to 1."""

    seed: int | None
    verdict: Literal["holds", "fails", "depends"]
    measured: MeasuredValue
    measured_text: str
    margin: float | None


class SweepClaimDocument(TypedDict):
    """A claim: in how many replications it holds, fails and depends on an assumption."""

    policy: str
    claim: str
    holds: int
    fails: int
    depends: int
    worst: WorstDocument


class VariantDocument(TypedDict):
    """A variant. `done` of `total` units are finished, and only with all of them there are claims and objectives.

    `differences` are from the baseline, replication by replication; null where either has no value.
    """

    name: str
    settings: dict[str, SettingValue]
    notes: list[str]
    same_as: str | None
    done: int
    total: int
    meets: bool
    on_front: bool
    overloaded: int
    claims: list[SweepClaimDocument]
    objectives: dict[str, EstimateDocument]
    differences: dict[str, EstimateDocument | None]


class TriedDocument(TypedDict):
    """A capacity that was tried; `why` it does not meet the policies, null where it does."""

    capacity: int
    why: str | None


class SmallestDocument(TypedDict):
    """The least capacity that meets the policies, null where none does; `certain` where all below it were tried."""

    variant: str
    varied: str
    method: Method
    low: int
    high: int
    now: int
    capacity: int | None
    limits: dict[str, dict[str, int]]
    certain: bool
    finished: bool
    tried: list[TriedDocument]


class SweepDocument(TypedDict):
    """What `quota-shares sweep --json` prints, and `--out` keeps.

    `complete` is false where the sweep was interrupted; `ok` means that some variant meets the policies.
    `results` are exact, for `--resume`: numbers are text, times in milliseconds.
    """

    version: str
    source: str
    description: str
    complete: bool
    ok: bool
    under: Literal["default", "one-at-a-time", "all"]
    assume: list[str]
    replications: int
    confidence: float
    policies: list[SweepPolicyDocument]
    skipped: list[SkippedDocument]
    objectives: list[ObjectiveDocument]
    front_among: Literal["variants that meet the policies", "all variants"]
    variants: list[VariantDocument]
    smallest: list[SmallestDocument]
    results: list[SavedResult]


def sweep_document(
    found: Sweep, source: str, description: str = "", smallest: Sequence[Smallest] = ()
) -> SweepDocument:
    """The document about a sweep of the queue in the file `source`."""
    plan = found.plan
    searched = all(search.finished for search in smallest)
    return {
        "version": version(),
        "source": source,
        "description": description,
        "complete": found.complete and searched,
        "ok": any(search.capacity for search in smallest) if smallest else found.ok,
        "under": plan.under,
        "assume": list(plan.assume),
        "replications": plan.replications,
        "confidence": CONFIDENCE,
        "policies": [document for scenario in plan.scenarios for document in _policies(scenario)],
        "skipped": [{"file": skip.policy.source, "reason": skip.reason} for skip in plan.skipped],
        "objectives": [
            {"name": what.name, "text": what.text, "kind": what.kind, "better": what.better} for what in plan.objectives
        ],
        "front_among": "variants that meet the policies" if found.ok else "all variants",
        "variants": [_variant(outcome, plan.objectives) for outcome in found.variants],
        "smallest": [_smallest(search) for search in smallest],
        "results": [cast("SavedResult", row.model_dump(mode="json")) for row in saved(found.results)],
    }


def _policies(scenario: Scenario) -> list[SweepPolicyDocument]:
    seeds = list(scenario.seeds)
    return [{"file": policy.source, "description": policy.description, "seeds": seeds} for policy in scenario.policies]


def _variant(outcome: VariantOutcome, objectives: Sequence[Objective]) -> VariantDocument:
    named = [(what, place) for place, what in enumerate(objectives) if outcome.estimates]
    return {
        "name": outcome.variant.name,
        "settings": dict(outcome.variant.settings),
        "notes": list(outcome.variant.notes),
        "same_as": outcome.same_as or None,
        "done": outcome.done,
        "total": outcome.total,
        "meets": outcome.meets,
        "on_front": outcome.on_front,
        "overloaded": outcome.overloaded,
        "claims": [_claim(claim) for claim in outcome.claims],
        "objectives": {what.name: _estimate(outcome.estimates[place], what.kind) for what, place in named},
        "differences": {
            what.name: None if (apart := outcome.differences[place]) is None else _estimate(apart, what.kind)
            for what, place in named
        },
    }


def _claim(found: ClaimOutcome) -> SweepClaimDocument:
    worst, margin = found.worst, found.worst.margin
    return {
        "policy": found.policy,
        "claim": found.claim.text,
        "holds": found.holds,
        "fails": found.fails,
        "depends": found.depends,
        "worst": {
            "seed": found.seed,
            "verdict": worst.verdict,
            "measured": worst.measured,
            "measured_text": worst.text,
            "margin": None if margin is None else number(margin, "ratio"),
        },
    }


def _estimate(found: Estimate, kind: Kind) -> EstimateDocument:
    low, high = interval(found, kind)
    return {
        "count": found.count,
        "missing": found.missing,
        "mean": None if found.mean is None else number(found.mean, kind),
        "half": None if found.half is None else number(found.half, kind),
        "low": low,
        "high": high,
    }


def interval(found: Estimate, kind: Kind) -> tuple[float | None, float | None]:
    """The ends of a confidence interval, in the units of the document."""
    if found.mean is None or found.half is None:
        return None, None
    mean = float(found.mean)
    return number(mean - found.half, kind), number(mean + found.half, kind)


def number(value: Value | float, kind: Kind) -> float:
    """A value as the document writes it: seconds for times, otherwise as it is."""
    if kind in ("duration", "instance-time"):
        return round(float(Fraction(value) / 1000), 3)
    return round(float(value), 6)


def _smallest(search: Smallest) -> SmallestDocument:
    found = search.found
    return {
        "variant": search.variant.name,
        "varied": search.dial.text,
        "method": search.method,
        "low": search.low,
        "high": search.high,
        "now": search.now,
        "capacity": search.capacity,
        "limits": {} if found is None else {share.name: dict(share.limits) for share in found.queue.shares},
        "certain": search.certain,
        "finished": search.finished,
        "tried": [{"capacity": capacity, "why": why or None} for capacity, why in search.tried.items()],
    }
