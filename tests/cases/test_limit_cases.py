"""Public cases about what can ever start, what is promised, and time limits: C02, C19-C22."""

from __future__ import annotations

import pytest

from quota_verifier.model import Environment, Queue, Share, Strategy, TimeLimitReason
from quota_verifier.schedulability import largest_job, never_schedulable

RESERVE, LEND, BORROW = Strategy.RESERVE, Strategy.LEND, Strategy.LEND_AND_BORROW
G5 = "ml.g5.xlarge"
ENVIRONMENT = TimeLimitReason.SERVICE_ENVIRONMENT_MAX_RESOURCE
EXCEEDED = TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED


def queue(environment: int, *shares: Share) -> Queue:
    return Queue(Environment({G5: environment}), shares)


def share(name: str, limit: int, strategy: Strategy, percent: int | None = None) -> Share:
    return Share(name, {G5: limit}, strategy, percent)


TEN_LENDER = share("L", 10, LEND)


@pytest.mark.parametrize(
    ("shares", "job", "reason", "text", "largest"),
    [
        ((share("A", 4, RESERVE), TEN_LENDER), 5, EXCEEDED, "capacity limits.", 4),
        ((share("A", 4, LEND), TEN_LENDER), 5, EXCEEDED, "capacity limits.", 4),
        ((share("A", 2, BORROW, 100), TEN_LENDER), 5, EXCEEDED, "capacity limits and borrow limits.", 4),
        (
            (share("A", 4, BORROW, 200), share("B", 4, BORROW, 200)),
            10,
            EXCEEDED,
            "all configured borrowable capacity.",
            8,
        ),
        (
            (share("A", 2, BORROW, -1), share("L", 3, LEND), share("R", 5, RESERVE)),
            6,
            EXCEEDED,
            "borrowable capacity.",
            5,
        ),
    ],
    ids=["a-reserve", "b-lend", "c-borrow-limit", "d-borrowable", "f-unlimited"],
)
def test_c02_a_job_that_can_never_start_is_told_in_awss_words(shares, job, reason, text, largest):
    found = never_schedulable(queue(100, *shares), shares[0], {G5: job})
    assert found is not None
    assert (found.reason, found.largest) == (reason, largest)
    assert found.status_reason.endswith(text)
    assert never_schedulable(queue(100, *shares), shares[0], {G5: largest}) is None


def test_c02e_above_the_environment_is_awss_other_reason():
    only = share("A", 12, RESERVE)
    found = never_schedulable(queue(10, only), only, {G5: 12})
    assert found is not None
    assert (found.reason, found.largest) == (ENVIRONMENT, 10)


def test_c02g_a_type_that_the_share_does_not_list_can_never_start():
    only = share("A", 2, BORROW, -1)
    both = Queue(Environment({G5: 2, "ml.p5.48xlarge": 2}), (only, Share("L", {"ml.p5.48xlarge": 2}, LEND)))
    found = never_schedulable(both, only, {"ml.p5.48xlarge": 1})
    assert found is not None
    assert found.largest == 0


LENDER = "L 10 LEND"


@pytest.mark.parametrize(
    ("environment", "shares", "largest", "reason"),
    [
        ("g5 14", f"A 4 RESERVE; {LENDER}", 4, EXCEEDED),
        ("g5 14", f"A 4 LEND; {LENDER}", 4, EXCEEDED),
        ("g5 12", f"A 2 L&B 100; {LENDER}", 4, EXCEEDED),
        ("g5 8", "A 4 L&B 200; B 4 L&B 200", 8, ENVIRONMENT),
        ("g5 20", "A 4 L&B 200; B 4 L&B 200", 8, EXCEEDED),
        ("g5 10", "A 12 RESERVE", 10, ENVIRONMENT),
        ("g5 10", "A 2 L&B -1; L 3 LEND; R 5 RESERVE", 5, EXCEEDED),
    ],
    ids=["a-reserve", "b-lend", "c-borrow-limit", "d-all-there-is", "d-borrowable", "e-environment", "f-unlimited"],
)
def test_c02_the_largest_job_starts_and_one_instance_more_never_does(world, environment, shares, largest, reason):
    world(environment, shares, f"j A 0 60 {largest}").expect(j="0-60")
    played = world(environment, shares, f"j A 0 60 {largest + 1}").expect(j="waits")
    assert played.outcome("j").detail.startswith(f"{reason} - ")


def test_c02g_a_job_of_a_type_that_its_share_does_not_list_never_starts(world):
    played = world("g5 2, p5 2", "A g5=2 L&B -1; L p5=2 LEND", "j A 0 60 p5=1; k A 1 60 p5=1").expect(
        j="waits", k="waits"
    )
    assert played.outcome("j").detail.startswith(f"{EXCEEDED} - ")


@pytest.mark.parametrize(("environment", "limits", "over", "unassigned"), [(7, (6, 4), 3, 0), (11, (5, 5), 0, 1)])
def test_c19_promises_are_added_up_against_the_environment(environment, limits, over, unassigned):
    both = queue(environment, *(share(f"S{n}", limit, LEND) for n, limit in enumerate(limits)))
    assert max(0, both.promised(G5) - environment) == over
    assert both.unassigned(G5) == unassigned


def test_c19_where_seven_are_promised_to_ten_a_share_within_its_limit_can_be_left_waiting(world):
    played = world("g5 7", "S 6 LEND; T 4 LEND", "s S 0 100 6; t T 1 100 4; u T 2 100 1")
    played.expect(s="0-100", t="100-200", u="200-300")
    assert played.preemptions == []


@pytest.mark.parametrize(("answer", "history"), [("A6=unusable", "100-200"), ("A6=borrowable", "1-101")])
def test_c19_an_instance_that_no_share_owns_is_used_only_where_so_assumed(world, answer, history):
    world("g5 11", "S 5 L&B; T 5 LEND", "s S 0 100 10; o S 1 100 1", assuming=answer).expect(s="0-100", o=history)


@pytest.mark.parametrize(
    ("limit", "percent", "floor", "ceil"), [(10, 50, 5, 5), (3, 50, 1, 2), (1, 50, 0, 1), (8, 25, 2, 2), (1, 25, 0, 1)]
)
def test_c20_the_percentage_is_of_the_shares_own_limit(limit, percent, floor, ceil):
    borrower = share("A", limit, BORROW, percent)
    assert borrower.borrow_cap(G5) == floor
    assert borrower.borrow_cap(G5, "ceil") == ceil


def test_c20_idle_capacity_elsewhere_does_not_raise_the_percentage():
    borrower = share("A", 10, BORROW, 50)
    assert largest_job(queue(50, borrower, share("L", 40, LEND)), borrower, G5) == 15


@pytest.mark.parametrize(
    ("environment", "shares", "unit", "own", "borrowed", "rounded_up"),
    [
        ("g5 50", "A 10 L&B 50; L 40 LEND", "g5", 10, 5, 5),
        ("g5 43", "A 3 L&B 50; L 40 LEND", "g5", 3, 1, 2),
        ("g5 41", "A 1 L&B 50; L 40 LEND", "g5", 1, 0, 1),
        ("g5 48, p5 41", "A g5=8,p5=1 L&B 25; L g5=40,p5=40 LEND", "g5", 8, 2, 2),
        ("g5 48, p5 41", "A g5=8,p5=1 L&B 25; L g5=40,p5=40 LEND", "p5", 1, 0, 1),
    ],
    ids=["a", "b", "c", "d-g5", "d-p5"],
)
@pytest.mark.parametrize("rounding", ["floor", "ceil"])
def test_c20_no_more_is_borrowed_than_the_percentage_of_the_own_limit(
    world, environment, shares, unit, own, borrowed, rounded_up, rounding
):
    most = own + (borrowed if rounding == "floor" else rounded_up)
    jobs = [f"j{n:02} A 0 long {unit}=1" for n in range(own + 10)]
    played = world(environment, shares, jobs, assuming=f"A4={rounding}")
    assert played.running(0) == {f"j{n:02}" for n in range(most)}


def test_c21_time_without_machines_adds_up_holds_capacity_and_consumes_no_attempt(world):
    played = world(
        "g5 1",
        "S 1 RESERVE",
        "j S 0 60 1 fails=300:CapacityError fails=350:CapacityError; k S 1 10 1",
        time_limits="INSUFFICIENT_INSTANCE_CAPACITY 600",
    )
    played.expect(j="0-300 no machines, 300-600 terminated, FAILED", k="600-610")
    assert played.outcome("j").detail == (
        "Terminated by JobStateTimeLimit action due to reason: CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"
    )


C22_JOBS = ["h S 0 100 6", *(f"s{n} S 1 100 1" for n in range(10))]


def test_c22_without_a_time_limit_a_poisoned_head_stops_everything(world):
    played = world("g5 4", "S 4 RESERVE", C22_JOBS)
    assert played.starts == []


def test_c22_with_a_time_limit_the_others_start_when_it_is_over(world):
    played = world("g5 4", "S 4 RESERVE", C22_JOBS, time_limits="SERVICE_ENVIRONMENT_MAX_RESOURCE 600")
    starts = sorted(outcome.first_start // 1_000 for outcome in played.run.outcomes if outcome.first_start >= 0)
    assert starts == [600] * 4 + [700] * 4 + [800] * 2
    assert played["h"] == "FAILED"
