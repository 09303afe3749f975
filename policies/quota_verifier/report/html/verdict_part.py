"""Verdicts as the page shows them: each claim with its mark, what it came to, what turns it and where to look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from quota_verifier.durations import format_duration
from quota_verifier.policy.verdicts import Evidence, Judgement, PolicyVerdicts, Verdict, Verdicts, changes
from quota_verifier.report.numbers import counted
from quota_verifier.report.provenance_text import assumptions_line, timing_line
from quota_verifier.report.record import Report
from quota_verifier.report.timeline import timeline
from quota_verifier.scheduler import Assumptions, Run
from quota_verifier.scheduler.assumptions import QUESTIONS

Standing = Judgement | Literal["waived"]

MOST_EVENTS = 12
"""Events that the timeline of a claim shows, as many as fit beside it."""

_QUESTION = {question.id: question for question in QUESTIONS}


@dataclass(frozen=True, slots=True)
class TurnRow:
    """Answers that turn a claim: `A1=skip`, the open question in words, and what the claim comes to under them."""

    answers: str
    questions: str
    measured: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim. `where` is the worst job and the instant, `timeline` what happened around it; empty where none is."""

    claim: str
    standing: Standing
    measured: str
    notes: tuple[str, ...]
    turns: tuple[TurnRow, ...]
    base: str
    where: str
    timeline: str


@dataclass(frozen=True, slots=True)
class PolicyPart:
    """A policy file: `about` says how it was judged, `summary` what came out.

    `run` is the position of the run of its base profile among those of the report.
    """

    source: str
    description: str
    about: str
    summary: str
    run: int
    claims: tuple[ClaimRow, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkippedPart:
    """A policy that was not judged."""

    source: str
    description: str
    reason: str


@dataclass(frozen=True, slots=True)
class VerdictPart:
    """All verdicts: the headline, the counts behind it, and the policies in order."""

    ok: bool
    headline: str
    counts: tuple[tuple[Standing, str], ...]
    policies: tuple[PolicyPart, ...]
    skipped: tuple[SkippedPart, ...]


def verdict_part(report: Report, verdicts: Verdicts) -> VerdictPart:
    """What the page shows of `verdicts`. Simulates again where a claim fails under answers whose run was not kept."""
    runs = [told.run for told in report.runs]
    standings = Counter[Standing](_standing(verdict) for policy in verdicts.policies for verdict in policy.verdicts)
    order: tuple[Standing, ...] = ("fails", "depends", "waived", "holds")
    return VerdictPart(
        ok=verdicts.ok,
        headline=_headline(verdicts, standings),
        counts=tuple((standing, _count(standing, standings[standing])) for standing in order if standings[standing]),
        policies=tuple(_policy(found, runs) for found in verdicts.policies),
        skipped=tuple(SkippedPart(s.policy.source, s.policy.description, s.reason) for s in verdicts.skipped),
    )


def _count(standing: Standing, count: int) -> str:
    """`1 fails`, `2 fail`, `2 waived`."""
    verb = standing.removesuffix("s") if count > 1 and standing != "waived" else standing
    return f"{count} {verb}"


def _headline(verdicts: Verdicts, standings: Counter[Standing]) -> str:
    total = sum(standings.values())
    if not total:
        return "No claim was judged"
    if standings["holds"] == total:
        return "The claim holds" if total == 1 else f"All {total} claims hold"
    unproven = standings["fails"] + standings["depends"]
    if not unproven:
        return f"{standings['holds']} of {total} claims hold, the rest is waived"
    return f"{unproven} of {counted(total, 'claim')} {'is' if unproven == 1 else 'are'} not proven"


def _policy(found: PolicyVerdicts, runs: list[Run]) -> PolicyPart:
    run, profiles = found.run, counted(found.profiles, "assumption profile")
    timelines = _Timelines(run.assumptions)
    about = f"{counted(len(run.jobs), 'job')} · {timing_line(run.timing)} · {assumptions_line(run.assumptions)}"
    return PolicyPart(
        source=found.policy.source,
        description=found.policy.description,
        about=f"{about} · judged under {profiles}",
        summary=_summary(found),
        run=next(place for place, known in enumerate(runs) if known is run),
        claims=tuple(_claim(verdict, timelines) for verdict in found.verdicts),
        warnings=found.remarks,
    )


def _summary(found: PolicyVerdicts) -> str:
    """`7 of 8 claims hold`."""
    hold = sum(verdict.ok for verdict in found.verdicts)
    total = len(found.verdicts)
    return f"{hold} of {counted(total, 'claim')} {'holds' if hold == 1 else 'hold'}"


def _claim(verdict: Verdict, timelines: _Timelines) -> ClaimRow:
    waiver = "" if verdict.ok else verdict.waiver_note
    notes = (waiver, verdict.overload_note, "" if verdict.ok else verdict.measured.detail)
    evidence = None if verdict.waived else verdict.evidence
    where, text = ("", "") if evidence is None else timelines.of(evidence)
    return ClaimRow(
        claim=verdict.claim.text,
        standing=_standing(verdict),
        measured=verdict.measured.text,
        notes=tuple(note for note in notes if note),
        turns=tuple(TurnRow(turn.text, _questions(turn.changes), turn.measured.text) for turn in verdict.turned_by),
        base="holds" if verdict.measured.holds else "fails",
        where=where,
        timeline=text,
    )


def _questions(answers: tuple[str, ...]) -> str:
    return "; ".join(_QUESTION[answer.partition("=")[0]].text for answer in answers)


def _standing(verdict: Verdict) -> Standing:
    return "waived" if verdict.waived else verdict.verdict


class _Timelines:
    """The timelines of one policy; a run that was not kept is simulated once more for all of its claims."""

    def __init__(self, base: Assumptions) -> None:
        self._base = base
        self._runs: dict[Assumptions, Run] = {}

    def of(self, evidence: Evidence) -> tuple[str, str]:
        """Whom and when to look at, and what happened around it."""
        worst = f"worst job: {evidence.job}" if evidence.job is not None else ""
        answers = ", ".join(changes(evidence.assumptions, self._base))
        under = f"under {answers}" if answers else ""
        if evidence.at_ms is None:
            return ", ".join(part for part in (worst, under) if part), ""
        around = f"around {format_duration(evidence.at_ms)}"
        where = ", ".join(part for part in (worst, around, under) if part)
        return where, timeline(self._run(evidence), evidence.at_ms, max_rows=MOST_EVENTS)

    def _run(self, evidence: Evidence) -> Run:
        run = self._runs.get(evidence.assumptions)
        if run is None:
            run = self._runs[evidence.assumptions] = evidence.run
        return run
