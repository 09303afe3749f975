"""The report of `lint`: resource by resource, the worst first, then what could not be checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.lint import Finding, LintReport, NotChecked, Severity
from quota_verifier.report.numbers import counted
from quota_verifier.report.text import heading, indented, row, title

_STYLES: dict[Severity, str] = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_INDENT, _SEVERITY_WIDTH, _RULE_WIDTH = 2, 9, 7


def lint_report(report: LintReport) -> Iterator[RenderableType]:
    """The report about a file; its last line is the summary."""
    for _, group in groupby(report.findings, key=lambda found: (found.file, found.logical_id)):
        yield from _resource(list(group))
        yield Text()
    if report.not_checked:
        yield heading("Not checked")
        yield from _not_checked(report.not_checked)
        yield Text()
    yield summary(report)


def _resource(findings: list[Finding]) -> Iterator[RenderableType]:
    first = findings[0]
    path = f" ({first.construct_path.removesuffix('/Resource')})" if first.construct_path else ""
    yield title(f"{first.logical_id}{path}", first.file)
    width = max(len(f"{finding.line}:{finding.column}") for finding in findings) + 2
    for finding in findings:
        severity = Text(finding.severity.value, _STYLES[finding.severity])
        place = Text(f"{finding.line}:{finding.column}", "dim")
        where = f"{finding.where}: " if finding.where else ""
        fix = f"\nfix: {finding.fix}" if finding.fix else ""
        cells = (severity, finding.rule, place, f"{where}{finding.message}{fix}")
        yield row(cells, (_SEVERITY_WIDTH, _RULE_WIDTH, width), _INDENT)


def _not_checked(notes: tuple[NotChecked, ...]) -> Iterator[RenderableType]:
    """One paragraph for each thing that is not known, with the rules that need it."""
    rules: dict[tuple[str, str, str, str], list[str]] = {}
    for note in notes:
        rules.setdefault((note.logical_id, note.where, note.reason, note.remedy), []).append(note.rule)
    for (logical_id, where, reason, remedy), needed_by in rules.items():
        place = f"{logical_id}, {where}" if where else logical_id
        mend = f"; {remedy}" if remedy else ""
        yield indented(f"{place}: {reason} ({', '.join(dict.fromkeys(needed_by))}){mend}")


def summary(report: LintReport) -> Text:
    """`39 rules: 1 error, 2 warnings, 3 notes, 1 waived`."""
    count = Counter(finding.severity for finding in report.findings)
    parts = [
        counted(count[severity], noun)
        for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note"))
        if count[severity]
    ]
    parts += [f"{len(report.waived)} waived"] if report.waived else []
    style = "bold red" if report.failed else "bold green"
    return Text(f"{counted(len(report.rules), 'rule')}: {', '.join(parts) or 'nothing found'}", style)
