"""Who preempted whom, why, and which preemption led to which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quota_verifier.scheduler import Run
from quota_verifier.scheduler.events import Kind, Reason
from quota_verifier.scheduler.replay import replayed
from quota_verifier.scheduler.sentences import sentence

NO_CAUSE = -1


@dataclass(frozen=True, slots=True)
class Preemption:
    """A preemption; jobs by index, `at_ms` the instant, `lost_ms` the work that it threw away.

    `cause` is the earlier preemption that made the preemptor wait again, NO_CAUSE where none did. `why` is the
    event's sentence.
    """

    at_ms: int
    victim: int
    by: int
    reason: Reason
    why: str
    lost_ms: int
    cause: int


@dataclass(frozen=True, slots=True)
class Cascade:
    """A preemption by a job that nobody had preempted, and all that followed from it.

    `steps` are (depth, position in the list of preemptions), each followed by what it caused.
    """

    steps: tuple[tuple[int, int], ...]

    @property
    def depth(self) -> int:
        """How many preemptions led to one another at most."""
        return 1 + max(depth for depth, _ in self.steps)


def preemptions(run: Run) -> tuple[Preemption, ...]:
    """Every preemption of `run`, in order."""
    lost = {(span.job, span.by, span.stop): span.lost_ms for span in run.spans if span.lost_ms}
    last: dict[int, int] = {}
    found: list[Preemption] = []
    for state, event in replayed(run):
        if event.kind is Kind.DISPATCHED:
            last.pop(event.job, None)
        elif event.kind is Kind.PREEMPTED:
            cause, thrown = last.get(event.by, NO_CAUSE), lost.get((event.job, event.by, event.at), 0)
            why = sentence(event, state)
            last[event.job] = len(found)
            found.append(Preemption(event.at, event.job, event.by, event.reason, why, thrown, cause))
    return tuple(found)


def cascades(found: Sequence[Preemption]) -> tuple[Cascade, ...]:
    """The cascades among the preemptions of a run: the longest first, then in order of time."""
    effects: dict[int, list[int]] = {}
    roots: dict[tuple[int, int], list[int]] = {}
    for place, preemption in enumerate(found):
        if preemption.cause == NO_CAUSE:
            roots.setdefault((preemption.at_ms, preemption.by), []).append(place)
        else:
            effects.setdefault(preemption.cause, []).append(place)
    told = [Cascade(tuple(_steps(places, effects))) for places in roots.values()]
    return tuple(sorted(told, key=lambda cascade: (-cascade.depth, -len(cascade.steps), cascade.steps[0][1])))


def _steps(places: Sequence[int], effects: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    """Depth first, without recursion: jobs can go on evicting each other for very long."""
    ahead = [(0, place) for place in reversed(places)]
    while ahead:
        depth, place = ahead.pop()
        yield depth, place
        ahead.extend((depth + 1, effect) for effect in reversed(effects.get(place, ())))
