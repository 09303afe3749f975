"""A claim that is not proven, as a finding: in words, with its figures, a name to acknowledge it by, and a fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from quota_shares.validation.advice import advice
from quota_shares.validation.assembly import Assembly, shown
from quota_shares.validation.evidence import EvidenceRuns
from quota_shares.validation.findings import Blamed, Finding, rule_name
from quota_shares.validation.policies import QueueUnderPolicy
from quota_shares.validation.timeline import timeline
from quota_verifier.policy.measured import Measured
from quota_verifier.policy.names import claim_names
from quota_verifier.policy.verdicts import PolicyVerdicts, Verdict
from quota_verifier.template import shares_of

_INDENT = "   "


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on the policy of a file."""

    queue: QueueUnderPolicy
    file: Path
    verdicts: PolicyVerdicts


def shares_by_name(queue: QueueUnderPolicy, assembly: Assembly) -> dict[str, Blamed]:
    """The queue's shares as findings name them."""
    stack = queue.loaded.stack
    return {
        str(share.name): assembly.blamed(stack, share.logical_id)
        for share in shares_of(queue.loaded.template, queue.resource)
    }


def claim_findings(judged: Judged, shares: Mapping[str, Blamed]) -> Iterator[Finding]:
    """A finding for each claim that is not proven, and one for what makes the policy's figures less telling."""
    runs = EvidenceRuns()
    names = claim_names([verdict.claim for verdict in judged.verdicts.verdicts])
    for name, verdict in zip(names, judged.verdicts.verdicts, strict=True):
        blamed = _blamed(judged, verdict, shares)
        if verdict.waived or (verdict.ok and verdict.waiver is not None):
            yield _waiver_finding(judged, name, verdict, blamed)
        elif not verdict.ok:
            yield _finding(judged, name, verdict, blamed, runs)
    if judged.verdicts.warnings:
        yield Finding(
            rule=rule_name(judged.file.stem, "workload"),
            severity="warning",
            description=f"{shown(judged.file)}: {'; '.join(judged.verdicts.warnings)}",
            blamed=judged.queue.blamed,
            metadata={"policy": shown(judged.file)},
        )


def _waiver_finding(judged: Judged, name: str, verdict: Verdict, blamed: Blamed) -> Finding:
    """A claim that the policy file lets fail for now, or a waiver of one that holds."""
    outcome = "" if verdict.ok else f" {_outcome(verdict)}, measured {verdict.measured.text};"
    return Finding(
        rule=rule_name(judged.file.stem, name if verdict.waived else f"{name}-waiver"),
        severity="info" if verdict.waived else "warning",
        description=f"{verdict.claim.text}:{outcome} {verdict.waiver_note}",
        blamed=blamed,
        fix="" if verdict.waived else f"remove it from {shown(judged.file)}",
        metadata=_metadata(verdict, verdict.claim.source or shown(judged.file)),
    )


def _finding(judged: Judged, name: str, verdict: Verdict, blamed: Blamed, runs: EvidenceRuns) -> Finding:
    claim = verdict.claim
    view = None if verdict.evidence is None else runs.of(verdict.evidence)
    place = claim.source or shown(judged.file)
    lines = [f"{claim.text}: {_outcome(verdict)}, measured {verdict.measured.text}"]
    lines += [line for line in (verdict.waiver_note, verdict.note, _failing(verdict).detail) if line]
    if verdict.evidence is not None and view is not None:
        lines += timeline(view, verdict.evidence, judged.verdicts.run.assumptions)
    declared = f", declared at {blamed.source}" if blamed.source else ""
    lines.append(f"Claimed at {place}{declared}")
    return Finding(
        rule=f"{rule_name(judged.file.stem)}.{name}",
        severity="error",
        description=f"\n{_INDENT}".join(lines),
        blamed=blamed,
        fix="\n".join((*advice(judged.verdicts.policy, verdict, view), _whole_report(judged))),
        metadata=_metadata(verdict, place),
    )


def _failing(verdict: Verdict) -> Measured:
    """What the claim comes to in the run of its evidence."""
    return verdict.turned_by[0].measured if verdict.measured.holds and verdict.turned_by else verdict.measured


def _outcome(verdict: Verdict) -> str:
    return "fails" if verdict.verdict == "fails" else "depends on what AWS leaves open"


def _blamed(judged: Judged, verdict: Verdict, shares: Mapping[str, Blamed]) -> Blamed:
    """The share that the claim is about, else the queue."""
    subject = verdict.claim.subject
    name = subject.share
    if subject.job is not None:
        name = next((job.share for job in judged.verdicts.run.jobs if job.id == subject.job), None)
    return shares.get(name or "", judged.queue.blamed)


def _whole_report(judged: Judged) -> str:
    queue = judged.queue
    choice = f" --queue {queue.resource.logical_id}" if len(queue.loaded.queues) > 1 else ""
    template, policy = shown(queue.loaded.stack.file), shown(judged.file)
    return f"See the whole report: quota-shares verify {template}{choice} --policy {policy}"


def _metadata(verdict: Verdict, place: str) -> dict[str, str]:
    failing = _failing(verdict)
    found = {
        "claim": verdict.claim.text,
        "policy": place,
        "verdict": verdict.verdict,
        "measured": verdict.measured.text,
        "detail": failing.detail,
        "job": failing.job or "",
        "turned_by": "; ".join(turn.text for turn in verdict.turned_by),
    }
    return {key: value for key, value in found.items() if value}
