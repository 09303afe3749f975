"""Strategies for workloads: jobs of every fate, and updates of jobs, shares and the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from quota_verifier.model import (
    EnvironmentUpdate,
    Failure,
    Job,
    JobUpdate,
    Queue,
    RetryRule,
    Share,
    ShareUpdate,
    Strategy,
    Update,
)
from quota_verifier.schedulability import largest_job
from quota_verifier.testing.queues import BORROW_LIMITS, UNITS
from quota_verifier.workload import Workload

_STATUS = "Received status from SageMaker: "
_REASONS = (f"{_STATUS}AlgorithmError", f"{_STATUS}InternalServerError", "CapacityError: no machines")
_PRIORITIES = st.sampled_from((0, 0, 1, 2, 9_999))


def _seconds(*choices: int) -> st.SearchStrategy[int]:
    """Whole seconds in milliseconds: few instants, so that much happens at one of them."""
    return st.sampled_from([second * 1_000 for second in choices])


_SUBMITS = _seconds(*range(12), 0, 0, 0, 15, 20)
_EARLY = _seconds(0, 0, 1, 2, 3, 8, 14)
_WORK = _seconds(10, 1, 2, 4, 5, 8, 12, 15, 20, 25, 30, 40, 0)
_AFTER = _seconds(*range(9))
_UPDATES = _seconds(*range(25))
_RARELY = st.sampled_from((False, False, False, False, False, False, True))
_ATTEMPTS = st.sampled_from((1, 1, 1, 2, 3))
_RETRIES = st.sampled_from((None, None, None, 0, 1))
_TIMEOUTS = st.sampled_from((None, None, None, None, None, None, None, None, None, 1_000, 5_000, 12_000))
_CHECKPOINTS = st.sampled_from((None, None, 1_000, 3_000))
_FAILURES = st.lists(st.builds(Failure, _AFTER, st.sampled_from(_REASONS)), min_size=1, max_size=3).map(tuple)
_GLOBS = st.sampled_from(("*", f"{_STATUS}Internal*", f"{_STATUS}AlgorithmError"))
_RULES = st.lists(st.builds(RetryRule, st.sampled_from(("RETRY", "EXIT")), _GLOBS), max_size=2).map(tuple)


@st.composite
def jobs(draw: st.DrawFn, queue: Queue, id: str) -> Job:
    """A job of one of the queue's shares, mostly one that can start there; sometimes on two units.

    The first share's jobs come early, so that it gets to borrow and others to reclaim.
    """
    first = queue.shares[0]
    share = draw(st.sampled_from((*queue.shares[::-1], *queue.shares[1:])))
    units = st.sampled_from((*(tuple(share.limits) * 12), UNITS[1]))
    unit = draw(units)
    demand = {unit: draw(_instances(queue, share, unit))}
    if len(queue.units) > 1 and draw(_RARELY):
        unit = draw(units)
        demand[unit] = draw(_instances(queue, share, unit))
    fails = draw(_RARELY)
    return Job(
        id,
        share.name,
        submit_ms=draw(_EARLY if share is first else _SUBMITS),
        work_ms=draw(_WORK),
        demand=demand,
        priority=draw(_PRIORITIES),
        attempts=draw(_ATTEMPTS),
        preemption_retries=draw(_RETRIES),
        timeout_ms=draw(_TIMEOUTS),
        checkpoint_ms=draw(_CHECKPOINTS),
        failures=draw(_FAILURES) if fails else (),
        retry_rules=draw(_RULES) if fails else (),
    )


def _instances(queue: Queue, share: Share, unit: str) -> st.SearchStrategy[int]:
    """Mostly within the share's own limit, sometimes the largest job (R21), rarely one more."""
    own, largest = max(1, share.limit(unit)), max(1, largest_job(queue, share, unit))
    within = range(1, own + 1)
    return st.sampled_from((1, own, 1, own, *within, *within, *range(1, largest + 2)))


def _limits(known: Mapping[str, int], units: Sequence[str]) -> st.SearchStrategy[dict[str, int]]:
    """New limits for some of the units: around the old ones, or away with the unit."""
    choices = {
        unit: st.integers(max(0, known.get(unit, 0) - 3), known.get(unit, 0) + 2) for unit in sorted({*known, *units})
    }
    return st.fixed_dictionaries({}, optional=choices)


@st.composite
def _job_updates(draw: st.DrawFn, jobs: Sequence[Job]) -> JobUpdate:
    job = draw(st.sampled_from(jobs))
    at_ms = job.submit_ms + draw(_AFTER)
    if draw(_RARELY):
        return JobUpdate(at_ms, job.id, terminate=True)
    return JobUpdate(at_ms, job.id, priority=draw(_PRIORITIES))


@st.composite
def _share_updates(draw: st.DrawFn, queue: Queue) -> ShareUpdate:
    share = draw(st.sampled_from(queue.shares))
    at_ms = draw(_UPDATES)
    match draw(st.integers(0, 4)):
        case 0:
            return ShareUpdate(at_ms, share.name, limits=draw(_limits(share.limits, queue.units)))
        case 1:
            strategy = draw(st.sampled_from(Strategy))
            percent = draw(st.sampled_from(BORROW_LIMITS)) if strategy.borrows else None
            return ShareUpdate(at_ms, share.name, strategy=strategy, borrow_limit=percent)
        case 2:
            return ShareUpdate(at_ms, share.name, borrow_limit=draw(st.sampled_from(BORROW_LIMITS[1:])))
        case 3:
            return ShareUpdate(at_ms, share.name, in_share_preemption=draw(st.booleans()))
        case _:
            return ShareUpdate(at_ms, share.name, enabled=draw(st.booleans()))


@st.composite
def _environment_updates(draw: st.DrawFn, queue: Queue) -> EnvironmentUpdate:
    at_ms = draw(_UPDATES)
    if draw(_RARELY):
        return EnvironmentUpdate(at_ms, enabled=draw(st.booleans()))
    return EnvironmentUpdate(at_ms, limits=draw(_limits(queue.environment.limits, queue.units)))


def updates(queue: Queue, jobs: Sequence[Job]) -> st.SearchStrategy[Update]:
    """An update of one of the jobs, of a share or of the environment, at a whole second."""
    of_queue: list[st.SearchStrategy[Update]] = [_share_updates(queue), _environment_updates(queue)]
    return st.one_of([_job_updates(jobs), *of_queue] if jobs else of_queue)


@st.composite
def workloads(draw: st.DrawFn, queue: Queue, max_jobs: int = 12, max_updates: int = 5) -> Workload:
    """Jobs for the shares of `queue`, and in one workload of four updates too."""
    least = draw(st.sampled_from((0, 6, 8, 8)))
    count = draw(st.integers(min(least, max_jobs), max_jobs))
    some_jobs = [draw(jobs(queue, f"j{index}")) for index in range(count)]
    many = draw(st.sampled_from((0, 0, 0, max_updates)))
    some_updates = draw(st.lists(updates(queue, some_jobs), max_size=many)) if many else []
    return Workload(tuple(some_jobs), tuple(some_updates))
