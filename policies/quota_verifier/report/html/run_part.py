"""A run as the page shows it: figures in words and tables, and the data that its scripts draw."""

from __future__ import annotations

from dataclasses import dataclass

from quota_verifier.durations import format_duration
from quota_verifier.figures import Figures, columns
from quota_verifier.figures.census import Census
from quota_verifier.report.cascades import preemptions
from quota_verifier.report.html.chart_data import chart_data
from quota_verifier.report.html.job_data import job_data, span_data
from quota_verifier.report.html.preemption_part import PreemptionPart, preemption_data, preemption_part
from quota_verifier.report.html.share_part import LedgerTable, ShareRow, cost_table, ledger_tables, settings, share_rows
from quota_verifier.report.html.waits_part import NEVER, WaitTable, wait_tables
from quota_verifier.report.html.words import instance_hours, money, time
from quota_verifier.report.load import load_words
from quota_verifier.report.numbers import NONE, counted, percent
from quota_verifier.report.provenance import version
from quota_verifier.report.provenance_text import timing_line, workload_lines
from quota_verifier.report.record import ReportedRun
from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions
from quota_verifier.workload.load import load_warnings

MOST_LISTED = 50
"""Jobs that a list of the page's text names; the table of jobs has them all."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A key figure: what it is, its value, and what there is to say beside it."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An open question, the answer of this run, and whether that is not the default."""

    id: str
    question: str
    answer: str
    changed: bool


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job that did not make it, and why."""

    id: str
    share: str
    state: str
    why: str


@dataclass(frozen=True, slots=True)
class JobsList:
    """Jobs of one fate; `more` are left out."""

    heading: str
    jobs: tuple[ListedJob, ...]
    more: int


@dataclass(frozen=True, slots=True)
class RunPart:
    """All that the page's text says of a run. `overload` is why waits are not meaningful; empty where they are."""

    title: str
    label: str
    subtitle: str
    tiles: tuple[Tile, ...]
    overload: tuple[str, ...]
    shares: tuple[ShareRow, ...]
    waits: tuple[WaitTable, ...]
    preemptions: PreemptionPart
    ledger: tuple[LedgerTable, ...]
    answers: tuple[AnswerRow, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    lists: tuple[JobsList, ...]


def run_part(told: ReportedRun) -> tuple[RunPart, dict[str, object]]:
    """The text about a run, and its data."""
    run, figures = told.run, told.figures
    table = columns(run)
    evicted = preemptions(run) if figures.queue.group.preempted_jobs else ()
    overload = load_warnings(told.loads)
    costs = () if told.costs is None else (cost_table(told.costs),)
    part = RunPart(
        title=_title(told),
        label=_label(told),
        subtitle=f"{_label(told)} · {run.queue.name} · {counted(len(run.queue.shares), 'share')} on {_capacity(told)}",
        tiles=tuple(_tiles(told, meaningful=not overload)),
        overload=overload,
        shares=share_rows(run.queue, figures, run.assumptions),
        waits=wait_tables(figures),
        preemptions=preemption_part(run, evicted),
        ledger=(*ledger_tables(figures), *costs),
        answers=_answers(run.assumptions),
        facts=_facts(told),
        lists=_lists(figures),
    )
    data: dict[str, object] = {
        "start": figures.start_ms,
        "end": figures.end_ms,
        "meaningful": not overload,
        "shares": [{"name": share.name, "settings": settings(share)} for share in run.queue.shares],
        "jobs": job_data(table),
        "spans": span_data(table),
        "charts": chart_data(table),
        "preemptions": preemption_data(run, evicted),
    }
    return part, data


def _title(told: ReportedRun) -> str:
    """What is judged on the run, else whose work it is."""
    descriptions = (found.policy.description or found.policy.source for found in told.policies)
    return "; ".join(descriptions) or counted(len(told.run.jobs), "job")


def _label(told: ReportedRun) -> str:
    """The files that the run stands for."""
    return ", ".join(found.policy.source for found in told.policies) or told.workload.source or "workload"


def _capacity(told: ReportedRun) -> str:
    limits = told.queue.environment.limits
    return ", ".join(f"{limit} {unit}" for unit, limit in limits.items()) or "no capacity"


def _tiles(told: ReportedRun, *, meaningful: bool) -> list[Tile]:
    figures = told.figures
    queue, group = figures.queue, figures.queue.group
    wait, missing = group.wait, NEVER if group.wait.count else NONE
    delivered = percent(group.disruption_ratio)
    preempted = group.preempted_cross_share + group.preempted_in_share
    tiles = [
        Tile("jobs", f"{group.jobs.jobs:,}", _fates(group.jobs)),
        Tile("utilization", percent(queue.utilization), f"offered load {load_words(told.loads)}"),
        Tile(
            "wait, median" if meaningful else "wait, not meaningful",
            time(wait.p50, missing),
            f"p95 {time(wait.p95, missing)}, max {time(wait.max, missing)}",
        ),
        Tile(
            "preemptions",
            f"{preempted:,}",
            f"{group.preempted_cross_share:,} cross-share, {group.preempted_in_share:,} in-share",
        ),
        Tile(
            "lost work",
            f"{instance_hours(group.lost_instance_time_ms)} h",
            f"instance-hours; {delivered} of the work done" if group.lost_instance_time_ms else "nothing thrown away",
        ),
    ]
    if told.costs is not None:
        tiles.append(Tile("cost", money(told.costs.queue.used), told.costs.prices.currency))
    return tiles


def _fates(jobs: Census) -> str:
    parts = (
        (jobs.succeeded, "succeeded"),
        (jobs.failed, "failed"),
        (jobs.rejected, "rejected"),
        (jobs.never_schedulable, "never schedulable"),
        (jobs.unfinished, "unfinished"),
        (jobs.not_submitted, "not submitted yet"),
    )
    told = [(count, what) for count, what in parts if count]
    if len(told) == 1 and told[0][0] == jobs.jobs:
        return f"all {told[0][1]}"
    return ", ".join(f"{count:,} {what}" for count, what in told)


def _answers(assumptions: Assumptions) -> tuple[AnswerRow, ...]:
    chosen = assumptions.as_choices()
    return tuple(AnswerRow(q.id, q.text, chosen[q.id], chosen[q.id] != q.default) for q in QUESTIONS)


def _facts(told: ReportedRun) -> tuple[tuple[str, tuple[str, ...]], ...]:
    run, figures = told.run, told.figures
    horizon = (f"stopped at {format_duration(told.until_ms)}",) if told.until_ms is not None else ()
    crowded = tuple(f"{name}: too many values for a table of their own" for name in figures.crowded_labels)
    rows = (
        ("queue", (f"{run.queue.name}, read from {run.queue.source}",)),
        ("workload", (told.workload.source, *workload_lines(told.workload))),
        ("time", (f"{format_duration(figures.start_ms)} to {format_duration(figures.end_ms)}", *horizon)),
        ("timing", (timing_line(run.timing),)),
        ("labels", crowded),
        ("warnings", told.workload.warnings),
        ("made by", (f"quota-shares {version()}, {run.engine} engine",)),
    )
    return tuple((name, lines) for name, lines in rows if lines)


def _lists(figures: Figures) -> tuple[JobsList, ...]:
    never = [
        ListedJob(
            job.id,
            job.share,
            job.state,
            f"asks for {job.asked} {job.unit}, at most {job.largest} can ever start: {job.reason}",
        )
        for job in figures.never_schedulable
    ]
    unfinished = [ListedJob(job.id, job.share, job.state, job.reason) for job in figures.unfinished]
    return tuple(
        JobsList(f"{heading} ({len(jobs):,})", tuple(jobs[:MOST_LISTED]), max(0, len(jobs) - MOST_LISTED))
        for heading, jobs in (("Never schedulable", never), ("Unfinished", unfinished))
        if jobs
    )
