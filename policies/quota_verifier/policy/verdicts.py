"""Verdicts: what became of each claim, under which assumptions, and where to look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from quota_verifier.figures import Figures, summarize
from quota_verifier.figures.plain import Plain, thousandths
from quota_verifier.model import Queue
from quota_verifier.policy.claims import Claim
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.names import claim_names
from quota_verifier.policy.policy import Policy
from quota_verifier.policy.waivers import Waiver
from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import Engine, simulate
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload import Workload

Judgement = Literal["holds", "fails", "depends"]


@dataclass(frozen=True, slots=True)
class Case:
    """What is simulated: a workload on a queue. One run serves all claims on it under one profile."""

    queue: Queue
    workload: Workload
    timing: Timing
    until_ms: int | None
    engine: Engine

    def simulate(self, assumptions: Assumptions) -> Run:
        """The run under a profile; the same every time."""
        return simulate(
            self.queue,
            self.workload,
            assumptions=assumptions,
            timing=self.timing,
            until_ms=self.until_ms,
            engine=self.engine,
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """A run in which a claim fails, the worst job in it, and the instant to draw a timeline around.

    `job` is None where no single job is to blame, and `at_ms` where no instant is.
    """

    case: Case
    assumptions: Assumptions
    job: str | None
    at_ms: int | None
    kept: Run | None = None

    @property
    def run(self) -> Run:
        """The run; simulated again unless it is that of the base profile, which is kept."""
        return self.kept or self.case.simulate(self.assumptions)


@dataclass(frozen=True, slots=True)
class Turn:
    """Answers that turn a claim, such as ("A1=skip",), and what it comes to under them."""

    changes: tuple[str, ...]
    measured: Measured

    @property
    def text(self) -> str:
        """`A1=skip`, or `A1=skip, A8=back` where only both together turn it."""
        return ", ".join(self.changes)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim with its judgement.

    `holds`: under every profile that was tried. `fails`: under every one. `depends`: it holds under
    some and fails under others, and `turned_by` names the smallest changes of the base profile that turn it.
    `measured` is what it comes to under the base profile; `evidence` is a run in which it fails. `waiver` is what
    the policy file says of it, and `expired` whether its last day is over. A claim on waits names in `overloaded` the
    units of its jobs that are offered more than they can do: it then tells of the overload, not of the policy (C53).
    """

    claim: Claim
    verdict: Judgement
    measured: Measured
    turned_by: tuple[Turn, ...] = ()
    evidence: Evidence | None = None
    waiver: Waiver | None = None
    expired: bool = False
    overloaded: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the claim is proven; one that depends is not, for AWS may behave the other way."""
        return self.verdict == "holds"

    @property
    def waived(self) -> bool:
        """Whether the claim is not proven, and a waiver lets it be."""
        return not self.ok and self.waiver is not None and not self.expired

    @property
    def passes(self) -> bool:
        """Whether the claim is proven or waived: what decides the exit code."""
        return self.ok or self.waived

    @property
    def waiver_note(self) -> str:
        """What there is to say about its waiver, in a sentence; empty where it has none."""
        if self.waiver is None:
            return ""
        day, reason = self.waiver.until.isoformat(), self.waiver.reason
        if self.ok:
            return f"the waiver until {day} is no longer needed: the claim holds"
        return f"waiver expired on {day}: {reason}" if self.expired else f"waived until {day}: {reason}"

    @property
    def overload_note(self) -> str:
        """Why the claim's figure is not meaningful, in a sentence; empty where it is."""
        if not self.overloaded:
            return ""
        units = " and ".join(self.overloaded)
        return f"not meaningful: more work is offered to {units} than it can do"

    @property
    def note(self) -> str:
        """How a claim that depends was turned, in a sentence; empty for the others."""
        if self.verdict != "depends":
            return ""
        here, there = ("holds", "fails") if self.measured.holds else ("fails", "holds")
        turns = "; ".join(f"{turn.text} ({turn.measured.text})" for turn in self.turned_by)
        return f"{here} under the assumptions it starts from, but {there} under {turns}"


@dataclass(frozen=True, slots=True)
class PolicyVerdicts:
    """The verdicts on one policy: `profiles` were judged, by `simulations` runs, for some cannot differ.

    `case` is what was simulated, and `run` is that of the base profile. `warnings` say what makes the figures less
    telling.
    """

    policy: Policy
    verdicts: tuple[Verdict, ...]
    case: Case
    run: Run
    profiles: int
    simulations: int
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every claim is proven or waived."""
        return all(verdict.passes for verdict in self.verdicts)

    @property
    def waiver_warnings(self) -> tuple[str, ...]:
        """A sentence on each waiver of a claim that holds."""
        held = (verdict for verdict in self.verdicts if verdict.ok and verdict.waiver is not None)
        return tuple(f"{verdict.claim.text}: {verdict.waiver_note}" for verdict in held)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Everything to warn about: the workload, and waivers that are no longer needed."""
        return (*self.warnings, *self.waiver_warnings)

    @property
    def figures(self) -> Figures:
        """The figures of the base profile's run; computed at each access."""
        return summarize(self.run)


@dataclass(frozen=True, slots=True)
class SkippedPolicy:
    """A policy that was not judged because its optional trace is not there."""

    policy: Policy
    reason: str


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on all policies, in the order in which they were given; `skipped` were not judged."""

    policies: tuple[PolicyVerdicts, ...]
    skipped: tuple[SkippedPolicy, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every claim of every policy that was judged is proven or waived.

        A claim that depends on an assumption is not proven. Judge `under="default"` to accept what holds under the
        default answers alone.
        """
        return all(policy.ok for policy in self.policies)

    def as_dict(self) -> dict[str, Plain]:
        """The verdicts as plain data for JSON; times in seconds, null where a time never came."""
        return {
            "ok": self.ok,
            "policies": [_policy_dict(policy) for policy in self.policies],
            "skipped": [{"file": skip.policy.source, "reason": skip.reason} for skip in self.skipped],
        }


def _policy_dict(found: PolicyVerdicts) -> Plain:
    policy = found.policy
    return {
        "file": policy.source,
        "description": policy.description,
        "ok": found.ok,
        "profiles": found.profiles,
        "simulations": found.simulations,
        "assumptions": dict(found.run.assumptions.as_choices()),
        "warnings": list(found.remarks),
        "claims": [
            _verdict_dict(name, verdict)
            for name, verdict in zip(claim_names(policy.claims), found.verdicts, strict=True)
        ],
    }


def _verdict_dict(name: str, verdict: Verdict) -> Plain:
    turns: list[Plain] = [
        {"assumptions": list(turn.changes), **_measured_dict(turn.measured)} for turn in verdict.turned_by
    ]
    return {
        "claim": verdict.claim.text,
        "name": name,
        "source": verdict.claim.source,
        "verdict": verdict.verdict,
        **_measured_dict(verdict.measured),
        "turned_by": [turn.text for turn in verdict.turned_by],
        "turns": turns,
        "note": verdict.note,
        "meaningful": not verdict.overloaded,
        "waiver": _waiver_dict(verdict),
    }


def _waiver_dict(verdict: Verdict) -> Plain:
    waiver = verdict.waiver
    if waiver is None:
        return None
    return {"reason": waiver.reason, "until": waiver.until.isoformat(), "expired": verdict.expired}


def _measured_dict(measured: Measured) -> dict[str, Plain]:
    value = measured.plain
    return {
        "measured": list(value) if isinstance(value, list) else value,
        "measured_text": measured.text,
        "detail": measured.detail,
        "job": measured.job,
        "at": thousandths(measured.at_ms),
    }


def changes(profile: Assumptions, base: Assumptions) -> tuple[str, ...]:
    """How a profile differs from the base one, such as ("A1=skip",)."""
    return tuple(
        f"{question.id}={getattr(profile, question.field)}"
        for question in QUESTIONS
        if getattr(profile, question.field) != getattr(base, question.field)
    )


def smallest(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The turns of which no part is a turn by itself, fewest changes first, in the order of the questions."""
    kept: list[Turn] = []
    for turn in sorted(turns, key=lambda turn: len(turn.changes)):
        if not any(set(known.changes) <= set(turn.changes) for known in kept):
            kept.append(turn)
    return tuple(kept)
