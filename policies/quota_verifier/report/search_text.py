"""The report of `search`: the counterexample as jobs and timeline, or what was tried and what was not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.durations import format_duration
from quota_verifier.model import Job
from quota_verifier.report.numbers import counted
from quota_verifier.report.provenance_text import timing_line
from quota_verifier.report.search_document import timeline_of
from quota_verifier.report.text import columns, facts, heading, indented, row, title
from quota_verifier.report.timeline_text import timeline_lines
from quota_verifier.scheduler import Timing
from quota_verifier.search.envelope import Envelope, Kind
from quota_verifier.search.results import ClaimOutcome, Counterexample, SearchResult, Status

_MARKS: dict[Status, tuple[str, str]] = {
    "broken": ("BROKEN", "bold red"),
    "not broken": ("not broken", "green"),
    "not searched": ("not searched", "dim"),
}
_INDENT = 2
_MARK_WIDTH = 14
_CLAIM_WIDTH = 46


def search_report(result: SearchResult, replay: str | None) -> Iterator[RenderableType]:
    """The report about a search; `replay` is the command that judges the counterexample again."""
    yield title(result.policy.source, result.policy.description)
    yield from _envelope(result.envelope)
    yield Text()
    width = min(_CLAIM_WIDTH, max(len(claim.claim.text) for claim in result.claims)) + 2
    for claim in result.claims:
        yield from _claim(claim, result.counterexample, width)
    yield Text()
    if result.counterexample is not None:
        yield from _counterexample(result.counterexample, replay)
        yield Text()
        yield _found(result, result.counterexample)
    else:
        yield from _nothing(result)


def _envelope(envelope: Envelope) -> Iterator[RenderableType]:
    most = "" if envelope.most is None else f", at most {counted(envelope.most, 'job')} in all"
    derived = ", from `generate` by the rules below" if envelope.origin == "generate" else ""
    yield indented(Text(f"envelope: submissions before {format_duration(envelope.horizon_ms)}{most}{derived}", "dim"))
    yield facts([(kind.name, kind_line(kind)) for kind in envelope.kinds], _INDENT * 2)
    for rule in envelope.rules:
        yield row((Text("-", "dim"), Text(rule, "dim")), (2,), _INDENT * 2)


def kind_line(kind: Kind) -> str:
    """`QS3: 1, 2 or 4 ml.g5.xlarge, work 5m to 4h, priority 0 to 10, at most 3 in any 1h`."""
    if len(kind.each) == 1 and len(kind.sizes) > 1:
        asked = f"{_values(kind.sizes)} {next(iter(kind.each))}"
    else:
        asked = ", ".join(f"{count} {unit}" for unit, count in kind.demand(kind.sizes[0]).items())
    parts = [asked, f"work {_span(kind.work_low, kind.work_high)}"]
    if tuple(kind.priorities) != (0,):
        parts.append(f"priority {_values(kind.priorities)}")
    parts += [f"at most {window.jobs} in any {format_duration(window.per_ms)}" for window in kind.windows]
    parts += [f"at most {kind.most} in all"] if kind.most is not None else []
    parts += [f"from {format_duration(kind.start_ms)} on"] if kind.start_ms else []
    return f"{kind.share}: {', '.join(parts)}"


def _values(values: Sequence[int]) -> str:
    """`0 to 10` where all between are meant, else `1, 2 or 4`."""
    if len(values) > 2 and len(values) == values[-1] - values[0] + 1:
        return f"{values[0]} to {values[-1]}"
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last


def _span(low: int, high: int) -> str:
    return format_duration(low) if low == high else f"{format_duration(low)} to {format_duration(high)}"


def _claim(outcome: ClaimOutcome, found: Counterexample | None, width: int) -> Iterator[RenderableType]:
    mark, style = _MARKS[outcome.status]
    said = ""
    if outcome.status == "broken" and found is not None:
        said = found.measured.text
    elif outcome.nearest is not None:
        under = f" under {', '.join(outcome.nearest_under)}" if outcome.nearest_under else ""
        said = f"nearest {outcome.nearest.text}{under}"
    yield row((Text(mark, style), outcome.claim.text, said), (_MARK_WIDTH, width), _INDENT)
    if outcome.reason:
        yield indented(outcome.reason, _INDENT + _MARK_WIDTH)


def _counterexample(found: Counterexample, replay: str | None) -> Iterator[RenderableType]:
    yield heading("Counterexample", found.claim.text)
    answers = ", ".join(found.changed)
    timing = [] if found.run.timing == Timing() else [("timing", timing_line(found.run.timing))]
    yield facts(
        [
            ("measured", f"{found.measured.text}{f' ({found.measured.detail})' if found.measured.detail else ''}"),
            ("assumptions", f"{answers} instead of what the policy starts from" if answers else "as the policy says"),
            *timing,
            *(("note", note) for note in found.notes),
        ]
    )
    yield Text()
    yield columns(
        ("job", "share", "submit", "work", "instances", "priority"), [_job(job) for job in found.jobs], left=2
    )
    yield Text()
    yield from timeline_lines(timeline_of(found), _INDENT)
    if replay:
        yield Text()
        yield Text(f"{' ' * _INDENT}judge it again: {replay}", no_wrap=True, overflow="ignore")


def _job(job: Job) -> tuple[str, ...]:
    several = len(job.demand) > 1
    asked = ", ".join(f"{count} {unit}" for unit, count in job.demand.items()) if several else str(job.instances)
    return (
        job.id,
        job.share,
        format_duration(job.submit_ms),
        format_duration(job.work_ms),
        asked,
        str(job.priority),
    )


def _found(result: SearchResult, found: Counterexample) -> Text:
    """`broken by workload 41 of at most 1200 (owner after borrowers), shrunk from 5 jobs to 3`."""
    jobs = f"shrunk from {counted(found.found_jobs, 'job')} to {len(found.jobs)}"
    least = (
        "no single smaller step breaks the claim"
        if found.complete
        else f"time ({_seconds(result)}) ended it, so smaller ones may break the claim too"
    )
    return Text(
        f"broken by workload {found.found_as} of at most {result.tries} ({found.made_by}), {jobs}; {least}", "bold red"
    )


def _nothing(result: SearchResult) -> Iterator[RenderableType]:
    yield heading("Not searched")
    for gap in result.not_searched:
        yield row(("-", gap), (2,), _INDENT)
    yield Text()
    cut = {
        "time": f", cut by --seconds {_seconds(result)} before {result.tries}",
        "exhausted": ", all that the search can make",
    }.get(result.stop, "")
    profiles = counted(result.profiles, "assumption profile")
    tried = f"{counted(result.workloads, 'workload')} under {profiles}"
    runs = counted(result.simulations, "simulation")
    yield Text(f"none found in {tried} ({runs}{cut}); this is no proof", "bold green")


def _seconds(result: SearchResult) -> str:
    return f"{result.seconds:g}" if result.seconds is not None else "none"
