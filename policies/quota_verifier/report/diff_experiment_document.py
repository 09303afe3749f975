"""The part of the document of `diff` that is about a workload.

Times are seconds with milliseconds, null where unknown or without end; instance-time is instances x seconds.
"""

from __future__ import annotations

from fractions import Fraction

from typing_extensions import TypedDict

from quota_verifier.diff.aftermath import Preemption
from quota_verifier.diff.measures import Measures
from quota_verifier.diff.moment import Eligible, Held
from quota_verifier.diff.trial import Changed, Experiment, Trial
from quota_verifier.figures.plain import thousandths
from quota_verifier.report.provenance import (
    TimingDocument,
    WorkloadProvenance,
    timing_document,
    workload_provenance,
)


class WaitDocument(TypedDict):
    """Waits until the first start; null where a wait has no end, or there is no job."""

    jobs: int
    never_started: int
    p50: float | None
    p95: float | None
    max: float | None


class MeasuresDocument(TypedDict):
    """What the jobs of a share or of the queue went through; utilization is over the share's own limits."""

    jobs: int
    succeeded: int
    rejected: int
    terminated: int
    never_schedulable: int
    wait: WaitDocument
    preempted: int
    preempts: int
    lost_work: float
    utilization: float | None


class RunDocument(TypedDict):
    """One run: when it ended, and the measures by share and of the queue."""

    end: float
    shares: dict[str, MeasuresDocument]
    queue: MeasuresDocument


class DeltaDocument(TypedDict):
    """A run's measures less those under OLD; null where either has no value."""

    wait_p50: float | None
    wait_p95: float | None
    wait_max: float | None
    preempted: int
    preempts: int
    lost_work: float
    utilization: float | None
    never_schedulable: int
    rejected: int
    terminated: int


class HeldDocument(TypedDict):
    """What a share holds of a unit at the instant; `ending` of it is what the change terminates."""

    share: str
    unit: str
    held: int
    ending: int
    old_limit: int
    new_limit: int
    above_before: int
    above: int
    borrowed: int
    over_limit: int
    preemptible: int


class EligibleDocument(TypedDict):
    """A job that others may preempt; `newly` says that only the change makes it so."""

    job: str
    share: str
    demand: dict[str, int]
    priority: int
    since: float
    newly: bool


class PreemptionDocument(TypedDict):
    """A preemption after the change; `because` is empty for one that OLD allows too."""

    at: float
    job: str
    share: str
    by: str
    by_share: str
    lost_work: float
    because: str


class ChangedDocument(RunDocument):
    """The run in which OLD becomes NEW, the instant just after that, and the preemptions from there on."""

    at: float
    waiting: int
    held: list[HeldDocument]
    eligible: list[EligibleDocument]
    terminated_jobs: list[str]
    preemptions: list[PreemptionDocument]


class Deltas(TypedDict):
    """Differences to the run under OLD."""

    shares: dict[str, DeltaDocument]
    queue: DeltaDocument


class ExperimentDocument(TypedDict):
    """One workload under OLD, under NEW and under OLD that becomes NEW; `notes` say what was not or not exactly run."""

    workload: WorkloadProvenance
    timing: TimingDocument
    assumptions: dict[str, str]
    until: float | None
    notes: list[str]
    old: RunDocument
    new: RunDocument | None
    changed: ChangedDocument | None
    new_less_old: Deltas | None
    changed_less_old: Deltas | None


def experiment_document(of: Experiment) -> ExperimentDocument:
    """The document about a workload before and after a change."""
    return {
        "workload": workload_provenance(of.workload),
        "timing": timing_document(of.timing),
        "assumptions": of.assumptions.as_choices(),
        "until": thousandths(of.until_ms),
        "notes": list(of.notes),
        "old": _run(of.old),
        "new": None if of.new is None else _run(of.new),
        "changed": None if of.changed is None else _changed(of.changed),
        "new_less_old": None if of.new is None else _deltas(of.old, of.new),
        "changed_less_old": None if of.changed is None else _deltas(of.old, of.changed.trial),
    }


def _run(trial: Trial) -> RunDocument:
    return {
        "end": trial.run.end_ms / 1000,
        "shares": {name: _measures(one) for name, one in trial.shares.items()},
        "queue": _measures(trial.queue),
    }


def _measures(of: Measures) -> MeasuresDocument:
    return {
        "jobs": of.jobs,
        "succeeded": of.succeeded,
        "rejected": of.rejected,
        "terminated": of.terminated,
        "never_schedulable": of.never_schedulable,
        "wait": {
            "jobs": of.wait.count,
            "never_started": of.wait.never,
            "p50": thousandths(of.wait.p50),
            "p95": thousandths(of.wait.p95),
            "max": thousandths(of.wait.max),
        },
        "preempted": of.preempted,
        "preempts": of.preempts,
        "lost_work": of.lost_ms / 1000,
        "utilization": _ratio(of.utilization),
    }


def _ratio(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _changed(of: Changed) -> ChangedDocument:
    at = of.moment
    return {
        **_run(of.trial),
        "at": at.at_ms / 1000,
        "waiting": at.waiting,
        "held": [_held(one) for one in at.held],
        "eligible": [_eligible(one) for one in at.eligible],
        "terminated_jobs": list(at.terminated),
        "preemptions": [_preemption(one) for one in of.aftermath.preemptions],
    }


def _held(one: Held) -> HeldDocument:
    return {
        "share": one.share,
        "unit": one.unit,
        "held": one.held,
        "ending": one.ending,
        "old_limit": one.old_limit,
        "new_limit": one.new_limit,
        "above_before": one.above_before,
        "above": one.above,
        "borrowed": one.borrowed,
        "over_limit": one.over_limit,
        "preemptible": one.preemptible,
    }


def _eligible(one: Eligible) -> EligibleDocument:
    return {
        "job": one.job,
        "share": one.share,
        "demand": dict(one.demand),
        "priority": one.priority,
        "since": one.since_ms / 1000,
        "newly": one.newly,
    }


def _preemption(one: Preemption) -> PreemptionDocument:
    return {
        "at": one.at_ms / 1000,
        "job": one.job,
        "share": one.share,
        "by": one.by,
        "by_share": one.by_share,
        "lost_work": one.lost_ms / 1000,
        "because": one.because,
    }


def _deltas(old: Trial, new: Trial) -> Deltas:
    return {
        "shares": {name: _delta(one, new.shares[name]) for name, one in old.shares.items()},
        "queue": _delta(old.queue, new.queue),
    }


def _delta(old: Measures, new: Measures) -> DeltaDocument:
    def less(was: int | Fraction | None, now: int | Fraction | None) -> int | Fraction | None:
        return None if was is None or now is None else now - was

    utilization = less(old.utilization, new.utilization)
    return {
        "wait_p50": thousandths(less(old.wait.p50, new.wait.p50)),
        "wait_p95": thousandths(less(old.wait.p95, new.wait.p95)),
        "wait_max": thousandths(less(old.wait.max, new.wait.max)),
        "preempted": new.preempted - old.preempted,
        "preempts": new.preempts - old.preempts,
        "lost_work": (new.lost_ms - old.lost_ms) / 1000,
        "utilization": None if utilization is None else round(float(utilization), 6),
        "never_schedulable": new.never_schedulable - old.never_schedulable,
        "rejected": new.rejected - old.rejected,
        "terminated": new.terminated - old.terminated,
    }
