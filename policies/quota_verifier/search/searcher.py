"""search(): a queue and a policy in, a counterexample out, or an honest account of where there was none."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from time import monotonic

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.policy.claims import MeasureClaim
from quota_verifier.policy.policy import Policy, read_policy
from quota_verifier.policy.verdicts import changes
from quota_verifier.policy.wording import plural
from quota_verifier.scheduler.assumptions import Assumptions, Profiles, profiles
from quota_verifier.scheduler.assumptions import assume as assumptions_from
from quota_verifier.search.candidates import Chosen, choose
from quota_verifier.search.envelope import Envelope, jobs_of
from quota_verifier.search.gaps import gaps, most_jobs_possible
from quota_verifier.search.hunt import Bounds, Hunt, hunt
from quota_verifier.search.judge import Judge
from quota_verifier.search.patterns import Setting
from quota_verifier.search.read_envelope import envelope_of
from quota_verifier.search.results import ClaimOutcome, Counterexample, SearchResult
from quota_verifier.search.shrink import shrunk
from quota_verifier.template import read_queue

FindQueue = Callable[[str | None], Queue]
"""Finds the job queue that a policy names; None where it names none."""

SECONDS = 30.0
TRIES_A_SECOND = 40
"""Workloads to try for each second that is allowed; machines mostly do more, so that time does not decide."""

MOST_JOBS = 24
_HUNTING = 0.8
"""The part of the time after which hunting ends, so that some is left to shrink what it found."""

_ENOUGH = {"p50": 2, "p90": 10, "p95": 20, "p99": 100}
"""With fewer jobs a nearest-rank percentile is the largest value."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search goes.

    `tries` None stands for TRIES_A_SECOND workloads a second of `seconds`. `seconds` None sets no limit of time: the
    result then depends on nothing but the arguments. `at_least` asks for so many jobs of a claim's subject.
    """

    seed: int = 0
    tries: int | None = None
    seconds: float | None = SECONDS
    most_jobs: int = MOST_JOBS
    at_least: int = 1


def search(
    queue: Queue | str | PathLike[str] | FindQueue,
    policy: Policy | str | PathLike[str],
    *,
    claims: Sequence[str] = (),
    limits: Limits | None = None,
    under: Profiles | None = None,
    assume: Assumptions | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    clock: Callable[[], float] = monotonic,
) -> SearchResult:
    """Look for a workload that the policy's envelope allows and that breaks one of its claims; shrink it.

    `queue`, `under` and `assume` are as in `verify`; `all` profiles are those of `one-at-a-time` here. `claims` picks
    claims by number, name or a part of their text. `progress` is told how many workloads were tried, and of how many.
    `clock` tells the time in seconds. Raises InputError for a policy that does not say which workloads may come, and
    as `verify` does.
    """
    limits = limits or Limits()
    started = clock()
    read = policy if isinstance(policy, Policy) else read_policy(policy)
    found = _queue(queue, read)
    envelope = envelope_of(read, found)
    _check(limits, envelope, read)
    chosen = choose(read, found, envelope, claims)
    base = assume if isinstance(assume, Assumptions) else assumptions_from(assume or (), read.assumptions)
    which = under or read.under
    judged = tuple(profiles("default" if which == "default" else "one-at-a-time", base))
    judge = Judge(found, read, envelope, [claim for _, claim in chosen.searched], judged, limits.at_least)
    most_jobs = max(limits.most_jobs, limits.at_least)
    bounds = Bounds(_tries(limits), limits.seed, limits.at_least, _alarm(clock, started, limits.seconds, _HUNTING))
    outcome = hunt(judge, Setting(envelope, found, read.timing, most_jobs), bounds, progress)
    hit = _counterexample(judge, envelope, chosen, outcome, limits, _alarm(clock, started, limits.seconds, 1))
    return SearchResult(
        policy=read,
        envelope=envelope,
        seed=limits.seed,
        tries=bounds.tries,
        seconds=limits.seconds,
        most_jobs=most_jobs,
        at_least=limits.at_least,
        profiles=len(judged),
        workloads=outcome.tried,
        patterns=outcome.patterns,
        simulations=judge.simulations,
        stop=outcome.stop,
        claims=_outcomes(chosen, outcome, base),
        counterexample=hit,
        not_searched=gaps(outcome, bounds, envelope, found, most_jobs, judged),
    )


def _queue(queue: Queue | str | PathLike[str] | FindQueue, policy: Policy) -> Queue:
    if isinstance(queue, Queue):
        return queue
    return queue(policy.queue) if callable(queue) else read_queue(os.fspath(queue), queue=policy.queue)


def _tries(limits: Limits) -> int:
    if limits.tries is not None:
        return limits.tries
    return max(1, int((SECONDS if limits.seconds is None else limits.seconds) * TRIES_A_SECOND))


def _check(limits: Limits, envelope: Envelope, policy: Policy) -> None:
    possible = most_jobs_possible(envelope)
    if not envelope.kinds:
        raise InputError("no class of the envelope can submit anything", source=policy.source)
    if possible is not None and limits.at_least > possible:
        raise InputError(
            f"workloads of {limits.at_least} jobs are asked for, but the envelope allows {plural(possible, 'job')}",
            source=policy.source,
            remedy="ask for fewer, or allow more",
        )


def _alarm(clock: Callable[[], float], started: float, seconds: float | None, part: float) -> Callable[[], bool]:
    if seconds is None:
        return lambda: False
    end = started + seconds * part
    return lambda: clock() >= end


def _counterexample(
    judge: Judge,
    envelope: Envelope,
    chosen: Chosen,
    outcome: Hunt,
    limits: Limits,
    out_of_time: Callable[[], bool],
) -> Counterexample | None:
    hit = outcome.hit
    if hit is None:
        return None
    number, claim = chosen.searched[hit.claim]
    small = shrunk(judge, envelope, hit.claim, hit.candidate, hit.measured, out_of_time)
    run = judge.run(small.candidate.drafts, small.candidate.profile)
    subjects = sum(judge.subjects(hit.claim, job) for job in run.jobs)
    return Counterexample(
        number=number,
        claim=claim,
        measured=small.measured,
        jobs=tuple(jobs_of(envelope, small.candidate.drafts)),
        run=run,
        assumptions=small.candidate.profile,
        changed=changes(small.candidate.profile, judge.base),
        found_as=outcome.tried,
        made_by=hit.made_by,
        found_jobs=len(hit.candidate.drafts),
        steps_tried=small.tried,
        steps_taken=small.taken,
        complete=small.complete,
        notes=_notes(claim, subjects, limits.at_least),
    )


def _notes(claim: MeasureClaim, subjects: int, at_least: int) -> tuple[str, ...]:
    """How to take a claim that is about many jobs, and broken by few."""
    enough = _ENOUGH.get(claim.part, 0)
    if at_least < enough and subjects < enough:
        which = f"{claim.part} of fewer than {enough} jobs is the worst of them"
        return (f"{which}; --at-least {enough} asks for workloads with so many",)
    if claim.measure in ("utilization", "idle_reserved") and at_least == 1:
        return (f"capacity over {plural(subjects, 'job')} of its subject; --at-least asks for more",)
    return ()


def _outcomes(chosen: Chosen, outcome: Hunt, base: Assumptions) -> tuple[ClaimOutcome, ...]:
    """In the order of the policy."""
    left = [ClaimOutcome(number, claim, "not searched", reason) for number, claim, reason in chosen.left]
    searched: list[ClaimOutcome] = []
    for place, (number, claim) in enumerate(chosen.searched):
        kept = outcome.nearest[place].kept
        near = kept[0] if kept else None
        searched.append(
            ClaimOutcome(
                number,
                claim,
                "broken" if outcome.hit is not None and outcome.hit.claim == place else "not broken",
                nearest=near.measured if near else None,
                nearest_under=changes(near.profile, base) if near else (),
            )
        )
    return tuple(sorted([*left, *searched], key=lambda row: row.number))
