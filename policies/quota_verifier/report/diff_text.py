"""The report of `diff`: findings by resource, what changes, and the same workload before and after."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.diff.check import ChangeReport
from quota_verifier.diff.moment import Moment
from quota_verifier.diff.trial import Changed, Experiment
from quota_verifier.durations import format_duration
from quota_verifier.report.diff_figures import Compared, compared, told
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
from quota_verifier.report.findings_text import counts, not_checked_lines, resources_with_findings
from quota_verifier.report.provenance_text import assumptions_line, timing_line, workload_lines
from quota_verifier.report.text import columns, facts, heading, indented, row, title

_TIME_WIDTH = 10


def diff_report(report: ChangeReport, tried: Experiment | None = None) -> Iterator[RenderableType]:
    """The report about a change, with what a workload makes of it; the last line counts the findings."""
    yield title(f"{report.comparison.old.source} -> {report.comparison.new.source}", "")
    yield Text()
    yield from resources_with_findings(report.findings)
    yield from _changes(report)
    if report.not_checked:
        yield heading("Not checked")
        yield from not_checked_lines(report.not_checked)
        yield Text()
    if tried is not None:
        yield from _experiment(tried)
    yield Text(counts(report.findings, len(report.waived)), "bold red" if report.failed else "bold green")


def _changes(report: ChangeReport) -> Iterator[RenderableType]:
    changes = told_changes(report.comparison)
    yield heading("Changes", "" if changes else "none of a Batch resource")
    for change in changes:
        yield indented(f"{label(change)}  {kind(change)}  {fate(report.comparison, change)}")
        for text in property_texts(change):
            yield indented(text, 4)
    for name, order in order_texts(report.comparison):
        yield indented(f"{name} in this order: {order}")
    yield Text()


def _experiment(of: Experiment) -> Iterator[RenderableType]:
    yield heading("The same workload under both", "(lost work in instance-hours)")
    ends = [("old", of.old), *([("new", of.new)] if of.new else [])]
    ends += [(at_text(of), of.changed.trial)] if of.changed else []
    yield facts(
        [
            ("workload", Text(of.workload.source, no_wrap=True, overflow="ignore")),
            ("", "\n".join(workload_lines(of.workload))),
            ("ends", ", ".join(f"{name} {format_duration(trial.run.end_ms)}" for name, trial in ends)),
            ("timing", timing_line(of.timing)),
            ("assumptions", assumptions_line(of.assumptions)),
        ]
    )
    for note in of.notes:
        yield indented(f"Note: {note}.")
    yield Text()
    for share in compared(of):
        yield heading(share.name)
        yield _table(of, share)
        yield Text()
    if of.changed is not None:
        yield from _moment(of, of.changed)
        yield from _aftermath(of.changed)
        yield Text()


def _table(of: Experiment, share: Compared) -> RenderableType:
    headings = ["", "old"]
    headings += ["new", "change"] if of.new is not None else []
    headings += [at_text(of), "change"] if of.changed is not None else []
    rows: list[tuple[str, ...]] = []
    for figure in told((share.old, share.new, share.changed)):
        cells = [figure.label, figure.text(share.old)]
        cells += [figure.text(share.new), figure.change(share.old, share.new)] if of.new is not None else []
        cells += [figure.text(share.changed), figure.change(share.old, share.changed)] if of.changed else []
        rows.append(tuple(cells))
    return columns(headings, rows)


def _moment(of: Experiment, changed: Changed) -> Iterator[RenderableType]:
    at: Moment = changed.moment
    yield heading(f"At {format_duration(at.at_ms)}, just after the change", f"({at.waiting} waiting)")
    yield columns(
        ("share", "unit", "held", "limit", "above", "borrowed", "over limit", "preemptible"),
        [
            (
                one.share,
                one.unit,
                str(one.held),
                str(one.new_limit) if one.old_limit == one.new_limit else f"{one.old_limit} -> {one.new_limit}",
                str(one.above),
                str(one.borrowed),
                str(one.over_limit),
                f"+{one.preemptible}" if one.preemptible else "0",
            )
            for one in at.held
        ],
        left=2,
    )
    yield from (indented(text) for text in eligible_texts(at))
    yield Text()


def _aftermath(changed: Changed) -> Iterator[RenderableType]:
    after = changed.aftermath
    yield heading("Afterwards", f"({aftermath_summary(after)})")
    for one in after.because[:MOST_LISTED]:
        yield row((format_duration(one.at_ms), preemption_text(one)), (_TIME_WIDTH,))
    if len(after.because) > MOST_LISTED:
        yield indented(f"and {len(after.because) - MOST_LISTED} more; --json lists them all")
