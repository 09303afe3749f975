"""The report of `lint`: resource by resource, the worst first, then what could not be checked."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.lint import LintReport
from quota_verifier.report.findings_text import counts, not_checked_lines, resources_with_findings
from quota_verifier.report.numbers import counted
from quota_verifier.report.text import heading


def lint_report(report: LintReport) -> Iterator[RenderableType]:
    """The report about a file; its last line is the summary."""
    yield from resources_with_findings(report.findings)
    if report.not_checked:
        yield heading("Not checked")
        yield from not_checked_lines(report.not_checked)
        yield Text()
    yield summary(report)


def summary(report: LintReport) -> Text:
    """`39 rules: 1 error, 2 warnings, 3 notes, 1 waived`."""
    style = "bold red" if report.failed else "bold green"
    return Text(f"{counted(len(report.rules), 'rule')}: {counts(report.findings, len(report.waived))}", style)
