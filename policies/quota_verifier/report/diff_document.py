"""The document of `diff`: findings, what becomes of every resource, and what a workload makes of it."""

from __future__ import annotations

from typing_extensions import TypedDict

from quota_verifier.diff.changes import Change, Fate
from quota_verifier.diff.check import ChangeReport
from quota_verifier.diff.order import created, deleted
from quota_verifier.diff.trial import Experiment
from quota_verifier.diff.values import Difference
from quota_verifier.report.diff_experiment_document import ExperimentDocument, experiment_document
from quota_verifier.report.lint_document import (
    FindingDocument,
    NotCheckedDocument,
    finding_document,
    not_checked_document,
)
from quota_verifier.report.provenance import version
from quota_verifier.resource_schemas import schemas_source
from quota_verifier.template.unresolved import in_text


class PropertyChangeDocument(TypedDict):
    """A plain value; `changes` is null where only the deployment tells. Null is no value."""

    property: str
    old: str | None
    new: str | None
    changes: bool | None
    replaces: bool


class ChangeDocument(TypedDict):
    """A resource before and after; null where it is not there. `paired_by` says how the two were found."""

    type: str
    stack: str
    old_logical_id: str | None
    new_logical_id: str | None
    construct_path: str
    paired_by: str
    fate: Fate
    properties: list[PropertyChangeDocument]


class OrderDocument(TypedDict):
    """Logical ids in the order in which a deployment has to create what is new, and delete what goes."""

    created: list[str]
    deleted: list[str]


class DiffDocument(TypedDict):
    """What `quota-shares diff --json` prints. `schemas` says which registry schemas decided about replacements."""

    version: str
    old: str
    new: str
    schemas: str
    findings: list[FindingDocument]
    waived: list[FindingDocument]
    not_checked: list[NotCheckedDocument]
    changes: list[ChangeDocument]
    order: OrderDocument
    experiment: ExperimentDocument | None


def diff_document(report: ChangeReport, tried: Experiment | None = None) -> DiffDocument:
    """The document about a change, with what a workload makes of it."""
    comparison = report.comparison
    return {
        "version": version(),
        "old": comparison.old.source,
        "new": comparison.new.source,
        "schemas": schemas_source(),
        "findings": [finding_document(one) for one in report.findings],
        "waived": [finding_document(one) for one in report.waived],
        "not_checked": [not_checked_document(one) for one in report.not_checked],
        "changes": [_change(one) for one in comparison.changes if one.fate is not Fate.KEPT],
        "order": {
            "created": [one.pair.resource.logical_id for one in created(comparison)],
            "deleted": [(one.pair.old or one.pair.subject).resource.logical_id for one in deleted(comparison)],
        },
        "experiment": None if tried is None else experiment_document(tried),
    }


def _change(change: Change) -> ChangeDocument:
    old, new = change.pair.old, change.pair.new
    return {
        "type": change.type,
        "stack": change.pair.subject.stack.name,
        "old_logical_id": None if old is None else old.resource.logical_id,
        "new_logical_id": None if new is None else new.resource.logical_id,
        "construct_path": change.pair.resource.construct_path,
        "paired_by": change.pair.by,
        "fate": change.fate,
        "properties": [
            {
                "property": one.path,
                "old": None if one.old is None else in_text(one.old),
                "new": None if one.new is None else in_text(one.new),
                "changes": None if one.difference is Difference.OPEN else True,
                "replaces": one.replaces,
            }
            for one in change.properties
        ],
    }
