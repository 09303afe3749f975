"""The document of `verify`: every claim of every policy file, with its verdict and the numbers behind it."""

from __future__ import annotations

from typing import Literal, cast

from typing_extensions import TypedDict

from quota_verifier.model import Queue
from quota_verifier.policy.verdicts import Verdicts
from quota_verifier.report.provenance import version
from quota_verifier.template import queue_document

MeasuredValue = str | int | float | list[str] | None
"""Seconds, a count, a ratio, a state or job ids; null where a time never came."""


class TurnDocument(TypedDict):
    """Answers that turn a claim together, and what it comes to under them."""

    assumptions: list[str]
    measured: MeasuredValue
    measured_text: str
    detail: str
    job: str | None
    at: float | None


class WaiverDocument(TypedDict):
    """What the policy file says of a claim that may fail for now; `until` is its last day."""

    reason: str
    until: str
    expired: bool


class ClaimDocument(TypedDict):
    """A claim, and the name to waive it by.

    `measured` is under the answers it starts from; `job` is the worst one, `at` when to look. A claim on
    waits is not `meaningful` where more work is offered than its units can do.
    """

    claim: str
    name: str
    source: str
    verdict: Literal["holds", "fails", "depends"]
    measured: MeasuredValue
    measured_text: str
    detail: str
    job: str | None
    at: float | None
    turned_by: list[str]
    turns: list[TurnDocument]
    note: str
    meaningful: bool
    waiver: WaiverDocument | None


class PolicyDocument(TypedDict):
    """A policy file; `profiles` sets of assumptions were judged, by `simulations` runs."""

    file: str
    description: str
    ok: bool
    profiles: int
    simulations: int
    assumptions: dict[str, str]
    warnings: list[str]
    claims: list[ClaimDocument]


class SkippedDocument(TypedDict):
    """A policy file that was not judged because its optional trace is not there."""

    file: str
    reason: str


class VerifyDocument(TypedDict):
    """What `quota-shares verify --json` prints. `ok` means that every claim holds or is waived.

    `queues` are those that were judged, as queue files: what `quota-shares drift --verified` compares.
    """

    version: str
    source: str
    ok: bool
    queues: list[dict[str, object]]
    policies: list[PolicyDocument]
    skipped: list[SkippedDocument]


def verify_document(verdicts: Verdicts, source: str) -> VerifyDocument:
    """The document about `verdicts` on the queue of the file `source`."""
    found = cast("VerifyDocument", verdicts.as_dict())
    return {
        "version": version(),
        "source": source,
        "ok": found["ok"],
        "queues": [queue_document(queue) for queue in _queues(verdicts)],
        "policies": found["policies"],
        "skipped": found["skipped"],
    }


def _queues(verdicts: Verdicts) -> list[Queue]:
    """The queues that were judged, each once, in the order of the policies."""
    found: list[Queue] = []
    for policy in verdicts.policies:
        if policy.case.queue not in found:
            found.append(policy.case.queue)
    return found
