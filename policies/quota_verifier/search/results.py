"""What a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quota_verifier.model import Job
from quota_verifier.policy.claims import Claim, MeasureClaim
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.policy import Policy
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.run import Run
from quota_verifier.search.envelope import Envelope
from quota_verifier.search.hunt import Stop

Status = Literal["broken", "not broken", "not searched"]


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """A claim with its number in the policy. `reason` says why it was not searched.

    `nearest` is what came nearest to its bound among the workloads that did not break it, None where none had
    anything for it to speak of; `nearest_under` are the assumptions that were changed for it.
    """

    number: int
    claim: Claim
    status: Status
    reason: str = ""
    nearest: Measured | None = None
    nearest_under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A workload of the envelope that breaks a claim, shrunk.

    `changed` are the assumptions that differ from those the policy starts from. `found_as` counts workloads from 1,
    `made_by` says how that one was made, `found_jobs` how many jobs it had. `steps_tried` smaller ones were judged to
    shrink it, `complete` says that none of the last ones breaks the claim. `notes` say how to take it.
    """

    number: int
    claim: MeasureClaim
    measured: Measured
    jobs: tuple[Job, ...]
    run: Run
    assumptions: Assumptions
    changed: tuple[str, ...]
    found_as: int
    made_by: str
    found_jobs: int
    steps_tried: int
    steps_taken: int
    complete: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What became of a search. `tries` is the bound, `workloads` how many were tried, `patterns` of them by pattern.

    `profiles` assumption profiles were judged, by `simulations` runs, those of shrinking included. `not_searched` is
    what a search that found nothing does not speak of.
    """

    policy: Policy
    envelope: Envelope
    seed: int
    tries: int
    seconds: float | None
    most_jobs: int
    at_least: int
    profiles: int
    workloads: int
    patterns: int
    simulations: int
    stop: Stop
    claims: tuple[ClaimOutcome, ...]
    counterexample: Counterexample | None
    not_searched: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether a claim was broken."""
        return self.counterexample is not None
