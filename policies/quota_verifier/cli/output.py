"""Where output goes: one JSON document or a report to standard output, warnings to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from quota_verifier.report.alerts import Alerts


def print_json(document: Mapping[str, object]) -> None:
    """Print `document`, and nothing else, on standard output."""
    from quota_verifier.report.json_text import json_text

    sys.stdout.write(json_text(document))


def print_alerts(alerts: Alerts, form: str) -> None:
    """Print findings on standard output for a machine: `sarif`, or `github`."""
    if form == "sarif":
        from quota_verifier.report.sarif import sarif_text

        sys.stdout.write(sarif_text(alerts))
    else:
        from quota_verifier.report.github import annotation_text

        sys.stdout.write(annotation_text(alerts))


def print_report(parts: Iterable[RenderableType]) -> None:
    """Print a report on standard output: as wide as the terminal, 80 columns elsewhere."""
    from quota_verifier.report.text import console, written

    sys.stdout.write(written(console(sys.stdout), parts))


def warn(texts: Iterable[str]) -> None:
    """Print each text on one line of standard error."""
    for text in texts:
        print(f"warning: {' '.join(text.splitlines())}", file=sys.stderr)
