"""The report of `try`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.durations import format_duration
from quota_verifier.explain.sentences import listed
from quota_verifier.explain.trial import Answer, Changed, Trial
from quota_verifier.report.explain_text import MOST_LISTED, explanation_lines, preemption_lines, provenance_lines
from quota_verifier.report.numbers import NONE, counted
from quota_verifier.report.text import columns, heading, indented
from quota_verifier.workload import Workload


def try_report(trial: Trial, workload: Workload) -> Iterator[RenderableType]:
    """The report about a trial on top of `workload`."""
    yield from provenance_lines(trial.explanation.run, workload)
    yield Text()
    job = trial.job
    demand = ", ".join(f"{instances} {unit}" for unit, instances in sorted(job.demand.items()))
    yield heading(
        f"{job.id}", f"({job.share}, {demand}, priority {job.priority}), submitted at {format_duration(job.submit_ms)}"
    )
    yield indented(Text(_answer(trial), "bold"))
    yield Text()
    yield from explanation_lines(trial.explanation)
    if trial.preempts:
        yield Text()
        yield from preemption_lines(trial.preempts)
    yield Text()
    yield from _others(trial.changed)


def _answer(trial: Trial) -> str:
    victims = [victim for each in trial.preempts for victim in each.victims]
    whom = f", preempting {listed(victims)}" if victims else ""
    start = trial.explanation.starts.starts[0].start
    match trial.answer:
        case Answer.WAITS:
            if start.at_ms is None:
                raise AssertionError("a job that waits starts some time")
            waited = format_duration(start.at_ms - trial.job.submit_ms)
            return f"It waits {waited}, until {format_duration(start.at_ms)}{whom}."
        case Answer.RUNS_NOW:
            return f"It runs now{whom}."
        case Answer.NEVER_STARTS:
            return "It never starts."
        case Answer.REJECTED:
            return "It is rejected."


def _others(changed: Sequence[Changed]) -> Iterator[RenderableType]:
    yield heading("Other jobs", f"({counted(len(changed), 'job')} that {_fare(len(changed))} differently with it)")
    if changed:
        yield columns(
            ("job", "share", "first start", "end", "preemptions"),
            [
                (other.job, other.share, _times(other.first_start), _times(other.end), _pair(other.preemptions))
                for other in changed[:MOST_LISTED]
            ],
            left=2,
        )
    if len(changed) > MOST_LISTED:
        yield indented(f"and {len(changed) - MOST_LISTED} more; --json lists them all")


def _fare(count: int) -> str:
    return "fares" if count == 1 else "fare"


def _pair(values: tuple[int, int]) -> str:
    return str(values[0]) if values[0] == values[1] else f"{values[0]} -> {values[1]}"


def _times(times: tuple[int | None, int | None]) -> str:
    before, after = (NONE if ms is None else format_duration(ms) for ms in times)
    return before if before == after else f"{before} -> {after}"
