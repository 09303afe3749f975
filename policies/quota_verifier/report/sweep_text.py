"""The report of `sweep`: variants, their objectives, how they differ from the baseline, and what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.report.numbers import HOUR_MS, NONE, counted, decimal, percent, short_duration
from quota_verifier.report.sweep_smallest_text import smallest_report
from quota_verifier.report.text import columns, facts, heading, indented, title
from quota_verifier.sweep.intervals import Estimate
from quota_verifier.sweep.measures import Kind, Objective
from quota_verifier.sweep.outcome import ClaimOutcome, Sweep, VariantOutcome
from quota_verifier.sweep.scenarios import Scenario
from quota_verifier.sweep.smallest import Smallest

_FORMS: dict[Kind, Callable[[Fraction], str]] = {
    "duration": short_duration,
    "count": decimal,
    "ratio": percent,
    "instances": decimal,
    "instance-time": lambda value: decimal(value / HOUR_MS),
}


_INTERVALS = (
    "+- half of the 95 % confidence interval of the mean over seeds of the same generators; "
    "differences in brackets may be chance"
)


def sweep_report(
    found: Sweep, source: str, description: str = "", smallest: Sequence[Smallest] = ()
) -> Iterator[RenderableType]:
    """The report about a sweep of the queue in the file `source`; its last line is the summary."""
    yield title(source, description)
    yield facts(_facts(found))
    if smallest:
        yield Text()
        yield from smallest_report(smallest)
    yield Text()
    yield heading("Variants", "(* on the Pareto front)")
    yield columns(["#", "variant", "policies"], [_row(*item) for item in enumerate(found.variants)], left=3)
    yield from _objectives(found)
    yield from _failures(found)
    yield Text()
    yield from _summary(found)


def _facts(found: Sweep) -> Iterator[tuple[str, str]]:
    plan = found.plan
    for place, scenario in enumerate(plan.scenarios):
        yield "" if place else "policies", f"{_files(scenario)}: {_jobs(scenario)}"
    for skip in plan.skipped:
        yield "", f"{skip.policy.source}: not judged: {skip.reason}"
    finished = sum(outcome.done for outcome in found.variants)
    total = sum(outcome.total for outcome in found.variants)
    runs = counted(total, "run") if found.complete else f"{finished} of {counted(total, 'run')} finished"
    others = len(plan.variants) - 1
    yield "variants", f"the baseline and {counted(others, 'other')}, all on the same jobs, {runs}"
    answers = ", ".join(plan.assume) or "the default answers to A1..A10"
    profiles = {"default": ", no others", "one-at-a-time": ", and each single other one", "all": ", and all others"}
    yield "assumptions", f"{answers}{profiles[plan.under]}"


def _files(scenario: Scenario) -> str:
    return ", ".join(policy.source or "policy" for policy in scenario.policies)


def _jobs(scenario: Scenario) -> str:
    seeds = scenario.seeds
    if not seeds:
        return f"{counted(len(scenario.account.jobs), 'job')} as they are, one run of each variant, no interval"
    if len(seeds) > 1 and seeds == tuple(range(seeds[0], seeds[-1] + 1)):
        return f"generated with {len(seeds)} seeds, {seeds[0]} to {seeds[-1]}"
    return f"generated with {counted(len(seeds), 'seed')}, {', '.join(map(str, seeds))}"


def _row(place: int, outcome: VariantOutcome) -> list[str | Text]:
    name = Text(outcome.variant.name)
    for note in _notes(outcome):
        name.append(f"\n{note}", "dim")
    return [_number(place, outcome), name, _meets(outcome)]


def _number(place: int, outcome: VariantOutcome) -> str:
    return f"{place}*" if outcome.on_front else f"{place} "


def _notes(outcome: VariantOutcome) -> Iterator[str]:
    if outcome.same_as:
        yield f"the same queue as {outcome.same_as}"
    yield from outcome.variant.notes
    if outcome.overloaded:
        many = f" with {counted(outcome.overloaded, 'seed')}" if outcome.total > 1 else ""
        yield f"offered more work than it can do{many}: waits tell of the overload"


def _meets(outcome: VariantOutcome) -> Text:
    if not outcome.complete:
        return Text(f"{outcome.done} of {outcome.total} runs finished", "yellow")
    if outcome.meets:
        return Text("met", "green")
    bad = sum(not claim.ok for claim in outcome.claims)
    return Text(f"{bad} of {counted(len(outcome.claims), 'claim')} not met", "bold red")


def _objectives(found: Sweep) -> Iterator[RenderableType]:
    objectives = found.plan.objectives
    compared = [(place, outcome) for place, outcome in enumerate(found.variants) if outcome.complete]
    headings = ["#", *(_heading(what) for what in objectives)]
    rows = [[_number(*item), *map(_mean, objectives, item[1].estimates)] for item in compared]
    many = found.plan.replications > 1
    yield Text()
    yield heading("Objectives", f"(mean over {found.plan.replications} seeds)" if many else "")
    yield columns(headings, rows)
    apart = [
        [_number(*item), *map(_difference, objectives, item[1].differences)]
        for item in compared
        if any(item[1].differences) and not item[1].same_as
    ]
    if apart:
        yield Text()
        yield heading("Difference from the baseline", "(mean of the differences seed by seed)" if many else "")
        yield columns(headings, apart)
    if many:
        yield indented(Text(_INTERVALS, "dim"))


def _heading(objective: Objective) -> str:
    unit = " (inst.h)" if objective.kind == "instance-time" else ""
    return f"{objective.text}{unit}"


def _mean(objective: Objective, found: Estimate) -> str:
    if found.mean is None:
        return f"none in {found.missing} of {found.count}" if found.count > 1 else "unbounded"
    return _signed(found.mean, objective.kind) + _half(found, objective.kind)


def _difference(objective: Objective, found: Estimate | None) -> str:
    if found is None or found.mean is None:
        return NONE
    if not found.mean and not found.half:
        return "="
    plus = "+" if found.mean > 0 else ""
    mean = plus + _signed(found.mean, objective.kind)
    chance = found.half is not None and not found.differs
    return (f"({mean})" if chance else mean) + _half(found, objective.kind)


def _half(found: Estimate, kind: Kind) -> str:
    """On a line of its own, so that columns stay narrow."""
    return "" if found.half is None else f"\n+-{_FORMS[kind](Fraction(found.half))}"


def _signed(value: Fraction, kind: Kind) -> str:
    return f"-{_FORMS[kind](-value)}" if value < 0 else _FORMS[kind](value)


def _failures(found: Sweep) -> Iterator[RenderableType]:
    rows = [
        [str(place), claim.claim.text, _how_often(claim)]
        for place, outcome in enumerate(found.variants)
        if outcome.complete and not outcome.same_as
        for claim in outcome.claims
        if not claim.ok
    ]
    if rows:
        yield Text()
        yield heading("Claims that are not met", "(worst run)")
        yield columns(["#", "claim", "what it came to"], rows, left=3)


def _how_often(claim: ClaimOutcome) -> str:
    how = "depends" if claim.worst.verdict == "depends" else claim.worst.text
    if claim.count == 1:
        return how
    seed = f" with seed {claim.seed}" if claim.seed is not None else ""
    return f"{how}{seed}, holds in {claim.holds} of {claim.count}"


def _summary(found: Sweep) -> Iterator[Text]:
    complete = [outcome for outcome in found.variants if outcome.complete]
    meeting = [outcome for outcome in complete if outcome.meets]
    front = [str(place) for place, outcome in enumerate(found.variants) if outcome.on_front]
    among = "those that meet the policies" if meeting else "all"
    verb = "meets" if len(meeting) == 1 else "meet"
    if not found.complete:
        yield Text(f"INTERRUPTED: {len(complete)} of {len(found.variants)} variants are finished", "bold yellow")
    said = f"{len(meeting)} of {counted(len(complete), 'variant')} {verb} the policies"
    least = f"; Pareto front among {among}: {', '.join(front)}" if front else ""
    yield Text(said + least, "bold green" if meeting else "bold red")
