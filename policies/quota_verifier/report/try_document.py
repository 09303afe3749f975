"""The document of `try`: what becomes of one more job, whom it preempts, and who else fares differently."""

from __future__ import annotations

from typing_extensions import TypedDict

from quota_verifier.explain.trial import Answer, Changed, Trial
from quota_verifier.report.explain_document import (
    ExplanationDocument,
    PreemptionDocument,
    explanation_part,
    preemption_part,
)
from quota_verifier.report.provenance import Provenance, TimingDocument, provenance, timing_document
from quota_verifier.workload import Workload


class TriedDocument(TypedDict):
    """The job that was tried, in the words of workload files."""

    id: str
    share: str
    submit: float
    work: float
    demand: dict[str, int]
    priority: int


class FateDocument(TypedDict):
    """What becomes of a job, without the new one or with it."""

    preemptions: int
    first_start: float | None
    end: float | None


class ChangedDocument(TypedDict):
    """Another job that fares differently because of the new one."""

    job: str
    share: str
    without: FateDocument
    with_it: FateDocument


class TryDocument(TypedDict):
    """What `quota-shares try --json` prints."""

    provenance: Provenance
    timing: TimingDocument
    assumptions: dict[str, str]
    job: TriedDocument
    answer: Answer
    explanation: ExplanationDocument
    preempts: list[PreemptionDocument]
    others: list[ChangedDocument]


def try_document(trial: Trial, workload: Workload) -> TryDocument:
    """The document about a trial on top of `workload`."""
    run, job = trial.explanation.run, trial.job
    return {
        "provenance": provenance(run, workload, None),
        "timing": timing_document(run.timing),
        "assumptions": run.assumptions.as_choices(),
        "job": {
            "id": job.id,
            "share": job.share,
            "submit": job.submit_ms / 1000,
            "work": job.work_ms / 1000,
            "demand": dict(sorted(job.demand.items())),
            "priority": job.priority,
        },
        "answer": trial.answer,
        "explanation": explanation_part(trial.explanation),
        "preempts": [preemption_part(each) for each in trial.preempts],
        "others": [_changed(other) for other in trial.changed],
    }


def _changed(other: Changed) -> ChangedDocument:
    without, with_it = (
        FateDocument(
            preemptions=other.preemptions[which],
            first_start=_seconds(other.first_start[which]),
            end=_seconds(other.end[which]),
        )
        for which in (0, 1)
    )
    return {"job": other.job, "share": other.share, "without": without, "with_it": with_it}


def _seconds(ms: int | None) -> float | None:
    return None if ms is None else ms / 1000
