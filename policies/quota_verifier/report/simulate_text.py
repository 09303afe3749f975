"""The report of `simulate`: provenance, the queue, its shares, waits by size, and jobs that did not make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.cost import Costs
from quota_verifier.durations import format_duration
from quota_verifier.figures import Distribution, Figures, GroupFigures, ShareFigures, ShareLedger
from quota_verifier.figures.census import Census, NeverJob, UnfinishedJob
from quota_verifier.report.costs import cost_lines
from quota_verifier.report.load import load_words
from quota_verifier.report.numbers import NONE, counted, instance_hours, money, percent, short_duration
from quota_verifier.report.provenance_text import assumptions_line, timing_line, workload_lines
from quota_verifier.report.text import columns, facts, heading, indented, title
from quota_verifier.report.timeline import timeline
from quota_verifier.report.timeline_text import timeline_lines
from quota_verifier.scheduler import Run
from quota_verifier.workload import Workload
from quota_verifier.workload.load import UnitLoad, load_warnings

MOST_JOBS_LISTED = 10
"""Jobs that a list names; the JSON document has them all."""

NEVER = "never"
"""In place of a wait that did not end."""


_NOT_MEANINGFUL = "not meaningful"
"""What waits are where more work comes than the capacity can do (C53)."""


def _overloaded(loads: Sequence[UnitLoad]) -> bool:
    return any(load.unstable for load in loads)


def simulate_report(
    run: Run,
    figures: Figures,
    workload: Workload,
    loads: Sequence[UnitLoad],
    around_ms: int | None = None,
    *,
    costs: Costs | None = None,
) -> Iterator[RenderableType]:
    """The report about `run` of `workload`, with its `figures` and the load that was offered.

    With `around_ms` it ends with the timeline around that instant; with `costs` it says what the run costs.
    """
    yield title(run.queue.name, run.queue.source)
    yield facts(
        [
            ("workload", Text(workload.source, no_wrap=True, overflow="ignore")),
            ("", "\n".join(workload_lines(workload))),
            ("time", f"{format_duration(figures.start_ms)} to {format_duration(figures.end_ms)}"),
            ("timing", timing_line(run.timing)),
            ("assumptions", assumptions_line(run.assumptions)),
        ]
    )
    yield Text()
    yield from _queue(figures, loads)
    yield Text()
    yield from _shares(figures.shares, costs, overloaded=_overloaded(loads))
    yield Text()
    yield from _capacity(figures.shares)
    yield Text()
    if costs is not None:
        yield from cost_lines(costs)
        yield Text()
    yield from _size_classes(figures, overloaded=_overloaded(loads))
    yield from _never(figures.never_schedulable)
    yield from _unfinished(figures.unfinished)
    if around_ms is not None:
        yield Text()
        yield heading("Timeline", f"around {format_duration(around_ms)}")
        yield from timeline_lines(timeline(run, around_ms), 2)


def _queue(figures: Figures, loads: Sequence[UnitLoad]) -> Iterator[RenderableType]:
    queue, group = figures.queue, figures.queue.group
    yield heading("Queue")
    rows = [
        ("jobs", _jobs(group.jobs)),
        ("load", load_words(loads)),
        ("wait", _waits(group.wait) + (f" ({_NOT_MEANINGFUL})" if _overloaded(loads) else "")),
        ("preemptions", f"{group.preempted_cross_share} cross-share, {group.preempted_in_share} in-share"),
        ("lost work", _lost(group)),
        ("utilization", percent(queue.utilization)),
    ]
    if queue.reclaim.count:
        rows.insert(4, ("reclaim", f"{counted(queue.reclaim.count, 'time')}, {_waits(queue.reclaim)}"))
    yield facts(rows)
    for sentence in load_warnings(tuple(loads)):
        yield indented(f"Waits are not meaningful: {sentence}.")


def _jobs(jobs: Census) -> str:
    parts = (
        (jobs.succeeded, "succeeded"),
        (jobs.failed, "failed"),
        (jobs.rejected, "rejected"),
        (jobs.never_schedulable, "never schedulable"),
        (jobs.unfinished, "unfinished"),
        (jobs.not_submitted, "not submitted yet"),
    )
    return f"{jobs.jobs}: " + ", ".join(f"{count} {what}" for count, what in parts if count)


def _waits(waits: Distribution) -> str:
    if not waits.count:
        return NONE
    never = f", {waits.never} without end" if waits.never else ""
    return f"p50 {_time(waits, waits.p50)}, p95 {_time(waits, waits.p95)}, max {_time(waits, waits.max)}{never}"


def _time(waits: Distribution, value: int | None) -> str:
    return short_duration(value, NEVER if waits.count else NONE)


def _lost(group: GroupFigures) -> str:
    if not group.lost_instance_time_ms:
        return "none"
    ratio = f", {percent(group.disruption_ratio)} of the work done" if group.disruption_ratio is not None else ""
    return f"{instance_hours(group.lost_instance_time_ms)} instance-hours{ratio}"


def _shares(shares: Sequence[ShareFigures], costs: Costs | None, *, overloaded: bool) -> Iterator[RenderableType]:
    spent = {} if costs is None else {row.share: (money(row.amounts.used),) for row in costs.shares}
    yield heading("Shares", f"(lost work in instance-hours{f'; waits are {_NOT_MEANINGFUL}' if overloaded else ''})")
    yield columns(
        (
            *("share", "jobs", "wait p50", "p95", "max", "preempted", "preempts", "lost work"),
            *((f"cost {costs.prices.currency}",) if costs is not None else ()),
        ),
        [
            (
                share.name,
                str(share.group.jobs.jobs),
                *_quantiles(share.group.wait),
                str(share.group.preempted_cross_share + share.group.preempted_in_share),
                str(share.preemptions_caused_cross_share + share.preemptions_caused_in_share),
                instance_hours(share.group.lost_instance_time_ms),
                *spent.get(share.name, ()),
            )
            for share in shares
        ],
    )


def _quantiles(waits: Distribution) -> tuple[str, str, str]:
    return _time(waits, waits.p50), _time(waits, waits.p95), _time(waits, waits.max)


def _capacity(shares: Sequence[ShareFigures]) -> Iterator[RenderableType]:
    rows = [(share, row) for share in shares for row in share.ledger]
    over = any(row.over_limit for _, row in rows)
    units = list(dict.fromkeys(row.unit for _, row in rows))
    for unit in units:
        yield heading(unit, "(instance-hours)")
        yield columns(
            (
                "share",
                "own",
                "borrowed",
                *(("over limit",) if over else ()),
                "lent",
                "idle reserved",
                "idle",
                "utilization",
            ),
            [
                (share.name, *_ledger(row, over=over), percent(share.utilization.get(unit)))
                for share, row in rows
                if row.unit == unit
            ],
        )


def _ledger(row: ShareLedger, *, over: bool) -> tuple[str, ...]:
    used = (row.own, row.borrowed, *((row.over_limit,) if over else ()))
    return tuple(instance_hours(amount) for amount in (*used, row.lent, row.idle_reserved, row.idle))


def _size_classes(figures: Figures, *, overloaded: bool) -> Iterator[RenderableType]:
    yield heading("Waits by size", f"({_NOT_MEANINGFUL})" if overloaded else "")
    yield columns(
        ("instances", "jobs", "wait p50", "p95", "max", "longest in one piece"),
        [
            (
                name,
                str(group.jobs.jobs),
                *_quantiles(group.wait),
                short_duration(group.longest_wait_ms, NEVER),
            )
            for name, group in figures.size_classes.items()
        ],
    )


def _never(jobs: Sequence[NeverJob]) -> Iterator[RenderableType]:
    if jobs:
        yield Text()
        yield heading("Never schedulable", f"({len(jobs)})")
        for job in jobs[:MOST_JOBS_LISTED]:
            asked = f"asks for {job.asked} {job.unit}, at most {job.largest} can ever start"
            yield indented(f"{job.id} ({job.share}) {asked}: {job.reason}")
        yield from _rest(jobs)


def _unfinished(jobs: Sequence[UnfinishedJob]) -> Iterator[RenderableType]:
    if jobs:
        yield Text()
        yield heading("Unfinished", f"({len(jobs)})")
        for job in jobs[:MOST_JOBS_LISTED]:
            reason = f": {job.reason}" if job.reason else ""
            yield indented(f"{job.id} ({job.share}) is {job.state}{reason}")
        yield from _rest(jobs)


def _rest(jobs: Sequence[object]) -> Iterator[RenderableType]:
    if len(jobs) > MOST_JOBS_LISTED:
        yield indented(f"and {len(jobs) - MOST_JOBS_LISTED} more; --json lists them all")
