"""Findings as text, resource by resource, whatever rules they are of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.lint.results import Finding, NotChecked, Severity
from quota_verifier.report.numbers import counted
from quota_verifier.report.text import indented, row, title

_STYLES: dict[Severity, str] = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_NOUNS = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note"))
_INDENT, _SEVERITY_WIDTH, _RULE_WIDTH = 2, 9, 7


def resources_with_findings(findings: Iterable[Finding]) -> Iterator[RenderableType]:
    """The findings, those of one resource together, with a blank line after each resource."""
    for _, group in groupby(findings, key=lambda found: (found.file, found.logical_id)):
        yield from _resource(list(group))
        yield Text()


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


def not_checked_lines(notes: Iterable[NotChecked]) -> Iterator[RenderableType]:
    """One paragraph for each thing that is not known, with the rules that need it."""
    yield from (indented(text) for text in not_checked_texts(notes))


def not_checked_texts(notes: Iterable[NotChecked]) -> Iterator[str]:
    """`Vision, State: depends on parameter S (W9408); give --param S=VALUE`."""
    rules: dict[tuple[str, str, str, str], list[str]] = {}
    for note in notes:
        rules.setdefault((note.logical_id, note.where, note.reason, note.remedy), []).append(note.rule)
    for (logical_id, where, reason, remedy), needed_by in rules.items():
        place = f"{logical_id}, {where}" if where else logical_id
        mend = f"; {remedy}" if remedy else ""
        yield f"{place}: {reason} ({', '.join(dict.fromkeys(needed_by))}){mend}"


def counts(findings: Iterable[Finding], waived: int = 0) -> str:
    """`1 error, 2 warnings, 3 notes, 1 waived`, or `nothing found`."""
    count = Counter(finding.severity for finding in findings)
    parts = [counted(count[severity], noun) for severity, noun in _NOUNS if count[severity]]
    parts += [f"{waived} waived"] if waived else []
    return ", ".join(parts) or "nothing found"
