"""The report of `verify`: policy by policy, claim by claim, and for what does not hold where to look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.policy.verdicts import Evidence, Judgement, PolicyVerdicts, Verdict, Verdicts
from quota_verifier.report.numbers import counted
from quota_verifier.report.provenance_text import timing_line
from quota_verifier.report.text import indented, row, title
from quota_verifier.scheduler import Timing

_MARKS: dict[Judgement, tuple[str, str]] = {
    "holds": ("holds", "green"),
    "fails": ("FAILS", "bold red"),
    "depends": ("depends", "yellow"),
}
_INDENT = 2
_MARK_WIDTH = 9
_CLAIM_WIDTH = 50


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
    claims = [verdict.verdict for policy in verdicts.policies for verdict in policy.verdicts]
    count = Counter(claims)
    parts = [
        (count["holds"], "holds" if count["holds"] == 1 else "hold"),
        (count["fails"], "fails" if count["fails"] == 1 else "fail"),
        (count["depends"], "depends" if count["depends"] == 1 else "depend"),
    ]
    parts.append((len(verdicts.skipped), "skipped"))
    said = ", ".join(f"{number} {verb}" for number, verb in parts if number)
    policies = counted(len(verdicts.policies), "policy", "policies")
    return Text(f"{policies}, {counted(len(claims), 'claim')}: {said or 'nothing to judge'}", "bold green" if verdicts.ok else "bold red")


def _policy(found: PolicyVerdicts) -> Iterator[RenderableType]:
    policy, run = found.policy, found.run
    yield title(policy.source, policy.description)
    delays = "" if run.timing == Timing() else f", {timing_line(run.timing)}"
    answers = f", {', '.join(run.assumptions.deviations)}" if run.assumptions.deviations else ""
    profiles = counted(found.profiles, "assumption profile")
    yield indented(Text(f"{counted(len(run.jobs), 'job')}{delays}{answers}, under {profiles}", "dim"))
    width = max(len(verdict.claim.text) for verdict in found.verdicts)
    for verdict in found.verdicts:
        yield from _claim(verdict, min(width, _CLAIM_WIDTH))


def _claim(verdict: Verdict, width: int) -> Iterator[RenderableType]:
    mark, style = _MARKS[verdict.verdict]
    yield row((Text(mark, style), verdict.claim.text, verdict.measured.text), (_MARK_WIDTH, width + 2), _INDENT)
    for line in (verdict.note, "" if verdict.ok else verdict.measured.detail):
        if line:
            yield indented(line, _INDENT + _MARK_WIDTH)
    if verdict.evidence is not None:
        yield from _evidence(verdict.evidence)


def _evidence(evidence: Evidence) -> Iterator[RenderableType]:
    if evidence.job is not None:
        yield indented(f"worst job: {evidence.job}", _INDENT + _MARK_WIDTH)
