"""Random queues and workloads in which everything happens at once: small numbers, so that instants collide."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quota_verifier.model import (
    Environment,
    EnvironmentUpdate,
    Failure,
    Job,
    JobUpdate,
    Queue,
    RetryRule,
    Share,
    ShareUpdate,
    Strategy,
    TimeLimitAction,
    TimeLimitReason,
    Update,
)
from quota_verifier.scheduler import QUESTIONS, Assumptions, Delay, Timing
from quota_verifier.workload import Workload

UNITS = ("g5", "p5", "trn1")
REASONS = ("CapacityError: none left", "AlgorithmError: bad data", "AlgorithmError", "Spot reclaimed")
GLOBS = ("*", "AlgorithmError*", "AlgorithmError", "Job attempt duration*", "CapacityError*")


@dataclass(frozen=True, slots=True)
class ArbitraryWorld:
    """Everything that `simulate` takes."""

    queue: Queue
    workload: Workload
    assumptions: Assumptions
    timing: Timing
    until_ms: int | None


def arbitrary_world(seed: int, jobs: int = 0) -> ArbitraryWorld:
    """The world of a seed; about as many jobs as asked, or a few."""
    random = Random(seed)  # noqa: S311
    if seed % 2:
        return _rivalry(random, jobs)
    units = UNITS[: random.choice((1, 1, 1, 2, 3))]
    names = tuple("ABCD"[: random.randint(1, 4)])
    queue = _queue(random, units, names)
    count = jobs or random.choice((1, 3, 8, 15, 30, 60))
    span = random.choice((0, 5, 50, 300)) * max(1, count // 30)
    made = tuple(_job(random, index, units, names, span) for index in range(count))
    updates = tuple(_updates(random, made, units, names, span)) if random.random() < 0.6 else ()
    return ArbitraryWorld(
        queue, Workload(made, updates), _assumptions(random), _timing(random, units), _until(random, span)
    )


def _queue(random: Random, units: tuple[str, ...], names: tuple[str, ...]) -> Queue:
    shares = tuple(
        Share(
            name,
            _limits(random, units, 6),
            random.choice(tuple(Strategy)),
            random.choice((None, -1, 0, 33, 50, 100, 150, 200)),
            in_share_preemption=random.random() < 0.5,
            enabled=random.random() < 0.93,
        )
        for name in names
    )
    promised = {unit: sum(share.limit(unit) for share in shares) for unit in units}
    limits = {
        unit: max(0, promised[unit] + random.choice((0, 0, 0, -2, 1, 4))) for unit in units if random.random() < 0.95
    }
    limited = random.random() < 0.4
    reasons = random.sample(tuple(TimeLimitReason), random.randint(1, 3)) if limited else []
    actions = tuple(TimeLimitAction(reason, random.choice((0, 3, 10, 40))) for reason in reasons)
    environment = Environment(limits, enabled=random.random() < 0.97)
    return Queue(environment, shares, enabled=random.random() < 0.97, time_limits=actions)


def _rivalry(random: Random, jobs: int) -> ArbitraryWorld:
    """Shares that lend, borrow, reclaim and preempt nearly all the time."""
    units = UNITS[: random.choice((1, 1, 2))]
    names = tuple("ABCD"[: random.randint(2, 4)])
    shares = tuple(
        Share(
            name,
            {unit: random.randint(1, 6) for unit in units},
            random.choice((Strategy.LEND_AND_BORROW, Strategy.LEND_AND_BORROW, Strategy.LEND, Strategy.RESERVE)),
            random.choice((None, -1, 50, 100, 100, 200)),
            in_share_preemption=random.random() < 0.6,
        )
        for name in names
    )
    environment = Environment({unit: sum(share.limit(unit) for share in shares) for unit in units})
    count = jobs or random.choice((10, 30, 60))
    span = count * random.choice((1, 3, 8))
    made = tuple(
        Job(
            str(index),
            random.choice(names),
            random.randint(0, span),
            random.choice((5, 20, 50, 100)),
            {unit: random.choice((1, 1, 1, 2, 4)) for unit in random.sample(units, random.randint(1, len(units)))},
            priority=random.choice((0, 0, 1, 2, 3)),
            preemption_retries=random.choice((None, None, None, 3)),
            checkpoint_ms=random.choice((None, 5, 10)),
        )
        for index in range(count)
    )
    updates = tuple(_updates(random, made, units, names, span)) if random.random() < 0.3 else ()
    workload = Workload(made, updates)
    return ArbitraryWorld(
        Queue(environment, shares), workload, _assumptions(random), _timing(random, units), _until(random, span)
    )


def _limits(random: Random, units: tuple[str, ...], most: int) -> dict[str, int]:
    return {unit: random.randint(0, most) for unit in units if random.random() < 0.85}


def _job(random: Random, index: int, units: tuple[str, ...], names: tuple[str, ...], span: int) -> Job:
    asked = random.sample(units, 1 if random.random() < 0.7 else random.randint(1, len(units)))
    big = random.random() < 0.1
    return Job(
        f"j{random.choice((1, 7, 10, 100))}-{index}",
        random.choice(names),
        random.randint(0, span),
        random.choice((0, 1, 5, 10, 10, 40, 100)),
        {unit: random.randint(1, 8 if big else 3) for unit in asked},
        priority=random.choice((0, 0, 0, 1, 2, 5)),
        attempts=random.choice((1, 1, 2, 3)),
        preemption_retries=random.choice((None, None, None, 0, 1, 2)),
        timeout_ms=random.choice((None, None, None, None, 0, 4, 30)),
        checkpoint_ms=random.choice((None, None, 0, 1, 3, 10)),
        failures=tuple(Failure(random.choice((0, 2, 8, 30)), random.choice(REASONS)) for _ in range(_few(random))),
        retry_rules=tuple(
            RetryRule(random.choice(("RETRY", "EXIT")), random.choice(GLOBS)) for _ in range(_few(random))
        ),
    )


def _few(random: Random) -> int:
    return random.choice((0, 0, 0, 0, 1, 2, 3))


def _updates(
    random: Random, jobs: tuple[Job, ...], units: tuple[str, ...], names: tuple[str, ...], span: int
) -> list[Update]:
    updates: list[Update] = []
    for _ in range(random.choice((1, 3, 10))):
        at = random.randint(0, span + 60)
        match random.choice(("job", "job", "share", "environment")):
            case "job":
                job = random.choice(jobs)
                priority = random.choice((None, 0, 1, 3, 6))
                updates.append(JobUpdate(max(at, job.submit_ms), job.id, priority, random.random() < 0.25))
            case "share":
                updates.append(
                    ShareUpdate(
                        at,
                        random.choice(names),
                        random.choice((None, _limits(random, units, 6))),
                        random.choice((None, *Strategy)),
                        random.choice((None, -1, 0, 50, 200)),
                        random.choice((None, True, False)),
                        random.choice((None, None, True, False)),
                    )
                )
            case _:
                limits = random.choice((None, _limits(random, units, 14)))
                updates.append(EnvironmentUpdate(at, limits, random.choice((None, True, True, False))))
    return updates


def _assumptions(random: Random) -> Assumptions:
    if random.random() < 0.2:
        return Assumptions()
    return Assumptions(**{question.field: random.choice(question.choices) for question in QUESTIONS})  # type: ignore[arg-type]


def _timing(random: Random, units: tuple[str, ...]) -> Timing:
    if random.random() < 0.3:
        return Timing()

    def delay() -> Delay:
        by_unit = {unit: random.choice((0, 2, 7)) for unit in units if random.random() < 0.4}
        return Delay(random.choice((0, 0, 1, 5)), by_unit)

    return Timing(delay(), delay(), delay())


def _until(random: Random, span: int) -> int | None:
    return random.randint(0, span + 80) if random.random() < 0.4 else None
