"""The document of `lint`: findings, what the template waives, and what could not be checked."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from quota_verifier.lint import Finding, LintReport, NotChecked


class FindingDocument(TypedDict):
    """A property that breaks a rule; `property` is empty for a resource as a whole, line and column start at 1."""

    rule: str
    severity: Literal["error", "warning", "info"]
    logical_id: str
    construct_path: str
    message: str
    fix: str
    property: str
    file: str
    line: int
    column: int


class NotCheckedDocument(TypedDict):
    """A property that a rule needs and the template leaves to the deployment."""

    rule: str
    logical_id: str
    construct_path: str
    property: str
    reason: str
    remedy: str


class LintDocument(TypedDict):
    """What `quota-shares lint --json` prints. `rules` is how many rules ran."""

    source: str
    rules: int
    findings: list[FindingDocument]
    waived: list[FindingDocument]
    not_checked: list[NotCheckedDocument]


def lint_document(report: LintReport) -> LintDocument:
    """The document about `report`."""
    return {
        "source": report.source,
        "rules": len(report.rules),
        "findings": [finding_document(finding) for finding in report.findings],
        "waived": [finding_document(finding) for finding in report.waived],
        "not_checked": [not_checked_document(note) for note in report.not_checked],
    }


def finding_document(finding: Finding) -> FindingDocument:
    """The document about a finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "logical_id": finding.logical_id,
        "construct_path": finding.construct_path,
        "message": finding.message,
        "fix": finding.fix,
        "property": finding.where,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
    }


def not_checked_document(note: NotChecked) -> NotCheckedDocument:
    """The document about what could not be checked."""
    return {
        "rule": note.rule,
        "logical_id": note.logical_id,
        "construct_path": note.construct_path,
        "property": note.where,
        "reason": note.reason,
        "remedy": note.remedy,
    }
