"""Preemptions as the page shows them: a matrix of shares, the longest cascades, and all of them as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from quota_verifier.report.cascades import Cascade, Preemption, cascades
from quota_verifier.report.html.encode import numbers
from quota_verifier.report.html.words import time
from quota_verifier.scheduler import Run
from quota_verifier.scheduler.events import RULES, Reason

MOST_CASCADES = 10
MOST_STEPS = 25
"""Cascades told in full, and steps of each; the list of preemptions has them all."""

_NAMES = {Reason.RECLAIM: "cross-share", Reason.IN_SHARE: "in-share"}
_PREEMPTOR = "{by}"


@dataclass(frozen=True, slots=True)
class StepRow:
    """A preemption in a cascade; `depth` counts those that led to it, `job` and `by` are positions of jobs."""

    depth: int
    at: str
    victim: str
    job: int
    share: str
    by: str
    preemptor: int
    kind: str
    why: str
    lost: str


@dataclass(frozen=True, slots=True)
class CascadeRow:
    """A cascade; `more` steps are left out."""

    title: str
    steps: tuple[StepRow, ...]
    more: int


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """Preemptions by one share of another's jobs; `weight` is 0 to 4, for its shade."""

    count: int
    weight: int


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """What the jobs of `share` preempted, by victim share."""

    share: str
    cells: tuple[MatrixCell, ...]
    total: int


@dataclass(frozen=True, slots=True)
class PreemptionPart:
    """All preemptions. `victims` names the columns of the matrix, and `suffered` sums them.

    `chains` counts the cascades longer than one step, of which `cascades` shows the longest.
    """

    count: int
    victims: tuple[str, ...]
    matrix: tuple[MatrixRow, ...]
    suffered: tuple[int, ...]
    chains: int
    cascades: tuple[CascadeRow, ...]


def preemption_part(run: Run, found: Sequence[Preemption]) -> PreemptionPart:
    """What the page's text shows of the preemptions of `run`."""
    jobs = run.jobs
    counts = Counter((jobs[preemption.by].share, jobs[preemption.victim].share) for preemption in found)
    names = [share.name for share in run.queue.shares]
    victims = [name for name in names if any(counts[by, name] for by in names)]
    most = max(counts.values(), default=0)
    rows = [
        MatrixRow(
            by,
            tuple(MatrixCell(counts[by, name], -(-4 * counts[by, name] // most)) for name in victims),
            sum(counts[by, name] for name in victims),
        )
        for by in names
        if any(counts[by, name] for name in victims)
    ]
    told = [cascade for cascade in cascades(found) if len(cascade.steps) > 1]
    return PreemptionPart(
        count=len(found),
        victims=tuple(victims),
        matrix=tuple(rows),
        suffered=tuple(sum(counts[by, name] for by in names) for name in victims),
        chains=len(told),
        cascades=tuple(_cascade(run, found, cascade) for cascade in told[:MOST_CASCADES]),
    )


def preemption_data(run: Run, found: Sequence[Preemption]) -> dict[str, object]:
    """Every preemption as columns, in order of time. Sentences stand once, `{by}` for the preemptor's id."""
    places: dict[str, int] = {}
    why = [places.setdefault(_without_preemptor(run, preemption), len(places)) for preemption in found]
    return {
        "at": numbers(preemption.at_ms for preemption in found),
        "victim": numbers(preemption.victim for preemption in found),
        "by": numbers(preemption.by for preemption in found),
        "reason": numbers(int(preemption.reason) for preemption in found),
        "reasons": {int(reason): f"{name} ({RULES[reason]})" for reason, name in _NAMES.items()},
        "lost": numbers(preemption.lost_ms for preemption in found),
        "cause": numbers(preemption.cause for preemption in found),
        "why": numbers(why),
        "sentences": list(places),
    }


def _without_preemptor(run: Run, preemption: Preemption) -> str:
    return preemption.why.replace(run.jobs[preemption.by].id, _PREEMPTOR, 1)


def _cascade(run: Run, found: Sequence[Preemption], cascade: Cascade) -> CascadeRow:
    first = found[cascade.steps[0][1]]
    who = run.jobs[first.by]
    said = f"{cascade.depth} deep, begun by" if cascade.depth > 1 else "at once, for"
    return CascadeRow(
        title=f"{len(cascade.steps)} preemptions, {said} {who.id} ({who.share}) at {time(first.at_ms)}",
        steps=tuple(_step(run, found[place], depth) for depth, place in cascade.steps[:MOST_STEPS]),
        more=max(0, len(cascade.steps) - MOST_STEPS),
    )


def _step(run: Run, preemption: Preemption, depth: int) -> StepRow:
    victim = run.jobs[preemption.victim]
    return StepRow(
        depth=depth,
        at=time(preemption.at_ms),
        victim=victim.id,
        job=preemption.victim,
        share=victim.share,
        by=run.jobs[preemption.by].id,
        preemptor=preemption.by,
        kind=_NAMES[preemption.reason],
        why=preemption.why,
        lost=time(preemption.lost_ms) if preemption.lost_ms else "",
    )
