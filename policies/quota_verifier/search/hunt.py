"""The hunt: patterns first, then draws and changes of near misses, until a claim breaks or a bound is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from quota_verifier.policy.measured import Measured
from quota_verifier.search.chance import chance, pick
from quota_verifier.search.draw import changed, drawn, topped_up
from quota_verifier.search.envelope import Drafts
from quota_verifier.search.judge import Findings, Judge, broken
from quota_verifier.search.nearness import Near, Nearest, nearness
from quota_verifier.search.patterns import Setting, patterns
from quota_verifier.search.shrink_steps import Candidate
from quota_verifier.workload.draws import stream

Stop = Literal["found", "tries", "time", "exhausted"]
"""Why a hunt ended; `exhausted` says that the search makes no workload of the envelope that it has not tried."""

MOST_TWINS = 500
"""So many workloads in a row that were tried before mean that there are no others."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """At most so many workloads; `out_of_time` ends it sooner."""

    tries: int
    seed: int
    at_least: int
    out_of_time: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Hit:
    """A workload that breaks the claim at place `claim`, and how it was made."""

    claim: int
    candidate: Candidate
    measured: Measured
    made_by: str


@dataclass(slots=True)
class Hunt:
    """What was tried: the number of workloads, patterns among them, jobs of the largest, sizes by kind, near misses."""

    nearest: list[Nearest]
    tried: int = 0
    patterns: int = 0
    largest: int = 0
    sizes: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    stop: Stop = "tries"
    hit: Hit | None = None


def hunt(judge: Judge, setting: Setting, bounds: Bounds, progress: Callable[[int, int], None] | None = None) -> Hunt:
    """Try workloads until one breaks a claim. The same arguments give the same hunt, unless time runs out."""
    found = Hunt([Nearest() for _ in judge.claims])
    seen: set[Drafts] = set()
    twins = 0
    for name, drafts in _workloads(judge, setting, bounds, found):
        if not drafts or drafts in seen:
            twins += 1
            if twins < MOST_TWINS:
                continue
            found.stop = "exhausted"
            break
        if found.tried == bounds.tries or bounds.out_of_time():
            found.stop = "tries" if found.tried == bounds.tries else "time"
            break
        twins = 0
        seen.add(drafts)
        found.tried += 1
        found.patterns += name not in _BY_CHANCE
        found.largest = max(found.largest, len(drafts))
        found.sizes.update((draft.kind, draft.size) for draft in drafts)
        found.hit = _tried(judge, found, drafts, name)
        if progress is not None:
            progress(found.tried, bounds.tries)
        if found.hit is not None:
            found.stop = "found"
            break
    return found


_DRAWN, _CHANGED = "a draw", "a changed near miss"
_BY_CHANCE = (_DRAWN, _CHANGED)


def _workloads(judge: Judge, setting: Setting, bounds: Bounds, found: Hunt) -> Iterator[tuple[str, Drafts]]:
    """Without end. Draws look at `found` for near misses."""
    source = stream(bounds.seed, "search")
    subjects = [_subject_kinds(judge, setting, claim) for claim in range(len(judge.claims))]
    for name, drafts in patterns(setting):
        yield name, _enough(source, setting, bounds, subjects, drafts)
    while True:
        name, drafts = _by_chance(source, setting, found)
        yield name, _enough(source, setting, bounds, subjects, drafts)


def _by_chance(source: Random, setting: Setting, found: Hunt) -> tuple[str, Drafts]:
    near = pick(source, found.nearest).kept
    if not near or chance(source, 3):
        return _DRAWN, drawn(source, setting)
    return _CHANGED, changed(source, setting, pick(source, near).drafts)


def _enough(
    source: Random, setting: Setting, bounds: Bounds, subjects: Sequence[Sequence[int]], drafts: Drafts
) -> Drafts:
    """`drafts` with as many jobs of one claim's subject as are asked for."""
    if bounds.at_least == 1:
        return drafts
    kinds = pick(source, subjects)
    return topped_up(source, setting, drafts, kinds, bounds.at_least) if kinds else drafts


def _subject_kinds(judge: Judge, setting: Setting, claim: int) -> tuple[int, ...]:
    subject = judge.claims[claim].subject
    return tuple(
        place
        for place, kind in enumerate(setting.envelope.kinds)
        if subject.share in (None, kind.share)
        and (subject.unit is None or subject.unit in kind.each)
        and all({"class": kind.name, **kind.labels}.get(key) == value for key, value in subject.labels)
    )


def _tried(judge: Judge, found: Hunt, drafts: Drafts, name: str) -> Hit | None:
    for profile, findings, run in judge.findings(drafts):
        place = broken(findings)
        if place is not None:
            return Hit(place, Candidate(drafts, profile), _broken(findings, place), name)
        for nearest, claim, measured in zip(found.nearest, judge.claims, findings, strict=True):
            if measured is not None:
                nearest.offer(Near(nearness(claim, measured, run), drafts, profile, measured))
    return None


def _broken(findings: Findings, place: int) -> Measured:
    measured = findings[place]
    if measured is None:
        raise AssertionError("a claim about nothing is not broken")
    return measured
