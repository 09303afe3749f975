"""The document of `explain`: where a job stands and why, what would unblock it, when it starts, who was preempted.

Times are seconds with milliseconds, null where there is none; capacity is in instances.
"""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from quota_verifier.explain.account import UnitAccount, Why
from quota_verifier.explain.changes import ChangeKind
from quota_verifier.explain.explain import Explanation, Link
from quota_verifier.explain.holders import UnitHolding
from quota_verifier.explain.preemptions import Choice, Preemption
from quota_verifier.explain.remedies import Effect, Remedy
from quota_verifier.explain.standing import Standing
from quota_verifier.explain.starts import Interval, Under
from quota_verifier.report.provenance import Provenance, TimingDocument, provenance, timing_document
from quota_verifier.scheduler import Run
from quota_verifier.workload import Workload


class KeptDocument(TypedDict):
    """Free instances that the job's share does not see; `share` is null for capacity that no share owns."""

    share: str | None
    instances: int
    why: Why


class AccountDocument(TypedDict):
    """The numbers of one unit: asked D, used U, limit L, hard cap M (null is unlimited), free F, available V."""

    unit: str
    asked: int
    used: int
    limit: int
    hard_cap: int | None
    largest_job: int
    environment: int
    free: int
    being_released: int
    kept: list[KeptDocument]
    available: int


class LinkDocument(TypedDict):
    """A job and the one reason why it stands as it does; `rule` is null and `units` empty where it does not wait."""

    job: str
    share: str
    priority: int
    standing: Standing
    rule: str | None
    sentence: str
    units: list[AccountDocument]


class HeldJobDocument(TypedDict):
    """A job that holds capacity; `over_limit` of its instances lie above its share's limit."""

    job: str
    instances: int
    since: float
    priority: int
    over_limit: int
    stopping: bool


class ShareHoldingDocument(TypedDict):
    """What a share holds of a unit; `waiting` counts its waiting jobs, whatever they ask for."""

    share: str
    strategy: str
    limit: int
    used: int
    idle: int
    over_limit: int
    waiting: int
    jobs: list[HeldJobDocument]


class UnitHoldingDocument(TypedDict):
    """Who holds what of a unit."""

    unit: str
    environment: int
    free: int
    unassigned: int
    shares: list[ShareHoldingDocument]


class ElsewhereDocument(TypedDict):
    """Another unit on which the job would have started now."""

    unit: str
    available: int


class RemedyDocument(TypedDict):
    """A change that was tried in the simulation one millisecond after the instant, and what it did."""

    kind: ChangeKind
    change: str
    effect: Effect
    preempts: list[str]
    over_promised: list[str]


class StartDocument(TypedDict):
    """A start under one profile. `already`: it held capacity at the instant, since `start`, or was over by then."""

    profile: list[str]
    start: float | None
    already: bool
    ended: float | None
    end: str | None


class StartsDocument(TypedDict):
    """The start in this simulation, the earliest and the latest over the profiles, and those that differ from it."""

    expected: StartDocument
    profiles: int
    earliest: StartDocument
    latest: StartDocument
    different: list[StartDocument]


class CandidateDocument(TypedDict):
    """A job that could have been preempted, in the order of A7, and what became of it."""

    job: str
    share: str
    instances: int
    priority: int
    since: float
    over_limit: int
    lost_work: float
    choice: Choice


class PreemptionDocument(TypedDict):
    """One preemptor at one instant; `untouchable` counts the jobs on its units that were no candidates."""

    at: float
    job: str
    share: str
    priority: int
    rule: str
    lacking: list[str]
    victims: list[str]
    candidates: list[CandidateDocument]
    untouchable: int


class ExplanationDocument(TypedDict):
    """One job at one instant; `chain` is for whom it waits, up to the head, `blocks` how many wait for it."""

    at: float
    job: LinkDocument
    chain: list[LinkDocument]
    blocks: int
    holdings: list[UnitHoldingDocument]
    would_fit_on: list[ElsewhereDocument]
    unblock: list[RemedyDocument]
    starts: StartsDocument


class ExplainDocument(TypedDict):
    """What `quota-shares explain --json` prints; null what was not asked for."""

    provenance: Provenance
    timing: TimingDocument
    assumptions: dict[str, str]
    explanation: ExplanationDocument | None
    preemptions: list[PreemptionDocument] | None


def explain_document(
    run: Run, workload: Workload, explanation: Explanation | None, preempted: Sequence[Preemption] | None
) -> ExplainDocument:
    """The document about a job of `run`, about its preemptions, or about both."""
    return {
        "provenance": provenance(run, workload, None),
        "timing": timing_document(run.timing),
        "assumptions": run.assumptions.as_choices(),
        "explanation": None if explanation is None else explanation_part(explanation),
        "preemptions": None if preempted is None else [preemption_part(each) for each in preempted],
    }


def explanation_part(explanation: Explanation) -> ExplanationDocument:
    """One job at one instant."""
    return {
        "at": explanation.at_ms / 1000,
        "job": _link(explanation.link),
        "chain": [_link(link) for link in explanation.chain],
        "blocks": explanation.blocks,
        "holdings": [_holding(unit) for unit in explanation.holdings],
        "would_fit_on": [{"unit": unit, "available": room} for unit, room in explanation.elsewhere],
        "unblock": [_remedy(remedy) for remedy in explanation.remedies],
        "starts": _starts(explanation.starts),
    }


def preemption_part(each: Preemption) -> PreemptionDocument:
    """One preemption."""
    return {
        "at": each.at_ms / 1000,
        "job": each.job,
        "share": each.share,
        "priority": each.priority,
        "rule": each.rule,
        "lacking": list(each.lacking),
        "victims": list(each.victims),
        "candidates": [
            {
                "job": job.job,
                "share": job.share,
                "instances": job.instances,
                "priority": job.priority,
                "since": job.since_ms / 1000,
                "over_limit": job.over,
                "lost_work": job.lost_ms / 1000,
                "choice": job.choice,
            }
            for job in each.candidates
        ],
        "untouchable": each.untouchable,
    }


def _link(link: Link) -> LinkDocument:
    return {
        "job": link.job,
        "share": link.share,
        "priority": link.priority,
        "standing": link.standing,
        "rule": link.rule or None,
        "sentence": link.sentence,
        "units": [_account(unit) for unit in link.units],
    }


def _account(unit: UnitAccount) -> AccountDocument:
    return {
        "unit": unit.unit,
        "asked": unit.asked,
        "used": unit.used,
        "limit": unit.limit,
        "hard_cap": unit.cap,
        "largest_job": unit.largest,
        "environment": unit.environment,
        "free": unit.free,
        "being_released": unit.coming,
        "kept": [
            {"share": keeper.share or None, "instances": keeper.instances, "why": keeper.why} for keeper in unit.kept
        ],
        "available": unit.available,
    }


def _holding(unit: UnitHolding) -> UnitHoldingDocument:
    return {
        "unit": unit.unit,
        "environment": unit.environment,
        "free": unit.free,
        "unassigned": unit.unassigned,
        "shares": [
            {
                "share": share.share,
                "strategy": share.strategy,
                "limit": share.limit,
                "used": share.used,
                "idle": share.idle,
                "over_limit": share.over,
                "waiting": share.waiting,
                "jobs": [
                    {
                        "job": job.job,
                        "instances": job.instances,
                        "since": job.since_ms / 1000,
                        "priority": job.priority,
                        "over_limit": job.over,
                        "stopping": job.stopping,
                    }
                    for job in share.jobs
                ],
            }
            for share in unit.shares
        ],
    }


def _remedy(remedy: Remedy) -> RemedyDocument:
    return {
        "kind": remedy.kind,
        "change": remedy.text,
        "effect": remedy.effect,
        "preempts": list(remedy.preempts),
        "over_promised": list(remedy.over_promised),
    }


def _starts(starts: Interval) -> StartsDocument:
    return {
        "expected": _start(starts.starts[0]),
        "profiles": len(starts.starts),
        "earliest": _start(starts.earliest),
        "latest": _start(starts.latest),
        "different": [_start(under) for under in starts.turned],
    }


def _start(under: Under) -> StartDocument:
    start = under.start
    return {
        "profile": list(under.profile),
        "start": None if start.at_ms is None else start.at_ms / 1000,
        "already": start.already,
        "ended": None if start.ended_ms is None else start.ended_ms / 1000,
        "end": start.end or None,
    }
