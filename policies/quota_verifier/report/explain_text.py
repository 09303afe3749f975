"""The report of `explain`: one job at one instant, and the preemptions of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.durations import format_duration
from quota_verifier.explain.explain import Explanation, Link
from quota_verifier.explain.holders import HeldJob, UnitHolding
from quota_verifier.explain.preemptions import Candidate, Choice, Preemption
from quota_verifier.explain.remedies import Effect, Remedy
from quota_verifier.explain.sentences import listed
from quota_verifier.explain.standing import Standing
from quota_verifier.explain.starts import Interval, Start, Under
from quota_verifier.report.numbers import NONE, counted
from quota_verifier.report.provenance_text import assumptions_line, timing_line, workload_lines
from quota_verifier.report.text import columns, facts, heading, indented, title
from quota_verifier.scheduler import Run
from quota_verifier.workload import Workload

MOST_LISTED = 10
"""Items that a list names; the JSON document has them all."""

CHOICES = {
    Choice.PREEMPTED: "preempted",
    Choice.NO_HELP: "of no help",
    Choice.NOT_NEEDED: "not needed",
    Choice.RANKED_LATER: "ranked later",
}


def explain_report(
    run: Run, workload: Workload, explanation: Explanation | None, preempted: Sequence[Preemption] | None
) -> Iterator[RenderableType]:
    """The report about a job of `run`, about its preemptions, or about both."""
    yield from provenance_lines(run, workload)
    if explanation is not None:
        yield Text()
        yield from explanation_lines(explanation)
    if preempted is not None:
        yield Text()
        yield from preemption_lines(preempted)


def provenance_lines(run: Run, workload: Workload) -> Iterator[RenderableType]:
    """What the run was made of."""
    yield title(run.queue.name, run.queue.source)
    yield facts(
        [
            ("workload", Text(workload.source or NONE, no_wrap=True, overflow="ignore")),
            ("", "\n".join(workload_lines(workload))),
            ("timing", timing_line(run.timing)),
            ("assumptions", assumptions_line(run.assumptions)),
        ]
    )


def explanation_lines(explanation: Explanation) -> Iterator[RenderableType]:
    """One job at one instant: why, who holds what, what would unblock it, and when it starts."""
    link = explanation.link
    yield heading(f"{link.job} ({link.share}) at {format_duration(explanation.at_ms)}")
    yield indented(link.sentence)
    for blocker in explanation.chain:
        yield indented(_because(blocker))
    if explanation.blocks:
        yield indented(f"{counted(explanation.blocks, 'job')} of {link.share} {_wait(explanation.blocks)} behind it")
    for unit, available in explanation.elsewhere:
        yield indented(
            f"It would have fitted on {unit}: {available} available. A job never changes its instance type (R1)."
        )
    for unit in explanation.holdings:
        yield Text()
        yield from _holding(unit)
    if link.standing.waits:
        yield Text()
        yield from _remedies(explanation)
    yield Text()
    yield heading("Start")
    yield from _starts(explanation.starts)


def _because(link: Link) -> str:
    return f"{link.job} (priority {link.priority}): {link.sentence}"


def _wait(count: int) -> str:
    return "waits" if count == 1 else "wait"


def _holding(unit: UnitHolding) -> Iterator[RenderableType]:
    unassigned = f", {unit.unassigned} that no share owns" if unit.unassigned else ""
    yield heading(unit.unit, f"({max(0, unit.free)} of {unit.environment} free{unassigned})")
    yield columns(
        ("share", "strategy", "jobs", "holds", "limit", "idle", "over", "waiting"),
        [
            (
                share.share,
                share.strategy,
                _jobs(share.jobs),
                str(share.used),
                str(share.limit),
                str(share.idle),
                str(share.over),
                str(share.waiting),
            )
            for share in unit.shares
        ],
        left=3,
    )


def _jobs(jobs: Sequence[HeldJob]) -> str:
    told = [f"{job.job} {job.instances}{' stopping' if job.stopping else ''}" for job in jobs[:MOST_LISTED]]
    more = [f"{len(jobs) - MOST_LISTED} more"] if len(jobs) > MOST_LISTED else []
    return ", ".join([*told, *more]) or NONE


def _remedies(explanation: Explanation) -> Iterator[RenderableType]:
    remedies = explanation.remedies
    yield heading("What would unblock it", "(each tried alone in the simulation, 1 ms later)")
    if not remedies:
        yield indented("No single change that was tried lets it start just then.")
        yield from _second_obstacle(explanation.link)
    for remedy in remedies:
        yield indented(f"{remedy.text}: {_effect(remedy)}{_promised(remedy)}")


def _second_obstacle(link: Link) -> Iterator[RenderableType]:
    """What else is in the way of a job that its share's limits keep waiting."""
    if link.standing in (Standing.OWN_LIMIT, Standing.BORROW_LIMIT):
        short = [f"{max(0, unit.available)} of the {unit.asked} {unit.unit}" for unit in link.units if unit.short]
        if short:
            yield indented(f"Whatever the limits of {link.share}, only {listed(short)} that it asks for are available.")


def _promised(remedy: Remedy) -> str:
    units = remedy.over_promised
    return f"; the shares then promise more than there is of {listed(units)}" if units else ""


def _effect(remedy: Remedy) -> str:
    victims = listed(remedy.preempts) if remedy.preempts else ""
    match remedy.effect:
        case Effect.STARTS:
            return f"it preempts {victims} and starts at once" if victims else "it starts at once"
        case Effect.PREEMPTS:
            return f"it preempts {victims}, and starts once enough has stopped"
        case Effect.SCHEDULABLE:
            return "it is no longer blocked for ever, but does not start at once"


def _starts(starts: Interval) -> Iterator[RenderableType]:
    """The start in this simulation, and the interval over the other answers to A1-A10."""
    yield indented(f"{_start(starts.starts[0].start)} in this simulation, where the workload is known")
    others = len(starts.starts) - 1
    if not others:
        return
    if not starts.turned:
        yield indented(f"the same under {counted(others, 'other profile')}")
        return
    yield indented(f"from {_bound(starts.earliest)} to {_bound(starts.latest)} over {len(starts.starts)} profiles")
    for under in starts.turned[:MOST_LISTED]:
        yield indented(f"{', '.join(under.profile)}: {_start(under.start)}", 4)
    if len(starts.turned) > MOST_LISTED:
        yield indented(f"and {len(starts.turned) - MOST_LISTED} more; --json lists them all", 4)


def _bound(under: Under) -> str:
    at = under.start.at_ms
    return "never" if at is None else format_duration(at)


def _start(start: Start) -> str:
    if start.at_ms is None:
        when = "" if start.ended_ms is None else f" at {format_duration(start.ended_ms)}"
        return f"never: {start.end}{when}"
    if start.ended_ms is not None:
        return f"started at {format_duration(start.at_ms)}, {start.end} at {format_duration(start.ended_ms)}"
    return f"{'since ' if start.already else ''}{format_duration(start.at_ms)}"


def preemption_lines(preempted: Sequence[Preemption]) -> Iterator[RenderableType]:
    """Every preemption with its candidates."""
    victims = sum(len(each.victims) for each in preempted)
    yield heading("Preemptions", f"({victims})")
    for each in preempted:
        kind = "reclaims its share's own capacity" if each.rule == "R13" else "takes the place of lower priority"
        lacking = listed(each.lacking)
        yield indented(
            f"{format_duration(each.at_ms)}  {each.job} ({each.share}, priority {each.priority}) preempts "
            f"{listed(each.victims)}: it lacks {lacking} and {kind} ({each.rule})"
        )
        yield columns(
            ("candidate", "share", "choice", "instances", "over", "priority", "since", "lost work"),
            [_candidate(job) for job in each.candidates],
            left=3,
            indent=4,
        )
        if each.untouchable:
            why = "shares within their limits" if each.rule == "R13" else "its share, of no lower priority"
            yield indented(f"no candidates: {counted(each.untouchable, 'job')} of {why}", 4)


def _candidate(job: Candidate) -> tuple[str, ...]:
    return (
        job.job,
        job.share,
        CHOICES[job.choice],
        str(job.instances),
        str(job.over),
        str(job.priority),
        format_duration(job.since_ms),
        format_duration(job.lost_ms),
    )
