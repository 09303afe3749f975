"""The report of `workload`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.report.load import load_words
from quota_verifier.report.numbers import counted, decimal, short_duration
from quota_verifier.report.text import columns, facts, heading, title
from quota_verifier.report.workload_document import WorkloadDocument
from quota_verifier.workload.load import UnitLoad


def workload_report(document: WorkloadDocument, loads: Sequence[UnitLoad]) -> Iterator[RenderableType]:
    """The report about a workload: its rows, how they were read, its load, its shares."""
    rows = sum(document["skipped"].values()) + document["censored"] + document["merged"]
    yield title("workload", document["source"])
    yield facts(
        [
            ("jobs", str(document["jobs"])),
            *([("updates", str(document["updates"]))] if document["updates"] else []),
            *([("rows", _account(document, rows))] if rows or document["copied"] else []),
            ("work", f"{decimal(Fraction(str(document['instance_seconds'])))} instance-seconds"),
            ("span", short_duration(Fraction(str(document["span"])) * 1000)),
            ("load", load_words(loads)),
            *document["rules"].items(),
        ]
    )
    yield Text()
    yield heading("Shares")
    yield columns(
        ("share", "jobs", "instance-seconds"),
        [
            (name, str(share["jobs"]), decimal(Fraction(str(share["instance_seconds"]))))
            for name, share in document["shares"].items()
        ],
    )


def _account(document: WorkloadDocument, rest: int) -> str:
    source = document["jobs"] - document["copied"] + rest
    lines = [f"{counted(source, 'row')} in the source, {rest} of them no job here"]
    lines += [f"{count} skipped: {reason}" for reason, count in document["skipped"].items()]
    if document["censored"]:
        lines.append(f"{document['censored']} left out, whose end the source does not tell")
    if document["merged"]:
        lines.append(f"{document['merged']} merged into another job")
    if document["copied"]:
        lines.append(f"{document['copied']} jobs are copies, to scale the load")
    return "\n".join(lines)
