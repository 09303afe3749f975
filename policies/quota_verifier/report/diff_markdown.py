"""The report of `diff` as Markdown for a pull request: tables, and what is long folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from quota_verifier.diff.check import ChangeReport
from quota_verifier.diff.measures import Measures
from quota_verifier.diff.trial import Changed, Experiment
from quota_verifier.durations import format_duration
from quota_verifier.lint.results import Finding
from quota_verifier.report.diff_figures import SAME, Compared, Figure, compared, told
from quota_verifier.report.diff_words import (
    MOST_LISTED,
    aftermath_summary,
    at_text,
    eligible_texts,
    fate,
    kind,
    label,
    order_texts,
    preemption_text,
    property_texts,
    told_changes,
)
from quota_verifier.report.findings_text import counts, not_checked_texts
from quota_verifier.report.numbers import NONE
from quota_verifier.report.provenance_text import assumptions_line, timing_line, workload_lines
from quota_verifier.report.timeline import timeline

MARK = "<!-- quota-shares diff -->"
"""The first line, by which a workflow finds the comment that it wrote before."""

TIMELINE_EVENTS = 30

_UNITS = " (lost work in instance-hours)"

_SPECIAL = re.compile(r"[\\`*_|<&\[\]#~@]")
_HTML = {"<": "&lt;", "&": "&amp;", "@": "&#64;", "#": "&#35;"}
"""Written as entities: Markdown would read a tag, a mention or an issue in them."""


def diff_markdown(report: ChangeReport, tried: Experiment | None = None) -> str:
    """The report about a change, with what a workload makes of it; the same text for the same input."""
    return "\n".join(_lines(report, tried)) + "\n"


def _lines(report: ChangeReport, tried: Experiment | None) -> Iterator[str]:
    old, new = report.comparison.old.source, report.comparison.new.source
    yield MARK
    yield "### What this change does to running work"
    yield ""
    yield f"**{counts(report.findings, len(report.waived))}**, deploying {code(new)} over {code(old)}"
    if report.findings:
        yield ""
        yield from table(("", "rule", "resource", "finding"), map(_finding, report.findings))
    if report.not_checked:
        yield ""
        yield "Not checked:"
        yield ""
        yield from (f"- {prose(text)}" for text in not_checked_texts(report.not_checked))
    yield from _changes(report)
    if tried is not None:
        yield from _experiment(tried)


def _finding(finding: Finding) -> tuple[str, ...]:
    severity = f"**{finding.severity.value}**" if finding.severity == "error" else finding.severity.value
    place = f"{code(finding.logical_id)} {code(finding.where)}" if finding.where else code(finding.logical_id)
    fix = f" *Fix:* {prose(finding.fix)}." if finding.fix else ""
    return severity, finding.rule, place, f"{prose(finding.message)}.{fix}"


def _changes(report: ChangeReport) -> Iterator[str]:
    changes = told_changes(report.comparison)
    if not changes:
        return
    rows = [
        (
            code(label(change)),
            kind(change),
            fate(report.comparison, change),
            "<br>".join(map(prose, property_texts(change))),
        )
        for change in changes
    ]
    order = [f"{name.capitalize()} in this order: {ids}" for name, ids in order_texts(report.comparison)]
    yield from folded(
        f"{len(changes)} resource{'s' * (len(changes) > 1)} changed",
        [*table(("resource", "type", "fate", "properties"), rows), *(line for text in order for line in ("", text))],
    )


def _experiment(of: Experiment) -> Iterator[str]:
    yield ""
    yield "### The same workload under both"
    yield ""
    yield f"{code(of.workload.source)}: {prose(', '.join(workload_lines(of.workload)))}"
    for note in of.notes:
        yield ""
        yield f"> {prose(note)}."
    rows = list(compared(of))
    if of.new is not None:
        yield from ("", f"OLD throughout, and NEW throughout{_UNITS}:", "")
        yield from _comparison([(row, row.new) for row in rows])
    if of.changed is not None:
        yield from ("", f"OLD throughout, and OLD that becomes NEW {at_text(of)}{_UNITS}:", "")
        yield from _comparison([(row, row.changed) for row in rows])
        yield from _moment(of.changed)
    if of.new is None:
        yield ""
        yield from _comparison([(row, row.old) for row in rows])
    yield from folded(
        "How it was run", [f"- timing: {timing_line(of.timing)}", f"- assumptions: {assumptions_line(of.assumptions)}"]
    )


def _comparison(pairs: Sequence[tuple[Compared, Measures | None]]) -> Iterator[str]:
    figures = told(run for row, other in pairs for run in (row.old, other))
    rows = [(prose(row.name), *(_cell(figure, row.old, other) for figure in figures)) for row, other in pairs]
    yield from table(("share", *(figure.label for figure in figures)), rows, left=1)


def _cell(figure: Figure, old: Measures, new: Measures | None) -> str:
    """`5m`, or `5m → 7m (+2m)` where it differs."""
    change = figure.change(old, new)
    if change in (SAME, NONE) and figure.text(old) == figure.text(new):
        return figure.text(old)
    told = "" if change == NONE else f" ({change})"
    return f"{figure.text(old)} → {figure.text(new)}{told}"


def _moment(changed: Changed) -> Iterator[str]:
    at, after = changed.moment, changed.aftermath
    yield from ("", f"At {format_duration(at.at_ms)}, just after the change, with {at.waiting} waiting:", "")
    yield from table(
        ("share", "unit", "held", "limit", "above", "borrowed", "over limit", "preemptible"),
        [
            (
                prose(one.share),
                prose(one.unit),
                str(one.held),
                str(one.new_limit) if one.old_limit == one.new_limit else f"{one.old_limit} → {one.new_limit}",
                str(one.above),
                str(one.borrowed),
                str(one.over_limit),
                f"**+{one.preemptible}**" if one.preemptible else "0",
            )
            for one in at.held
        ],
        left=2,
    )
    yield ""
    yield from (f"- {prose(text)}" for text in eligible_texts(at))
    yield f"- {aftermath_summary(after)}"
    for one in after.because[:MOST_LISTED]:
        yield f"  - {format_duration(one.at_ms)}: {prose(preemption_text(one))}"
    if len(after.because) > MOST_LISTED:
        yield f"  - and {len(after.because) - MOST_LISTED} more"
    lines = timeline(changed.trial.run, at.at_ms, max_rows=TIMELINE_EVENTS).splitlines()
    yield from folded(f"Timeline around {format_duration(at.at_ms)}", fenced(lines))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int | None = None) -> Iterator[str]:
    """A Markdown table; columns after the first `left` are aligned to the right."""
    yield f"| {' | '.join(headings)} |"
    yield f"|{'|'.join('---:' if left is not None and place >= left else '---' for place in range(len(headings)))}|"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def folded(summary: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines that show once somebody opens them."""
    yield from ("", "<details>", f"<summary>{prose(summary)}</summary>", "", *lines, "", "</details>")


def fenced(lines: Sequence[str]) -> Iterator[str]:
    """Lines shown as they are, whatever backticks are in them."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (f"{fence}text", *lines, fence)


def prose(text: str) -> str:
    """Text that Markdown shows as it is, also in a cell of a table."""
    flat = " ".join(text.split())
    return _SPECIAL.sub(lambda match: _HTML.get(match[0], f"\\{match[0]}"), flat)


def code(text: str) -> str:
    """Text as code, in a cell of a table too."""
    flat = " ".join(text.split()).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"
