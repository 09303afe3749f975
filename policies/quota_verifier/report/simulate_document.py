"""The document of `simulate`: what became of every job, the figures, and where they come from.

Times are seconds with milliseconds, null where unknown; instance-time is instances x seconds.
"""

from __future__ import annotations

from typing import Annotated, Literal, cast

from typing_extensions import TypedDict

from quota_verifier.cost import Costs
from quota_verifier.figures import Figures, GroupFigures, QueueFigures, ShareFigures, plain
from quota_verifier.figures.census import NeverJob, UnfinishedJob
from quota_verifier.report.costs import CostsDocument, costs_document
from quota_verifier.report.figure_schema import FigureOf
from quota_verifier.report.load import load_numbers
from quota_verifier.report.provenance import Provenance, TimingDocument, provenance, timing_document
from quota_verifier.report.timeline import timeline
from quota_verifier.scheduler import Run
from quota_verifier.scheduler.events import NOBODY
from quota_verifier.scheduler.run import UNKNOWN, How, Span, State
from quota_verifier.workload import Workload
from quota_verifier.workload.load import UnitLoad

HowLabel = Literal[
    "finished",
    "failed",
    "timeout",
    "preempted-cross-share",
    "preempted-in-share",
    "terminated",
    "capacity-error",
]
"""How a run of a job ended."""

Figure = dict[str, object]
"""Figures as `figures.plain` writes them."""


class SpanDocument(TypedDict):
    """One run of a job, from dispatch (`start`) to the release of its capacity (`end`).

    `run` is when it became RUNNING and `stop` when it made no more progress; `how` is null while it goes on, `by`
    the preemptor.
    """

    attempt: int
    start: float
    run: float | None
    stop: float | None
    end: float | None
    how: HowLabel | None
    by: str | None


class JobDocument(TypedDict):
    """What became of a job; `reason` says why it failed, was rejected or still waits."""

    id: str
    share: str
    state: State
    reason: str | None
    submit: float
    first_start: float | None
    end: float | None
    preemptions: int
    lost_work: float
    spans: list[SpanDocument]


class SkippedDocument(TypedDict):
    """A row of the workload's source that is no job, and why."""

    where: str
    reason: str


class LoadDocument(TypedDict):
    """What is offered to the queue: load by unit, null where it says nothing, and whether waits mean anything."""

    by_unit: dict[str, float | None]
    waits_meaningful: bool


class SimulateDocument(TypedDict):
    """What `quota-shares simulate --json` prints. `labels` and `size_classes` are groups of jobs."""

    provenance: Provenance
    timing: TimingDocument
    assumptions: dict[str, str]
    offered_load: LoadDocument
    start: float
    end: float
    jobs: list[JobDocument]
    shares: list[Annotated[Figure, FigureOf(ShareFigures)]]
    queue: Annotated[Figure, FigureOf(QueueFigures)]
    labels: dict[str, Annotated[Figure, FigureOf(GroupFigures)]]
    size_classes: dict[str, Annotated[Figure, FigureOf(GroupFigures)]]
    never_schedulable: list[Annotated[Figure, FigureOf(NeverJob)]]
    unfinished: list[Annotated[Figure, FigureOf(UnfinishedJob)]]
    skipped: list[SkippedDocument]
    costs: CostsDocument | None
    timeline: list[str] | None


def simulate_document(
    run: Run,
    figures: Figures,
    workload: Workload,
    loads: tuple[UnitLoad, ...],
    until_ms: int | None,
    around_ms: int | None = None,
    *,
    costs: Costs | None = None,
) -> SimulateDocument:
    """The document about `run` of `workload`, with its `figures` and the load that was offered.

    With `around_ms` it holds the timeline around that instant, with `costs` what the run costs.
    """
    return {
        "provenance": provenance(run, workload, until_ms),
        "timing": timing_document(run.timing),
        "assumptions": run.assumptions.as_choices(),
        "offered_load": {
            "by_unit": load_numbers(loads),
            "waits_meaningful": not any(load.unstable for load in loads),
        },
        "start": figures.start_ms / 1000,
        "end": figures.end_ms / 1000,
        "jobs": job_documents(run),
        "shares": [_figure(share) for share in figures.shares],
        "queue": _figure(figures.queue),
        "labels": {name: _figure(group) for name, group in figures.labels.items()},
        "size_classes": {name: _figure(group) for name, group in figures.size_classes.items()},
        "never_schedulable": [_figure(job) for job in figures.never_schedulable],
        "unfinished": [_figure(job) for job in figures.unfinished],
        "skipped": [{"where": skip.where, "reason": skip.reason} for skip in workload.skipped],
        "costs": None if costs is None else costs_document(costs),
        "timeline": None if around_ms is None else timeline(run, around_ms).splitlines(),
    }


def job_documents(run: Run) -> list[JobDocument]:
    """Every job of `run` with its spans, in canonical order."""
    spans: list[list[SpanDocument]] = [[] for _ in run.jobs]
    for span in run.spans:
        spans[span.job].append(_span(run, span))
    return [
        {
            "id": job.id,
            "share": job.share,
            "state": outcome.state,
            "reason": outcome.detail or None,
            "submit": job.submit_ms / 1000,
            "first_start": _seconds(outcome.first_start),
            "end": _seconds(outcome.end),
            "preemptions": outcome.preemptions,
            "lost_work": outcome.lost_ms / 1000,
            "spans": spans[index],
        }
        for index, (job, outcome) in enumerate(zip(run.jobs, run.outcomes, strict=True))
    ]


def _span(run: Run, span: Span) -> SpanDocument:
    return {
        "attempt": span.attempt,
        "start": span.start / 1000,
        "run": _seconds(span.run),
        "stop": _seconds(span.stop),
        "end": _seconds(span.end),
        "how": None if span.how == How.OPEN else cast("HowLabel", How(span.how).label),
        "by": None if span.by == NOBODY else run.jobs[span.by].id,
    }


def _seconds(ms: int) -> float | None:
    return None if ms == UNKNOWN else ms / 1000


def _figure(value: ShareFigures | QueueFigures | GroupFigures | NeverJob | UnfinishedJob) -> Figure:
    """`value` as plain data; the figures of a share's or the queue's jobs stand beside its own."""
    figure = cast("Figure", plain(value))
    return {**figure, **cast("Figure", group)} if (group := figure.pop("group", None)) else figure
