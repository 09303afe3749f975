"""The document of `search`: the counterexample, or what was tried and what was not."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from quota_verifier.figures.plain import thousandths
from quota_verifier.model import Job
from quota_verifier.policy.measured import Measured
from quota_verifier.report.provenance import TimingDocument, timing_document, version
from quota_verifier.report.verify_document import MeasuredValue
from quota_verifier.scheduler.timeline import timeline
from quota_verifier.search.envelope import Envelope, Kind
from quota_verifier.search.results import ClaimOutcome, Counterexample, SearchResult


class WindowDocument(TypedDict):
    """At most `jobs` submissions in any time of `per` seconds."""

    jobs: int
    per: float


class KindDocument(TypedDict):
    """A class of the envelope; times in seconds. `sizes` multiply `demand`; null is no limit."""

    name: str
    share: str
    demand: dict[str, int]
    sizes: list[int]
    priorities: list[int]
    work: list[float]
    start: float
    end: float
    at_most: list[WindowDocument]
    jobs: int | None


class EnvelopeDocument(TypedDict):
    """The workloads that may come. `rules` say how the limits follow from `generate`."""

    origin: Literal["envelope", "generate"]
    horizon: float
    jobs: int | None
    classes: list[KindDocument]
    rules: list[str]


class SearchedClaimDocument(TypedDict):
    """A claim. `nearest` is the value that came nearest to its bound without breaking it, null where there was none."""

    number: int
    claim: str
    status: Literal["broken", "not broken", "not searched"]
    reason: str
    nearest: MeasuredValue
    nearest_text: str
    nearest_under: list[str]


class SearchedJobDocument(TypedDict):
    """A job of the counterexample; times in seconds."""

    id: str
    share: str
    submit: float
    work: float
    demand: dict[str, int]
    priority: int


class ShrinkingDocument(TypedDict):
    """How the counterexample came about; `complete` says that no smaller step breaks the claim."""

    workload: int
    made_by: str
    jobs_before: int
    steps_tried: int
    steps_taken: int
    complete: bool


class CounterexampleDocument(TypedDict):
    """A workload that breaks a claim; `changed` are the assumptions that differ from where the policy starts."""

    number: int
    claim: str
    measured: MeasuredValue
    measured_text: str
    detail: str
    job: str | None
    at: float | None
    assumptions: dict[str, str]
    changed: list[str]
    timing: TimingDocument
    jobs: list[SearchedJobDocument]
    notes: list[str]
    found: ShrinkingDocument
    timeline: list[str]
    replay: str | None


class SearchDocument(TypedDict):
    """What `quota-shares search --json` prints. `seconds` null is no limit of time; `replay` is the file of `--out`."""

    version: str
    source: str
    policy: str
    description: str
    seed: int
    tries: int
    seconds: float | None
    most_jobs: int
    at_least: int
    profiles: int
    workloads: int
    simulations: int
    stopped_by: Literal["found", "tries", "time", "exhausted"]
    envelope: EnvelopeDocument
    claims: list[SearchedClaimDocument]
    counterexample: CounterexampleDocument | None
    not_searched: list[str]


def search_document(result: SearchResult, source: str, replay: str | None) -> SearchDocument:
    """The document about `result` on the queue of the file `source`; `replay` is the file that was written."""
    found = result.counterexample
    return {
        "version": version(),
        "source": source,
        "policy": result.policy.source,
        "description": result.policy.description,
        "seed": result.seed,
        "tries": result.tries,
        "seconds": result.seconds,
        "most_jobs": result.most_jobs,
        "at_least": result.at_least,
        "profiles": result.profiles,
        "workloads": result.workloads,
        "simulations": result.simulations,
        "stopped_by": result.stop,
        "envelope": _envelope(result.envelope),
        "claims": [_claim(claim) for claim in result.claims],
        "counterexample": None if found is None else _counterexample(found, replay),
        "not_searched": list(result.not_searched),
    }


def _envelope(envelope: Envelope) -> EnvelopeDocument:
    return {
        "origin": envelope.origin,
        "horizon": envelope.horizon_ms / 1000,
        "jobs": envelope.most,
        "classes": [_kind(kind) for kind in envelope.kinds],
        "rules": list(envelope.rules),
    }


def _kind(kind: Kind) -> KindDocument:
    return {
        "name": kind.name,
        "share": kind.share,
        "demand": dict(kind.each),
        "sizes": list(kind.sizes),
        "priorities": [kind.priorities[0], kind.priorities[-1]],
        "work": [kind.work_low / 1000, kind.work_high / 1000],
        "start": kind.start_ms / 1000,
        "end": kind.end_ms / 1000,
        "at_most": [{"jobs": window.jobs, "per": window.per_ms / 1000} for window in kind.windows],
        "jobs": kind.most,
    }


def _claim(row: ClaimOutcome) -> SearchedClaimDocument:
    near = row.nearest if row.status == "not broken" else None
    return {
        "number": row.number,
        "claim": row.claim.text,
        "status": row.status,
        "reason": row.reason,
        "nearest": _plain(near),
        "nearest_text": near.text if near else "",
        "nearest_under": list(row.nearest_under) if near else [],
    }


def _plain(measured: Measured | None) -> MeasuredValue:
    return None if measured is None else measured.plain


def _counterexample(found: Counterexample, replay: str | None) -> CounterexampleDocument:
    return {
        "number": found.number,
        "claim": found.claim.text,
        "measured": found.measured.plain,
        "measured_text": found.measured.text,
        "detail": found.measured.detail,
        "job": found.measured.job,
        "at": thousandths(found.measured.at_ms),
        "assumptions": found.assumptions.as_choices(),
        "changed": list(found.changed),
        "timing": timing_document(found.run.timing),
        "jobs": [_job(job) for job in found.jobs],
        "notes": list(found.notes),
        "found": {
            "workload": found.found_as,
            "made_by": found.made_by,
            "jobs_before": found.found_jobs,
            "steps_tried": found.steps_tried,
            "steps_taken": found.steps_taken,
            "complete": found.complete,
        },
        "timeline": timeline_of(found).splitlines(),
        "replay": replay,
    }


def _job(job: Job) -> SearchedJobDocument:
    return {
        "id": job.id,
        "share": job.share,
        "submit": job.submit_ms / 1000,
        "work": job.work_ms / 1000,
        "demand": dict(job.demand),
        "priority": job.priority,
    }


def timeline_of(found: Counterexample) -> str:
    """The run around the instant to look at, in plain text."""
    around = found.run.end_ms if found.measured.at_ms is None else found.measured.at_ms
    return timeline(found.run, around)
