"""The claims that do not hold, for code scanning and annotations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quota_verifier.durations import format_duration
from quota_verifier.policy.names import claim_names
from quota_verifier.policy.places import Spots
from quota_verifier.policy.verdicts import PolicyVerdicts, Verdict, Verdicts
from quota_verifier.report.alerts import Alert, AlertRule, Alerts, paragraph, relative
from quota_verifier.report.verify_text import summary
from quota_verifier.words import dotted_name

_HELP = (
    "A claim of a policy file, judged by simulating the queue. docs/policies.md says what each measure is; "
    "`quota-shares verify` shows the timeline."
)


def verify_alerts(verdicts: Verdicts) -> Alerts:
    """Every claim that is not proven, waived ones among them, and every remark on a policy."""
    found = [alert for policy in verdicts.policies for alert in (*_claims(policy), *_remarks(policy))]
    return Alerts(tuple(found), summary(verdicts).plain)


def _claims(policy: PolicyVerdicts) -> Iterator[Alert]:
    spots = Spots(policy.policy)
    for name, verdict in zip(claim_names(policy.policy.claims), policy.verdicts, strict=True):
        if verdict.ok:
            continue
        spot = spots.of(verdict.claim)
        rule = _rule(policy, name, verdict.claim.text)
        file = relative(spot.file)
        yield Alert(
            rule=rule,
            level="note" if verdict.waived else "error",
            message=_message(verdict),
            file=file,
            line=spot.line,
            column=spot.column,
            key="\n".join((file, name)),
            waived=verdict.waiver_note if verdict.waived else "",
        )


def _remarks(policy: PolicyVerdicts) -> Iterator[Alert]:
    """Warnings about a policy file as a whole, and waivers that are no longer needed, where they stand."""
    file = relative(policy.policy.source)
    for text in policy.warnings:
        rule = AlertRule(_id(policy, "workload"), "What makes the figures less telling.", _HELP)
        yield Alert(rule, "warning", text, file, 1, 1, key="\n".join((file, text)))
    for verdict in policy.verdicts:
        if verdict.ok and verdict.waiver is not None:
            where, _, line = verdict.waiver.source.rpartition(":")
            rule = AlertRule(_id(policy, "waiver"), "A waiver is needed.", _HELP)
            text = f"{verdict.claim.text}: {verdict.waiver_note}"
            yield Alert(rule, "warning", text, file, int(line) if where else 1, 1, key="\n".join((file, text)))


def _rule(policy: PolicyVerdicts, name: str, text: str) -> AlertRule:
    about = policy.policy.description
    return AlertRule(_id(policy, name), text, f"{about}. {_HELP}" if about else _HELP)


def _id(policy: PolicyVerdicts, name: str) -> str:
    return f"{dotted_name(Path(policy.policy.source).stem)}.{name}"


def _message(verdict: Verdict) -> str:
    """The claim, what it came to, and where to look."""
    outcome = "fails" if verdict.verdict == "fails" else "depends on what AWS leaves open"
    failing = verdict.turned_by[0].measured if verdict.measured.holds else verdict.measured
    when = "" if failing.at_ms is None else f" around {format_duration(failing.at_ms)}"
    worst = f"worst job: {failing.job}{when}" if failing.job is not None else ""
    return paragraph(
        (
            f"{verdict.claim.text}: {outcome}, measured {verdict.measured.text}",
            verdict.waiver_note,
            verdict.note,
            verdict.overload_note,
            failing.detail,
            worst,
        )
    )
