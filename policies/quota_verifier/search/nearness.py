"""How near a workload comes to breaking a claim: what the search climbs by."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from quota_verifier.policy.bounds import Value
from quota_verifier.policy.claims import MeasureClaim
from quota_verifier.policy.measured import Measured
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.run import UNKNOWN, Run
from quota_verifier.search.envelope import Drafts

_FARTHEST = -(10**18)
MOST_KEPT = 8


class Nearness(NamedTuple):
    """Greater is nearer. `value` is measured towards the bound; `pressure` parts equals: preemptions and waits."""

    value: int | Fraction
    pressure: int


def nearness(claim: MeasureClaim, measured: Measured, run: Run) -> Nearness:
    """How near a claim that holds is to its bound."""
    value, bound = measured.value, claim.bound
    if not isinstance(value, int | Fraction):
        return Nearness(_FARTHEST, _pressure(run))
    if bound.is_upper:
        return Nearness(value, _pressure(run))
    limit: Value = bound.limit or 0
    return Nearness(-value if bound.is_lower else abs(value - limit), _pressure(run))


def _pressure(run: Run) -> int:
    """Preemptions, each as much as an hour of waiting, and the time that jobs waited."""
    waits = sum(
        run.end_ms - job.submit_ms if outcome.first_start == UNKNOWN else outcome.first_start - job.submit_ms
        for job, outcome in zip(run.jobs, run.outcomes, strict=True)
    )
    return sum(outcome.preemptions for outcome in run.outcomes) * 3_600_000 + waits


@dataclass(frozen=True, slots=True)
class Near:
    """A workload that came near, under which profile, and what it measured."""

    nearness: Nearness
    drafts: Drafts
    profile: Assumptions
    measured: Measured


@dataclass(slots=True)
class Nearest:
    """The workloads that came nearest to breaking one claim, the nearest first; equals in the order they came."""

    kept: list[Near] = field(default_factory=list[Near])

    def offer(self, near: Near) -> None:
        """Keep a workload if it is among the nearest; of the profiles of one workload, the nearest."""
        if len(self.kept) == MOST_KEPT and near.nearness <= self.kept[-1].nearness:
            return
        twin = next((place for place, known in enumerate(self.kept) if known.drafts == near.drafts), None)
        if twin is not None:
            if near.nearness <= self.kept[twin].nearness:
                return
            del self.kept[twin]
        place = next((place for place, known in enumerate(self.kept) if near.nearness > known.nearness), len(self.kept))
        self.kept.insert(place, near)
        del self.kept[MOST_KEPT:]
