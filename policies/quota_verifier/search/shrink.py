"""Shrinking: smaller and smaller counterexamples, until no single step leaves the claim broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quota_verifier.policy.measured import Measured
from quota_verifier.search.envelope import Envelope
from quota_verifier.search.judge import Judge, breaks
from quota_verifier.search.shrink_steps import Candidate, steps


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest that was reached. `tried` steps were judged, `taken` of them taken.

    `complete` says that no single step leaves the claim broken; it is False where time ran out before.
    """

    candidate: Candidate
    measured: Measured
    tried: int
    taken: int
    complete: bool


def shrunk(
    judge: Judge,
    envelope: Envelope,
    claim: int,
    start: Candidate,
    measured: Measured,
    out_of_time: Callable[[], bool],
) -> Shrunk:
    """The counterexample `start` made smaller; `measured` is what its claim comes to.

    After a step that was taken, those behind it are tried first: what did not work before seldom does now.
    """
    here, found, tried, taken, at = start, measured, 0, 0, 0
    known: set[Candidate] = set()
    while True:
        candidates = list(steps(envelope, judge.base, here))
        for turn in range(len(candidates)):
            place = (at + turn) % len(candidates)
            step = candidates[place]
            if step in known:
                continue
            if out_of_time():
                return Shrunk(here, found, tried, taken, complete=False)
            known.add(step)
            tried += 1
            judged = judge.finding(step.drafts, claim, step.profile)
            if judged is not None and breaks(judged):
                here, found, taken, at = step, judged, taken + 1, place
                break
        else:
            return Shrunk(here, found, tried, taken, complete=True)
