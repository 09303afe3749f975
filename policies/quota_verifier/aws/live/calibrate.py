"""Which answers to A1-A10 tell a history best, and which questions it leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from quota_verifier.aws.live.likeness import Likeness, likeness
from quota_verifier.aws.live.measured import MeasuredTiming, measured_timing
from quota_verifier.aws.live.past_jobs import History
from quota_verifier.aws.live.replay import horizon_ms, replay
from quota_verifier.errors import InputError
from quota_verifier.model import Queue, Update
from quota_verifier.scheduler import QUESTIONS, Assumptions, Timing, profiles, simulate
from quota_verifier.words import did_you_mean
from quota_verifier.workload import Workload

LEAST_TOLERANCE_MS = 1_000
MOST_ROUNDS = 10
"""Each round must fit better than the one before, so there are few."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A profile and how well it tells the history; `as_best` where every figure is that of the best one."""

    assumptions: Assumptions
    likeness: Likeness
    as_best: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What a history says of one question, all other answers being those of the best profile.

    `alike` are answers that predict the same as the best one's, `worse` those that fit worse, in the order of
    the choices; both without `best` itself.
    """

    id: str
    text: str
    best: str
    alike: tuple[str, ...]
    worse: tuple[str, ...]

    @property
    def told_apart(self) -> bool:
        """Whether every other answer fits worse."""
        return not self.alike


@dataclass(frozen=True, slots=True)
class Calibration:
    """The profiles that were tried, best first, around the one that fits best.

    `first` is how the default answers fit; `rounds` how often the search moved to a better profile.
    """

    history: History
    queue: Queue
    measured: MeasuredTiming
    timing: Timing
    tolerance_ms: int
    first: Fit
    fits: tuple[Fit, ...]
    questions: tuple[Question, ...]
    rounds: int

    @property
    def best(self) -> Fit:
        """The profile that fits best; of several that are alike, the one nearest to the defaults."""
        return self.fits[0]


def calibrate(
    queue: Queue,
    history: History,
    *,
    updates: Callable[[Workload], Sequence[Update]] | None = None,
    timing: Timing | None = None,
    tolerance_ms: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Calibration:
    """Replay `history` on `queue` under the default answers and each single other one, then around the best so far.

    `updates` tells what was changed meanwhile, which the API does not remember. `timing` and `tolerance_ms` are
    measured where they are not given. The result is the same for the same input. Raises InputError for a share that
    the queue does not have.
    """
    _check_shares(queue, history)
    measured = measured_timing(history)
    used = timing or measured.timing
    tolerance = LEAST_TOLERANCE_MS + measured.spread_ms if tolerance_ms is None else tolerance_ms
    workload = replay(history, used.stop.default_ms)
    if updates is not None:
        workload = replace(workload, updates=(*workload.updates, *updates(workload)))
    tried: dict[Assumptions, Fit] = {}

    def fit(profile: Assumptions) -> Fit:
        if profile not in tried:
            run = simulate(queue, workload, assumptions=profile, timing=used, until_ms=horizon_ms(history))
            tried[profile] = Fit(profile, likeness(history, run, tolerance))
            if progress is not None:
                progress(len(tried))
        return tried[profile]

    best, rounds = _best_around(fit)
    around = [fit(profile) for profile in profiles("one-at-a-time", best.assumptions)]
    fits = sorted(around, key=lambda one: (one.likeness.rank, one.likeness.predictions != best.likeness.predictions))
    return Calibration(
        history=history,
        queue=queue,
        measured=measured,
        timing=used,
        tolerance_ms=tolerance,
        first=fit(Assumptions()),
        fits=tuple(replace(one, as_best=one.likeness.predictions == best.likeness.predictions) for one in fits),
        questions=tuple(_questions(best, {one.assumptions: one for one in around})),
        rounds=rounds,
    )


def _best_around(fit: Callable[[Assumptions], Fit]) -> tuple[Fit, int]:
    """Start from the defaults and go to the best neighbour, as long as there is a better one."""
    best = fit(Assumptions())
    for rounds in range(MOST_ROUNDS):
        nearest = min((fit(profile) for profile in profiles("one-at-a-time", best.assumptions)), key=_rank)
        if _rank(nearest) >= _rank(best):
            return best, rounds
        best = nearest
    return best, MOST_ROUNDS


def _rank(one: Fit) -> tuple[int, int, int]:
    return one.likeness.rank


def _questions(best: Fit, around: Mapping[Assumptions, Fit]) -> Iterator[Question]:
    for question in QUESTIONS:
        answer: str = getattr(best.assumptions, question.field)
        others = [choice for choice in question.choices if choice != answer]
        alike = [
            choice
            for choice in others
            if around[replace(best.assumptions, **{question.field: choice})].likeness.rank == best.likeness.rank
        ]
        worse = tuple(choice for choice in others if choice not in alike)
        yield Question(question.id, question.text, answer, tuple(alike), worse)


def _check_shares(queue: Queue, history: History) -> None:
    known = [share.name for share in queue.shares]
    for job in history.jobs:
        if job.share not in known:
            problem = f"job {job.id} ran in the share {job.share!r}, which the queue {queue.name!r} does not have"
            raise InputError(problem, source=history.source, remedy=did_you_mean(job.share, known))
