"""The report of `verify`: policy by policy, claim by claim, and for what does not hold where to look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.durations import format_duration
from quota_verifier.policy.verdicts import Evidence, Judgement, PolicyVerdicts, Verdict, Verdicts, changes
from quota_verifier.report.numbers import counted
from quota_verifier.report.provenance_text import timing_line
from quota_verifier.report.text import indented, row, title
from quota_verifier.report.timeline import timeline
from quota_verifier.report.timeline_text import timeline_lines
from quota_verifier.scheduler import Assumptions, Run, Timing

_Standing = Judgement | Literal["waived"]
_MARKS: dict[_Standing, tuple[str, str]] = {
    "holds": ("holds", "green"),
    "fails": ("FAILS", "bold red"),
    "depends": ("depends", "yellow"),
    "waived": ("waived", "cyan"),
}
_INDENT = 2
_MARK_WIDTH = 9
_FURTHER = _INDENT + _MARK_WIDTH
_CLAIM_WIDTH = 50
_TIMELINE = 6
_MOST_EVENTS = 10


def verify_report(verdicts: Verdicts) -> Iterator[RenderableType]:
    """The report about all policies; its last line is the summary."""
    for policy in verdicts.policies:
        yield from _policy(policy)
        yield Text()
    for skip in verdicts.skipped:
        yield title(skip.policy.source, skip.policy.description)
        yield indented(f"not judged: {skip.reason}")
        yield Text()
    yield summary(verdicts)


def summary(verdicts: Verdicts) -> Text:
    """`3 policies, 9 claims: 7 hold, 1 fails, 1 depends`; policies that were not judged are counted apart."""
    claims = [_standing(verdict) for policy in verdicts.policies for verdict in policy.verdicts]
    count = Counter(claims)
    parts = [
        (count["holds"], "holds" if count["holds"] == 1 else "hold"),
        (count["fails"], "fails" if count["fails"] == 1 else "fail"),
        (count["depends"], "depends" if count["depends"] == 1 else "depend"),
    ]
    parts += [(count["waived"], "waived"), (len(verdicts.skipped), "skipped")]
    said = ", ".join(f"{number} {verb}" for number, verb in parts if number)
    policies = counted(len(verdicts.policies), "policy", "policies")
    return Text(
        f"{policies}, {counted(len(claims), 'claim')}: {said or 'nothing to judge'}",
        "bold green" if verdicts.ok else "bold red",
    )


def _policy(found: PolicyVerdicts) -> Iterator[RenderableType]:
    policy, run = found.policy, found.run
    yield title(policy.source, policy.description)
    delays = "" if run.timing == Timing() else f", {timing_line(run.timing)}"
    answers = f", {', '.join(run.assumptions.deviations)}" if run.assumptions.deviations else ""
    profiles = counted(found.profiles, "assumption profile")
    yield indented(Text(f"{counted(len(run.jobs), 'job')}{delays}{answers}, under {profiles}", "dim"))
    width = min(_CLAIM_WIDTH, max(len(verdict.claim.text) for verdict in found.verdicts))
    timelines = _Timelines(run.assumptions)
    for verdict in found.verdicts:
        yield from _claim(verdict, width)
        if verdict.evidence is not None and not verdict.waived:
            yield from timelines.of(verdict.evidence)


def claim_report(verdict: Verdict, base: Assumptions) -> Iterator[RenderableType]:
    """The report about one claim: what was measured and, where it does not hold, the timeline.

    `base` are the answers that its policy starts from.
    """
    yield from _claim(verdict, len(verdict.claim.text))
    if verdict.evidence is not None:
        yield from _Timelines(base).of(verdict.evidence)


def _claim(verdict: Verdict, width: int) -> Iterator[RenderableType]:
    mark, style = _MARKS[_standing(verdict)]
    yield row((Text(mark, style), verdict.claim.text, verdict.measured.text), (_MARK_WIDTH, width + 2), _INDENT)
    waiver = "" if verdict.ok else verdict.waiver_note
    for line in (waiver, verdict.overload_note, verdict.note, "" if verdict.ok else verdict.measured.detail):
        if line:
            yield indented(line, _FURTHER)


def _standing(verdict: Verdict) -> _Standing:
    return "waived" if verdict.waived else verdict.verdict


class _Timelines:
    """The timelines of one policy, each shown once; a run that was not kept is simulated once more for all."""

    def __init__(self, base: Assumptions) -> None:
        self._base = base
        self._runs: dict[Assumptions, Run] = {}
        self._shown: set[tuple[Assumptions, int]] = set()

    def of(self, evidence: Evidence) -> Iterator[RenderableType]:
        """What happened around the instant at which a claim fails; nothing where no instant is to blame."""
        worst = f"worst job: {evidence.job}" if evidence.job is not None else ""
        answers = ", ".join(changes(evidence.assumptions, self._base))
        under = f" under {answers}" if answers else ""
        if evidence.at_ms is None:
            if worst:
                yield indented(f"{worst}{under}", _FURTHER)
            return
        around = f"around {format_duration(evidence.at_ms)}{under}"
        key = (evidence.assumptions, evidence.at_ms)
        told = f"{around}, as told above" if key in self._shown else f"{around}:"
        yield indented(f"{worst}, {told}" if worst else told, _FURTHER)
        if key not in self._shown:
            self._shown.add(key)
            text = timeline(self._run(evidence), evidence.at_ms, max_rows=_MOST_EVENTS)
            yield from timeline_lines(text, _TIMELINE)

    def _run(self, evidence: Evidence) -> Run:
        run = self._runs.get(evidence.assumptions)
        if run is None:
            run = self._runs[evidence.assumptions] = evidence.run
        return run
