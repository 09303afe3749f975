"""The findings of `lint` for code scanning and annotations."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.lint import Finding, LintReport, Severity
from quota_verifier.lint.rule import Rule
from quota_verifier.report.alerts import Alert, AlertRule, Alerts, Level, relative
from quota_verifier.report.lint_text import summary

_LEVELS: Mapping[Severity, Level] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_WAIVED = "waived in the template's metadata (cfn-lint ignore_checks)"


def lint_alerts(report: LintReport) -> Alerts:
    """Every finding of `report`, those that the template waives among them."""
    rules = {rule.id: _rule(rule) for rule in report.rules}
    found = [_alert(finding, rules[finding.rule], "") for finding in report.findings]
    waived = [_alert(finding, rules[finding.rule], _WAIVED) for finding in report.waived]
    return Alerts((*found, *waived), summary(report).plain)


def _rule(rule: Rule) -> AlertRule:
    see = f" See {rule.page}." if rule.page else ""
    return AlertRule(rule.id, rule.title, f"{rule.why}{see}", rule.source)


def _alert(finding: Finding, rule: AlertRule, waived: str) -> Alert:
    subject = f"{finding.logical_id}, {finding.where}" if finding.where else finding.logical_id
    file = relative(finding.file)
    return Alert(
        rule=rule,
        level="note" if waived else _LEVELS[finding.severity],
        message=f"{subject}: {finding.sentence}",
        file=file,
        line=finding.line,
        column=finding.column,
        key="\n".join((file, finding.logical_id, finding.where)),
        waived=waived,
    )
