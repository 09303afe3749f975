"""The document of `calibrate`: every profile that was tried, the best first, and what stays open."""

from __future__ import annotations

from typing_extensions import TypedDict

from quota_verifier.aws.live.calibrate import Calibration, Fit
from quota_verifier.aws.live.likeness import Miss, Prediction
from quota_verifier.report.import_document import MeasuredDocument, measured_document
from quota_verifier.report.provenance import TimingDocument, timing_document, version


class FitDocument(TypedDict):
    """A profile, as what differs from the defaults, and its errors over `starts` starts in seconds."""

    assumptions: list[str]
    as_best: bool
    wrong: int
    preemptions_off: int
    starts: int
    mean: float
    median: float
    p95: float
    worst: float


class QuestionDocument(TypedDict):
    """One open question: the answer that fits best, others that fit as well, and those that fit worse."""

    id: str
    text: str
    best: str
    alike: list[str]
    worse: list[str]


class ToldDocument(TypedDict):
    """When a job first and last started, in seconds from the first submission, and its preemptions."""

    first_start: float | None
    last_start: float | None
    preemptions: int


class MissDocument(TypedDict):
    """A job that the best profile tells wrong."""

    job: str
    name: str
    share: str
    real: ToldDocument
    predicted: ToldDocument


class CalibrateDocument(TypedDict):
    """What `quota-shares calibrate --json` prints. `default` is how the default answers fit."""

    version: str
    queue: str
    source: str
    jobs: int
    skipped: dict[str, int]
    measured: MeasuredDocument
    timing: TimingDocument
    tolerance: float
    default: FitDocument
    best: FitDocument
    profiles: list[FitDocument]
    questions: list[QuestionDocument]
    misses: list[MissDocument]


def calibrate_document(found: Calibration) -> CalibrateDocument:
    """The document about a calibration."""
    history = found.history
    reasons = sorted(skip.reason for skip in history.skipped)
    return {
        "version": version(),
        "queue": found.queue.name,
        "source": history.source,
        "jobs": len(history.jobs),
        "skipped": {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)},
        "measured": measured_document(found.measured),
        "timing": timing_document(found.timing),
        "tolerance": found.tolerance_ms / 1000,
        "default": _fit(found.first),
        "best": _fit(found.best),
        "profiles": [_fit(one) for one in found.fits],
        "questions": [
            {
                "id": one.id,
                "text": one.text,
                "best": one.best,
                "alike": list(one.alike),
                "worse": list(one.worse),
            }
            for one in found.questions
        ],
        "misses": [_miss(one) for one in found.best.likeness.misses],
    }


def _fit(one: Fit) -> FitDocument:
    like = one.likeness
    return {
        "assumptions": list(one.assumptions.deviations),
        "as_best": one.as_best,
        "wrong": like.wrong,
        "preemptions_off": like.preemptions_off,
        "starts": like.starts,
        "mean": like.mean_ms / 1000,
        "median": like.median_ms / 1000,
        "p95": like.p95_ms / 1000,
        "worst": like.worst_ms / 1000,
    }


def _miss(one: Miss) -> MissDocument:
    return {
        "job": one.job,
        "name": one.name,
        "share": one.share,
        "real": _told(one.real),
        "predicted": _told(one.predicted),
    }


def _told(one: Prediction) -> ToldDocument:
    first, last, preemptions = one
    return {"first_start": _seconds(first), "last_start": _seconds(last), "preemptions": preemptions}


def _seconds(ms: int | None) -> float | None:
    return None if ms is None else ms / 1000
