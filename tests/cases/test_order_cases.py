"""Public cases about order, limits and events of one instant: C03, C10, C11, C14, C17, C44-C46."""

from __future__ import annotations

from itertools import permutations
from time import process_time

import pytest

from quota_verifier.model import JobUpdate
from quota_verifier.scheduler import simulate
from quota_verifier.scheduler.run import State
from quota_verifier.workload import Workload


@pytest.mark.parametrize("limit", ["", "-1"])
def test_c03_an_absent_limit_and_minus_one_are_unlimited(world, limit):
    played = world("g5 8", f"A 4 L&B {limit} in-share; B 4 LEND", "a1 A 0 long 4 p1; a2 A 1 long 4 p5")
    played.expect(a1="0-", a2="1-")
    assert played.preemptions == []


def test_c03_a_limit_of_zero_is_no_borrowing(world):
    played = world("g5 8", "A 4 L&B 0 in-share; B 4 LEND", "a1 A 0 long 4 p1; a2 A 1 long 4 p5")
    assert played.preemptions == ["1 a1 by a2"]
    played.expect(a2="1-", a1="0-1 ousted by a2, waits")


C10_JOBS = "x S 0 1000 b300=2; j1 S 1 10 b300=1; j2 S 2 10 b200=1; j3 S 2 10 b200=2; j4 S 2 10 b200=1"


@pytest.mark.parametrize(("answer", "start"), [("A1=strict", "1000"), ("A1=per-unit", "2")])
def test_c10_whether_a_head_of_one_type_blocks_the_others_is_an_assumption(world, answer, start):
    played = world("b300 2, b200 5", "S b300=2,b200=5 RESERVE", C10_JOBS, assuming=answer)
    for job in ("j2", "j3", "j4"):
        assert played[job].startswith(f"{start}-")
    assert played["j1"].startswith("1000-")


@pytest.mark.parametrize(("answer", "end"), [("A1=strict", 21_000), ("A1=per-unit", 20_002)])
def test_c10_a_backlog_of_ten_thousand_jobs_is_not_scanned_from_its_start_at_every_step(world, answer, end):
    backlog = [f"j{n:05} S 2 10 b200=1" for n in range(10_000)]
    before = process_time()
    played = world(
        "b300 2, b200 5", "S b300=2,b200=5 RESERVE", ["x S 0 1000 b300=2", "h S 1 10 b300=1", *backlog], assuming=answer
    )
    assert played.starts[-1] == "j09999"
    assert max(outcome.end for outcome in played.run.outcomes) == end * 1_000
    assert process_time() - before < 20


@pytest.mark.parametrize(("answer", "start"), [("A1=strict", 100), ("A1=skip", 1060)])
def test_c11_a_large_job_waits_for_ever_longer_where_small_ones_slip_past(world, answer, start):
    small = [f"s{n:03} S {2 + 5 * n} 50 10" for n in range(200)]
    played = world(
        "g5 100", "S 100 RESERVE", ["j1 S 0 100 30", "j2 S 0 110 30", "j3 S 1 100 50", *small], assuming=answer
    )
    played.expect(j3=f"{start}-{start + 100}")


def test_c14_limits_are_tested_after_the_planned_evictions(world):
    played = world("g5 4", "R 4 RESERVE in-share", "r1 R 0 long 2 p1; r2 R 0 long 2 p1; h R 5 long 2 p5")
    assert len(played.preemptions) == 1
    played.expect(h="5-")
    assert len(played.running(5)) == 2


def test_c17_a_lowered_limit_stops_nobody_by_itself(world):
    played = world("g5 4", "R 4 RESERVE; S 0 LEND", "r1 R 0 long 2; r2 R 0 long 2", updates="5 R 2")
    played.expect(r1="0-", r2="0-")


def test_c17_jobs_over_a_lowered_limit_make_way_once_an_owner_needs_the_capacity(world):
    played = world(
        "g5 4", "R 4 RESERVE; S 0 RESERVE", "r1 R 0 long 2; r2 R 0 long 2; s S 10 long 2", updates="5 R 2; 5 S 2"
    )
    assert len(played.preemptions) == 1
    played.expect(s="10-")
    assert len(played.running(10) & {"r1", "r2"}) == 1


def test_c44_events_of_one_instant_have_one_order_whatever_the_order_of_the_rows(world):
    played = world("g5 2", "S 2 RESERVE", "j1 S 0 100 2; j2 S 100 50 2; j3 S 100 50 2")
    played.expect(j1="0-100", j2="100-150", j3="150-200")
    no_op = (JobUpdate(100_000, "j3", priority=0),)
    runs = [
        simulate(played.run.queue, Workload(tuple(rows), no_op), engine=played.run.engine)
        for rows in permutations(played.run.jobs)
    ]
    assert {run.engine for run in runs} == {played.run.engine}
    assert all(run.events == runs[0].events and run.spans == runs[0].spans for run in runs)
    assert [span.start for span in runs[0].spans] == [0, 100_000, 150_000]


C45_LIMIT = "SERVICE_ENVIRONMENT_MAX_RESOURCE 600"
C45_JOBS = "j1 S 50 10 2; j2 S 0 10 6; j3 S 10 10 2"


def test_c45_a_job_that_can_never_start_blocks_its_share_under_strict_order(world):
    played = world("g5 4", "S 4 RESERVE", C45_JOBS)
    played.expect(j1="waits", j2="waits", j3="waits")
    assert played.outcome("j2").detail.startswith("MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE")


def test_c45_others_pass_it_in_order_of_submission_where_order_allows(world):
    played = world("g5 4", "S 4 RESERVE", C45_JOBS, assuming="A1=skip")
    played.expect(j3="10-20", j1="50-60", j2="waits")
    assert played.starts == ["j3", "j1"]


def test_c45_others_pass_it_once_a_time_limit_has_ended_it(world):
    played = world("g5 4", "S 4 RESERVE", C45_JOBS, time_limits=C45_LIMIT)
    played.expect(j3="600-610", j1="600-610", j2="FAILED")
    assert played.starts == ["j3", "j1"]


@pytest.mark.parametrize(
    ("options", "succeeded", "failed", "waiting"),
    [({}, 0, 0, 3), ({"assuming": "A1=skip"}, 2, 0, 1), ({"time_limits": C45_LIMIT}, 2, 1, 0)],
)
def test_c45_every_job_is_accounted_for(world, options, succeeded, failed, waiting):
    states = [outcome.state for outcome in world("g5 4", "S 4 RESERVE", C45_JOBS, **options).run.outcomes]
    assert states.count(State.SUCCEEDED) == succeeded
    assert states.count(State.FAILED) == failed
    assert states.count(State.RUNNABLE) == waiting


def test_c45_a_hundred_preemptions_leak_no_capacity(world):
    owners = [f"o{n:03} L {10 * n + 5} 5 1" for n in range(100)]
    played = world("g5 2", "L 1 LEND; B 1 L&B", ["b0 B 0 2000 1", "b1 B 0 2000 1", *owners])
    assert len(played.preemptions) == 100
    states = [outcome.state for outcome in played.run.outcomes]
    assert states == [State.SUCCEEDED] * 102
    last = max(span.end for span in played.run.spans)
    assert played.running(last / 1_000) == set()


def test_c46_a_job_never_moves_to_another_type(world):
    played = world("g5 2, g6 2", "S g5=2,g6=2 RESERVE", "full S 0 long g5=2; one S 1 long g5=1")
    played.expect(one="waits")
