"""The JSON schemas of the documents that commands print, from the types they are built with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import TypeAdapter

from quota_verifier.report.bounds_document import BoundsDocument
from quota_verifier.report.calibrate_document import CalibrateDocument
from quota_verifier.report.diff_document import DiffDocument
from quota_verifier.report.drift_document import DriftDocument
from quota_verifier.report.explain_document import ExplainDocument
from quota_verifier.report.export_document import ExportDocument
from quota_verifier.report.import_document import ImportDocument
from quota_verifier.report.job_classes_document import JobClassesDocument
from quota_verifier.report.lint_document import LintDocument
from quota_verifier.report.prices_document import PricesDocument
from quota_verifier.report.search_document import SearchDocument
from quota_verifier.report.show_document import ShowDocument
from quota_verifier.report.simulate_document import SimulateDocument
from quota_verifier.report.sweep_document import SweepDocument
from quota_verifier.report.try_document import TryDocument
from quota_verifier.report.verify_document import VerifyDocument
from quota_verifier.report.workload_document import WorkloadDocument

DOCUMENTS: Mapping[str, type] = {
    "bounds": BoundsDocument,
    "calibrate": CalibrateDocument,
    "check-jobs": JobClassesDocument,
    "diff": DiffDocument,
    "drift": DriftDocument,
    "explain": ExplainDocument,
    "export": ExportDocument,
    "import": ImportDocument,
    "lint": LintDocument,
    "prices": PricesDocument,
    "search": SearchDocument,
    "show": ShowDocument,
    "simulate": SimulateDocument,
    "sweep": SweepDocument,
    "try": TryDocument,
    "verify": VerifyDocument,
    "workload": WorkloadDocument,
}
"""The document of each command that has one; a new command adds a row."""


def document_schema(command: str) -> dict[str, object]:
    """The schema of what `quota-shares COMMAND --json` prints. It admits further keys."""
    schema = cast("dict[str, object]", TypeAdapter(DOCUMENTS[command]).json_schema(mode="serialization"))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
