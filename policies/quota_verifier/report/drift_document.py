"""The document of `drift`: what deploying the declaration, or what was verified, would change."""

from __future__ import annotations

from typing_extensions import TypedDict

from quota_verifier.aws.live.drift import Drift, differs
from quota_verifier.report.diff_document import DiffDocument, diff_document
from quota_verifier.report.provenance import version


class VerifiedDocument(TypedDict):
    """A record of a verification: its file, whether every claim passed, and what differs from it."""

    source: str
    ok: bool
    differs: bool
    changes: DiffDocument


class DriftDocument(TypedDict):
    """What `quota-shares drift --json` prints. In the changes OLD is what is deployed."""

    version: str
    queue: str
    drifted: bool
    differs_from_declared: bool
    declared: DiffDocument
    verified: VerifiedDocument | None


def drift_document(found: Drift) -> DriftDocument:
    """The document about a comparison."""
    return {
        "version": version(),
        "queue": found.deployed.source,
        "drifted": found.drifted,
        "differs_from_declared": differs(found.declared),
        "declared": diff_document(found.declared),
        "verified": _verified(found),
    }


def _verified(found: Drift) -> VerifiedDocument | None:
    if found.record is None or found.verified is None:
        return None
    return {
        "source": found.record.source,
        "ok": found.record.ok,
        "differs": differs(found.verified),
        "changes": diff_document(found.verified),
    }
