"""The steps by which a counterexample is made smaller, and the order that says what smaller is.

In this order: fewer jobs, fewer changed assumptions, smaller jobs, lower priorities, rounder times (whole minutes
before whole seconds before milliseconds), shorter times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from quota_verifier.policy.verdicts import changes
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.search.chance import GRAINS
from quota_verifier.search.envelope import Draft, Drafts, Envelope, allows

STEPS = (
    "leave out any one or two jobs, or several in a row",
    "make one job of two of a class, as large or as long as both",
    "set the changed assumption back",
    "submit every job from some instant on earlier, or so that this instant is a whole minute or second",
    "take a smaller size or a lower priority of one job",
    "take a shorter or rounder run time, or an earlier or rounder submit time, of one job",
)
"""What is tried, in words. Less is tried as the least, and half, a quarter and so on of the way to it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A workload and the profile under which it breaks a claim."""

    drafts: Drafts
    profile: Assumptions


def weight(envelope: Envelope, base: Assumptions, candidate: Candidate) -> tuple[int, ...]:
    """Whole numbers that compare as candidates do in size; every step makes it less, so shrinking ends."""
    kinds = [envelope.kinds[draft.kind] for draft in candidate.drafts]
    pairs = list(zip(candidate.drafts, kinds, strict=True))
    times = [time for draft in candidate.drafts for time in (draft.submit_ms, draft.work_ms)]
    return (
        len(candidate.drafts),
        len(changes(candidate.profile, base)),
        sum(kind.sizes.index(draft.size) for draft, kind in pairs),
        sum(kind.priorities.index(draft.priority) for draft, kind in pairs),
        sum(_coarseness(time) for time in times),
        sum(times),
    )


def steps(envelope: Envelope, base: Assumptions, candidate: Candidate) -> Iterator[Candidate]:
    """All that one step makes of a candidate, the boldest first; each keeps to the envelope and is smaller."""
    here = weight(envelope, base, candidate)
    if candidate.profile != base:
        yield Candidate(candidate.drafts, base)
    for drafts in _all_steps(envelope, candidate.drafts):
        step = Candidate(tuple(sorted(drafts)), candidate.profile)
        if step.drafts and allows(envelope, step.drafts) and weight(envelope, base, step) < here:
            yield step


def _all_steps(envelope: Envelope, drafts: Drafts) -> Iterator[Sequence[Draft]]:
    yield from _without_some(drafts)
    yield from _merged(envelope, drafts)
    yield from _gaps_closed(drafts)
    for place, draft in enumerate(drafts):
        kind = envelope.kinds[draft.kind]
        others = (*drafts[:place], *drafts[place + 1 :])
        for size in _lower(kind.sizes, draft.size):
            yield (*others, draft._replace(size=size))
        for priority in _lower(kind.priorities, draft.priority):
            yield (*others, draft._replace(priority=priority))
        for work in simpler(draft.work_ms, kind.work_low, kind.work_high):
            yield (*others, draft._replace(work_ms=work))
        alike = [other.submit_ms for other in others if other.submit_ms < draft.submit_ms]
        for at in dict.fromkeys((*simpler(draft.submit_ms, kind.start_ms, kind.end_ms - 1), *alike)):
            yield (*others, draft._replace(submit_ms=at))


def _without_some(drafts: Drafts) -> Iterator[Drafts]:
    """Without a half, a quarter and so on in a row, without any one, without any two."""
    length = len(drafts) // 2
    while length > 1:
        for first in range(0, len(drafts), length):
            yield (*drafts[:first], *drafts[first + length :])
        length //= 2
    for left_out in chain(combinations(range(len(drafts)), 1), combinations(range(len(drafts)), 2)):
        yield tuple(draft for place, draft in enumerate(drafts) if place not in left_out)


def _merged(envelope: Envelope, drafts: Drafts) -> Iterator[Sequence[Draft]]:
    """One job in place of two, at the time of the first."""
    for (first, one), (second, other) in combinations(enumerate(drafts), 2):
        if one.kind != other.kind:
            continue
        rest = tuple(draft for place, draft in enumerate(drafts) if place not in (first, second))
        longest = envelope.kinds[one.kind].work_high
        yield (*rest, one._replace(size=one.size + other.size))
        yield (*rest, one._replace(work_ms=min(longest, one.work_ms + other.work_ms)))


def _gaps_closed(drafts: Drafts) -> Iterator[Sequence[Draft]]:
    """Every job from some instant on earlier, or moved so that this instant is a round one."""
    before = 0
    for instant in sorted({draft.submit_ms for draft in drafts}):
        earlier = [instant - target for grain in GRAINS for target in _down(instant, before, grain)]
        rounded = [rest for grain in GRAINS for rest in (instant % grain, instant % grain - grain) if instant % grain]
        for by in dict.fromkeys((instant - before, *earlier, *rounded)):
            yield [
                draft._replace(submit_ms=draft.submit_ms - by) if draft.submit_ms >= instant else draft
                for draft in drafts
            ]
        before = instant


def _down(value: int, low: int, grain: int) -> Iterator[int]:
    """`low`, then half way down to it from `value`, a quarter, an eighth and so on, a grain below `value`; no less."""
    way = value - low
    while way >= grain:
        yield value - way // grain * grain
        way //= 2


def _lower(values: Sequence[int], value: int) -> tuple[int, ...]:
    """Lower ones of ascending values, as `_down` has their places."""
    return tuple(values[lower] for lower in _down(values.index(value), 0, 1))


def simpler(time: int, low: int, high: int) -> Iterator[int]:
    """Rounder times, and as round ones that are less, as `_down` has them."""
    own = _coarseness(time)
    for rank, grain in enumerate(GRAINS[: own + 1]):
        least, floor = -(-low // grain) * grain, time // grain * grain
        others = [least, *_down(floor, least, grain)]
        if rank < own:
            others += [floor, floor + grain]
        for other in dict.fromkeys(others):
            if low <= other <= high and (rank < own or other < time):
                yield other


def _coarseness(time: int) -> int:
    """0 for whole minutes, 1 for whole seconds, 2 for the rest."""
    return next(rank for rank, grain in enumerate(GRAINS) if time % grain == 0)
