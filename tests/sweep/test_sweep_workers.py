"""Runs count once each, in whatever order they come, however often they are done, and whoever dies."""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_context

import pytest
from sweep_helpers import GENERATED, LIMITS, document, planned, ran

from quota_verifier.errors import InputError
from quota_verifier.sweep.executors import Here, processes
from quota_verifier.sweep.run import run_units
from quota_verifier.sweep.sweep import run_sweep
from quota_verifier.sweep.unit import simulated

PLAN = planned(LIMITS, seeds=4)
EXPECTED = document(ran(PLAN))
UNITS = 8
"""Two different queues with four seeds each."""


class Backwards(Executor):
    """Runs what it was given, the last first, and each of it twice, as a cluster may."""

    def __init__(self, expected: int) -> None:
        self.given, self.expected, self.runs = [], expected, 0

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.given.append((future, fn, args))
        if len(self.given) == self.expected:
            for waiting, function, arguments in reversed(self.given):
                first, second = function(*arguments), function(*arguments)
                self.runs += 2
                assert first == second
                waiting.set_result(second)
        return future


class Deadly(ProcessPoolExecutor):
    """A real pool whose worker ends, without a word, when it gets a unit whose label holds `poison`."""

    def __init__(self, poison: str) -> None:
        super().__init__(2, mp_context=get_context("spawn"))
        self.poison = poison

    def submit(self, fn, /, *args, **kwargs):
        if self.poison in args[0].label:
            return super().submit(os._exit, 1)
        return super().submit(fn, *args, **kwargs)


def killing_one_after(count: int, others):
    """Progress that kills a worker process once `count` units are done."""

    def done(finished: int, total: int) -> None:
        if finished == count:
            worker = next(child for child in active_children() if child not in others)
            worker.kill()

    return done


def test_the_order_in_which_results_come_changes_nothing():
    executor = Backwards(expected=UNITS)
    assert document(run_sweep(PLAN, executor)) == EXPECTED
    assert executor.runs == 2 * UNITS


def test_any_executor_will_do():
    with ThreadPoolExecutor(3) as executor:
        assert document(run_sweep(PLAN, executor, in_flight=2)) == EXPECTED


def test_progress_counts_every_unit_once():
    told = []
    ran(PLAN, progress=lambda done, total: told.append((done, total)))
    assert told == [(count, UNITS) for count in range(1, UNITS + 1)]


def test_what_is_known_is_not_run_again():
    units = list(PLAN.units())
    told = []
    known = {unit.key: simulated(unit) for unit in units[:3]}
    found = ran(PLAN, results=known, progress=lambda done, total: told.append(total))
    assert document(found) == EXPECTED
    assert set(told) == {UNITS - 3}


def test_processes_give_what_one_process_gives():
    with processes(2) as workers:
        found = run_sweep(PLAN, workers.executor, renew=workers.renew, in_flight=workers.in_flight)
    assert document(found) == EXPECTED


def test_a_worker_process_that_is_killed_loses_nothing():
    others = set(active_children())
    with processes(2) as workers:
        found = run_sweep(
            PLAN,
            workers.executor,
            renew=workers.renew,
            in_flight=workers.in_flight,
            progress=killing_one_after(2, others),
        )
    assert document(found) == EXPECTED


def test_after_a_death_the_fresh_processes_serve_on():
    others = set(active_children())
    units, results = list(PLAN.units()), {}
    with processes(2) as workers:
        first = workers.executor
        workers.run(units[:6], results, killing_one_after(2, others))
        second = workers.executor
        workers.run(units, results)
        assert first is not second
        assert workers.executor is second
    assert document(ran(PLAN, results=results)) == EXPECTED


def test_a_unit_that_kills_its_worker_twice_is_named_and_the_others_are_kept():
    results = {}
    pools = []

    def fresh():
        pools.append(Deadly("'A.borrow_limit=0', policy.yaml, seed 3"))
        return pools[-1]

    with pytest.raises(InputError) as caught:
        run_units(PLAN.units(), fresh(), results, renew=fresh, in_flight=3)
    for pool in pools:
        pool.shutdown()
    assert str(caught.value) == (
        "variant 'A.borrow_limit=0', policy.yaml, seed 3: the worker that ran it died twice; "
        "perhaps it needs more memory; with --out, what is finished is kept for --resume"
    )
    assert len(results) >= 5
    assert document(ran(PLAN, results=results)) == EXPECTED


def test_without_a_fresh_executor_a_dead_worker_is_an_error():
    with Deadly("seed 1") as pool, pytest.raises(InputError, match=r"seed 1: its worker died"):
        run_units(PLAN.units(), pool, {})


def test_ctrl_c_keeps_the_results_that_are_there():
    def interrupt(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    results = {}
    with pytest.raises(KeyboardInterrupt):
        run_units(PLAN.units(), Here(), results, in_flight=1, progress=interrupt)
    assert len(results) == 3
    assert document(ran(PLAN, results=results)) == EXPECTED


def test_processes_are_stopped_where_the_sweep_is_given_up():
    before = set(active_children())
    endless = planned(policies=[GENERATED.replace("duration: 8h", "duration: 300d")], seeds=2)
    started = time.monotonic()

    def give_up():
        with processes(2) as workers:
            futures = [workers.executor.submit(simulated, unit) for unit in endless.units()]
            while not any(future.running() for future in futures):
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert set(active_children()) <= before
    assert time.monotonic() - started < 10


def test_a_bug_in_a_unit_names_it():
    class Buggy(Executor):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.set_exception(ZeroDivisionError("oops"))
            return future

    with pytest.raises(ZeroDivisionError) as caught:
        run_units(PLAN.units(), Buggy(), {})
    assert caught.value.__notes__ == ["in variant 'baseline', policy.yaml, seed 1"]
