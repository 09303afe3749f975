"""The JSON document of a command as a report file: what `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO

from quota_verifier.report.json_text import json_text
from quota_verifier.report.record import Report
from quota_verifier.report.simulate_document import simulate_document
from quota_verifier.report.verify_document import verify_document


def write_json(report: Report, file: BinaryIO) -> None:
    """Write the document of `verify`, or of `simulate`."""
    document: Mapping[str, object]
    if report.verdicts is not None:
        document = verify_document(report.verdicts, report.source)
    else:
        (told,) = report.runs
        document = simulate_document(told.run, told.figures, told.workload, told.loads, told.until_ms, costs=told.costs)
    file.write(json_text(document).encode("ascii"))
