"""The kernel gives the reference's run, record for record, on any input."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from arbitrary_worlds import ArbitraryWorld, arbitrary_world
from hypothesis import given

from quota_verifier.model import Environment, Job, JobUpdate, Queue, Share, Strategy
from quota_verifier.scheduler import Assumptions, Delay, Timing, assume, simulate
from quota_verifier.scheduler.columns import event_columns, outcome_columns, span_columns
from quota_verifier.scheduler.engines import Engine
from quota_verifier.scheduler.kernel import tables
from quota_verifier.scheduler.run import Run
from quota_verifier.testing import World, worlds
from quota_verifier.testing.profiles import property_settings
from quota_verifier.workload import Workload
from quota_verifier.workload.columns import columns_of, job_list, workload_columns

pytestmark = pytest.mark.xdist_group("kernel")

AWKWARD = (41, 99, 147, 379, 1238, 3349, 4893)
"""Seeds whose worlds told the engines apart while the kernel was written."""


def _run(world: ArbitraryWorld, engine: Engine) -> Run:
    return simulate(
        world.queue,
        world.workload,
        assumptions=world.assumptions,
        timing=world.timing,
        until_ms=world.until_ms,
        engine=engine,
    )


def _assert_equal(reference: Run, kernel: Run) -> None:
    assert (reference.engine, kernel.engine) == ("reference", "kernel")
    for number, (right, found) in enumerate(zip(reference.events, kernel.events, strict=False)):
        assert found == right, f"event {number}"
    assert list(kernel.events) == list(reference.events)
    assert list(kernel.spans) == list(reference.spans)
    assert list(kernel.outcomes) == list(reference.outcomes)
    assert kernel.end_ms == reference.end_ms
    assert (kernel.queue, kernel.updates, kernel.jobs) == (reference.queue, reference.updates, reference.jobs)


@pytest.mark.parametrize("first", range(0, 800, 100))
def test_a_hundred_arbitrary_worlds_run_alike(first: int):
    for seed in range(first, first + 100):
        world = arbitrary_world(seed)
        _assert_equal(_run(world, "reference"), _run(world, "kernel"))


@pytest.mark.parametrize("seed", AWKWARD)
def test_worlds_that_told_the_engines_apart_run_alike(seed: int):
    world = arbitrary_world(seed)
    _assert_equal(_run(world, "reference"), _run(world, "kernel"))


@pytest.mark.parametrize("seed", range(1000, 1010))
def test_worlds_of_hundreds_of_jobs_run_alike(seed: int):
    world = arbitrary_world(seed, jobs=400)
    _assert_equal(_run(world, "reference"), _run(world, "kernel"))


@property_settings(150)
@given(world=worlds())
def test_any_world_runs_alike(world: World):
    _assert_equal(world.run(engine="reference"), world.run(engine="kernel"))


@pytest.mark.parametrize("seed", range(1, 40, 2))
def test_tables_that_must_grow_in_the_middle_of_a_pass_change_nothing(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tables, "EVENTS_A_JOB", 0)
    monkeypatch.setattr(tables, "SPANS_A_JOB", 0.0)
    monkeypatch.setattr(tables, "FIRST_ROOM", 0)
    world = arbitrary_world(seed)
    _assert_equal(_run(world, "reference"), _run(world, "kernel"))


@pytest.mark.parametrize("seed", range(20))
def test_jobs_in_columns_run_like_jobs_in_records_and_stay_as_they_are(seed: int):
    world = arbitrary_world(seed)
    columns = columns_of(world.workload.jobs)
    listed = ArbitraryWorld(
        world.queue,
        Workload(job_list(columns), world.workload.updates),
        world.assumptions,
        world.timing,
        world.until_ms,
    )
    _assert_equal(_run(world, "reference"), _run(listed, "kernel"))
    assert job_list(columns) == world.workload.jobs
    _assert_equal(_run(listed, "reference"), _run(listed, "kernel"))


@pytest.mark.parametrize("seed", range(10))
def test_columns_of_either_engine_hold_the_same_rows(seed: int):
    runs = [_run(arbitrary_world(seed), engine) for engine in ("reference", "kernel")]
    for columns_of_run in (event_columns, span_columns):
        right, found = (columns_of_run(run) for run in runs)
        for name in right.__dataclass_fields__:
            assert getattr(found, name).tolist() == getattr(right, name).tolist(), name
    right, found = (outcome_columns(run) for run in runs)
    for name in ("state", "reason", "first_start", "end", "preemptions", "lost_ms"):
        assert getattr(found, name).tolist() == getattr(right, name).tolist(), name
    texts = [[table.details[code] for code in table.detail] for table in (right, found)]
    assert texts[0] == texts[1]


def test_records_of_the_kernel_are_sequences_like_any_other():
    run = _run(arbitrary_world(9), "kernel")
    events = list(run.events)
    assert len(run.events) == len(events) > 10
    assert run.events[3] == events[3]
    assert run.events[-1] == events[-1]
    assert run.events[2:7] == events[2:7]
    assert run.events[::-3] == events[::-3]
    assert events[4] in run.events
    assert run.events == events
    assert events == run.events
    assert run.events != events[1:]
    with pytest.raises(IndexError):
        run.events[len(events)]


def test_a_run_can_be_sent_to_another_process():
    world = arbitrary_world(9)
    listed = Workload(job_list(columns_of(world.workload.jobs)), world.workload.updates)
    run = simulate(world.queue, listed, assumptions=world.assumptions, timing=world.timing, engine="kernel")
    sent = pickle.loads(pickle.dumps(run))  # noqa: S301
    assert sent == run
    assert list(sent.events) == list(run.events)
    assert list(sent.jobs) == list(run.jobs)


def test_one_workload_runs_again_and_again_alike():
    world = arbitrary_world(17)
    first, columns = _run(world, "kernel"), workload_columns(world.workload)
    kept = columns.submit_ms.copy()
    assert _run(world, "kernel").events == first.events
    assert np.array_equal(kept, columns.submit_ms)


LENDER = Queue(
    Environment({"g5": 4}),
    (
        Share("A", {"g5": 2}, Strategy.LEND_AND_BORROW, in_share_preemption=True),
        Share("B", {"g5": 2}, Strategy.LEND_AND_BORROW, 50, in_share_preemption=True),
    ),
)


def _jobs(*rows: tuple[str, str, int, int, int, int]) -> tuple[Job, ...]:
    return tuple(
        Job(name, share, at, work, {"g5": count}, priority=priority) for name, share, at, work, count, priority in rows
    )


@pytest.mark.parametrize(
    ("jobs", "updates", "choices", "stop"),
    [
        pytest.param(
            _jobs(
                ("a1", "A", 0, 50, 2, 0), ("a2", "A", 0, 50, 2, 0), ("b1", "B", 5, 20, 1, 0), ("b2", "B", 6, 20, 1, 0)
            ),
            (),
            (),
            7,
            id="capacity that stops for one owner is not given to the next (R14)",
        ),
        pytest.param(
            _jobs(
                ("a1", "A", 0, 50, 1, 1), ("a2", "A", 0, 50, 1, 1), ("a3", "A", 1, 50, 2, 3), ("b1", "B", 2, 9, 2, 0)
            ),
            (JobUpdate(3, "a1", priority=5), JobUpdate(4, "a3", terminate=True)),
            ("A9=preempt-first",),
            3,
            id="a preemptor is terminated while its victims stop",
        ),
        pytest.param(
            _jobs(
                ("a1", "A", 0, 50, 1, 2), ("a2", "A", 0, 50, 1, 1), ("a3", "A", 0, 50, 2, 0), ("b1", "B", 0, 9, 2, 0)
            ),
            (JobUpdate(0, "a3", priority=9), JobUpdate(0, "a1", terminate=True)),
            ("A8=back", "A3=head-since"),
            0,
            id="updates at the instant of submission",
        ),
        pytest.param(
            _jobs(*((f"a{i}", "A", 0, 0, 1, i % 2) for i in range(9)), ("b1", "B", 0, 0, 2, 0)),
            (),
            ("A2=round-robin",),
            0,
            id="jobs without work end at the instant of their start",
        ),
    ],
)  # fmt: skip
def test_named_situations_run_alike(
    jobs: tuple[Job, ...], updates: tuple[JobUpdate, ...], choices: tuple[str, ...], stop: int
):
    world = ArbitraryWorld(
        LENDER, Workload(jobs, updates), assume(choices, Assumptions()), Timing(stop=Delay(stop)), until_ms=None
    )
    _assert_equal(_run(world, "reference"), _run(world, "kernel"))


def test_ten_thousand_waiting_jobs_of_many_priorities_and_shapes_run_alike():
    rows = np.arange(10_000)
    jobs = tuple(
        Job(str(row), "AB"[row % 2], int(row // 50), int(row * 7 % 90), {"g5": int(row * 3 % 4) + 1}, int(row * 11 % 7))
        for row in rows
    )
    world = ArbitraryWorld(LENDER, Workload(jobs), Assumptions(), Timing(stop=Delay(2)), until_ms=2000)
    _assert_equal(_run(world, "reference"), _run(world, "kernel"))
