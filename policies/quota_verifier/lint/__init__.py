"""Static rules over templates: what a rule is, the shipped ones, rules of your own, and running them.

The rules themselves are in `quota_verifier.rules`, one folder each. Nothing here needs cfn-lint.
"""

from __future__ import annotations

from quota_verifier.lint.pack import shipped_rules
from quota_verifier.lint.results import Finding, NotChecked, Outcome, Result, Severity, Unknown, Violation, unknown
from quota_verifier.lint.rule import Rule
from quota_verifier.lint.run import LintReport, lint, lint_template, outcome, results

__all__ = [
    "Finding",
    "LintReport",
    "NotChecked",
    "Outcome",
    "Result",
    "Rule",
    "Severity",
    "Unknown",
    "Violation",
    "lint",
    "lint_template",
    "outcome",
    "results",
    "shipped_rules",
    "unknown",
]
