"""The report of `drift`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.aws.live.drift import Drift, differs
from quota_verifier.diff import ChangeReport
from quota_verifier.report.diff_text import diff_report
from quota_verifier.report.text import heading, indented, title


def drift_report(found: Drift) -> Iterator[RenderableType]:
    """What is deployed against what is declared and what was verified; the last line is the outcome."""
    yield title(f"queue {found.deployed.name}", found.deployed.source)
    yield from _against("Declared", found.declared)
    if found.record is not None and found.verified is not None:
        yield from _against("Verified", found.verified)
        if not found.record.ok:
            yield indented("Note: not every claim passed when this was verified.")
    yield Text()
    drifted = found.drifted
    yield Text("The deployed queue has drifted." if drifted else "No drift.", "bold red" if drifted else "bold green")


def _against(what: str, report: ChangeReport) -> Iterator[RenderableType]:
    yield Text()
    if not differs(report):
        yield heading(what, f"as deployed: {report.comparison.new.source}")
        return
    yield heading(what, "differs; deploying it would do this:")
    yield from diff_report(report)
