"""Public cases about taking lent capacity back: C01, C04, C06-C09, C12, C13, C16."""

from __future__ import annotations

import pytest

from quota_verifier.scheduler import profiles
from quota_verifier.scheduler.run import UNKNOWN

DEMO = "QS1 1 L&B 200 in-share; QS2 1 LEND; QS3 1 RESERVE"


def test_c01_awss_own_example_comes_out_as_aws_tells_it(world):
    played = world(
        "g5 3",
        DEMO,
        "high QS1 0 long 1 p3; med QS1 0 long 1 p2; low QS1 0 long 1 p1; qs2j QS2 10 long 1 p1",
        updates="20 low p4",
    )
    assert played.running(0) == {"high", "med"}
    assert played.running(10) == {"high", "qs2j"}
    assert played.running(20) == {"low", "qs2j"}
    assert played.preemptions == ["10 med by qs2j", "20 high by low"]
    played.expect(high="0-20 ousted by low, waits", med="0-10 reclaimed by qs2j, waits", low="20-", qs2j="10-")


AGREEING = [profile for profile in profiles("one-at-a-time") if profile.victim_order != "oldest"]
"""With the oldest job as the victim `high` goes at 10, and takes the place of `med` at once: not what AWS tells."""


@pytest.mark.parametrize("profile", AGREEING, ids=lambda profile: ",".join(profile.deviations) or "default")
def test_c01_comes_out_the_same_under_every_single_assumption_but_one(world, profile):
    played = world(
        "g5 3",
        DEMO,
        "high QS1 0 long 1 p3; med QS1 0 long 1 p2; low QS1 0 long 1 p1; qs2j QS2 10 long 1 p1",
        updates="20 low p4",
        assuming=profile.deviations,
    )
    assert played.preemptions == ["10 med by qs2j", "20 high by low"]
    played.expect(high="0-20 ousted by low, waits", med="0-10 reclaimed by qs2j, waits", low="20-", qs2j="10-")


def test_c01_takes_one_preemption_more_where_the_oldest_job_is_the_victim(world):
    jobs = "high QS1 0 long 1 p3; med QS1 0 long 1 p2; qs2j QS2 10 long 1 p1"
    assert world("g5 3", DEMO, jobs, assuming="A7=oldest").preemptions == ["10 high by qs2j", "10 med by high"]


def test_c04_the_ten_jobs_on_borrowed_capacity_are_the_victims_not_the_oldest(world):
    jobs = [f"w1-{n:02} A 0 long 1" for n in range(40)]
    jobs += [f"w2-{n:02} A 1 long 1" for n in range(10)]
    jobs += [f"w3-{n:02} B 2 long 1" for n in range(40)]
    played = world("g5 80", "A 40 L&B; B 40 L&B", jobs)
    assert sorted(entry.split()[1] for entry in played.preemptions) == [f"w2-{n:02}" for n in range(10)]
    assert played.running(2) == {*(f"w1-{n:02}" for n in range(40)), *(f"w3-{n:02}" for n in range(40))}


def test_c06_a_share_above_its_limit_waits_and_one_below_it_takes_one_victim(world):
    played = world(
        "g5 7",
        "GA 3 L&B; GB 3 L&B; BE 1 L&B",
        "A1 GA 0 long 5; BE1 BE 1 long 2; A2 GA 2 long 1; B1 GB 1001 long 1",
    )
    assert "A2" not in played.running(1000)
    assert len(played.preemptions) == 1
    at, victim, _, by = played.preemptions[0].split()
    assert (at, by) == ("1001", "B1")
    assert victim in {"A1", "BE1"}


@pytest.mark.parametrize(("size", "victims", "held"), [(6, 0, 8), (5, 0, 8), (4, 2, 8), (3, 2, 7)])
def test_c06_reclaim_stops_at_the_own_limit_and_nothing_flaps(world, size, victims, held):
    played = world(
        "g5 8", "P1 4 L&B; P2 4 L&B", [*(f"p{n} P1 0 long 2" for n in range(4)), f"x P2 5 long {size}"], until=5000
    )
    assert len(played.preemptions) == victims
    demand = {job.id: sum(job.demand.values()) for job in played.run.jobs}
    assert sum(demand[name] for name in played.running(5000)) == held
    assert ("x" in played.running(5000)) == (victims > 0)


def test_c07_a_job_within_its_limit_is_untouchable_whatever_the_priorities(world):
    played = world("g5 8", "A 4 L&B; B 4 L&B", "a1 A 0 long 4; b1 B 0 long 4; a2 A 1 long 1 p9999")
    played.expect(a2="waits", b1="0-", a1="0-")
    assert played.preemptions == []


def test_c07_the_highest_priority_does_not_shield_a_borrower(world):
    played = world("g5 4", "A 2 LEND; B 2 L&B", "b0 B 0 long 2 p9999; b1 B 0 long 2 p9999; a1 A 5 long 2 p0")
    assert len(played.preemptions) == 1
    assert played.preemptions[0].split()[1] in {"b0", "b1"}
    played.expect(a1="5-")


@pytest.mark.parametrize("place", ["A8=original", "A8=back"])
def test_c08_freed_capacity_goes_to_the_preemptor_wherever_the_victim_re_enters(world, place):
    played = world("g5 4", "A 2 L&B; B 2 L&B", "a1 A 0 500 2; a2 A 0 500 2; b1 B 5 50 2", assuming=place)
    played.expect(b1="5-55")
    assert len(played.preemptions) == 1
    victim = played.preemptions[0].split()[1]
    played.expect(**{victim: "0-5 reclaimed by b1, 55-555"})


C09_JOBS = "BE0 BE 0 1000 1; G1 G 0 100 1; G2 G 1 100 2; BE1 BE 2 300 1"


def test_c09_lend_an_idle_instance_is_lent_until_the_head_really_fits(world):
    played = world("g5 3", "G 2 LEND; BE 1 L&B", C09_JOBS)
    played.expect(BE1="2-100 reclaimed by G2, 200-500", G2="100-200")
    assert played.outcome("BE1").lost_ms == 98_000


def test_c09_hold_a_waiting_head_keeps_its_shares_idle_capacity(world):
    played = world("g5 3", "G 2 LEND; BE 1 L&B", C09_JOBS, assuming="A5=hold")
    played.expect(BE1="200-500", G2="100-200")
    assert played.preemptions == []


def test_c09_holding_costs_as_many_idle_instance_seconds_as_lending_loses(world):
    def used(answer):
        run = world("g5 3", "G 2 LEND; BE 1 L&B", C09_JOBS, assuming=answer, until=500).run
        ends = [run.end_ms if span.end == UNKNOWN else span.end for span in run.spans]
        return sum((end - span.start) * run.jobs[span.job].instances for span, end in zip(run.spans, ends, strict=True))

    assert (used("A5=lend"), used("A5=hold")) == (1_198_000, 1_100_000)


def test_c12a_among_equals_the_lowest_priority_goes_and_one_is_enough(world):
    played = world(
        "g5 6",
        "A 2 LEND; B 2 L&B; C 2 L&B",
        "b0 B 0 long 2 p10; b1 B 0 long 1 p10; c0 C 0 long 2 p10; c1 C 0 long 1 p1; a1 A 5 long 1",
    )
    assert played.preemptions == ["5 c1 by a1"]


def test_c12b_two_preemptors_take_two_victims_and_none_twice(world):
    played = world(
        "g5 6",
        "A 2 L&B; B 2 L&B; L 2 L&B",
        "l1 L 0 long 2 p9; x L 0 long 2; y L 0 long 2; a1 A 5 long 2; b1 B 5 long 2",
    )
    assert sorted(entry.split()[1] for entry in played.preemptions) == ["x", "y"]
    played.expect(l1="0-", a1="5-", b1="5-")


def test_c12c_a_job_without_the_wanted_type_is_no_victim(world):
    played = world(
        "g5 4, p5 4",
        "A p5=2 LEND; B g5=2,p5=1 L&B; C g5=2,p5=1 L&B",
        "bg1 B 0 long g5=2; bg2 B 0 long g5=1; cp0 C 0 long p5=1; cp1 C 0 long p5=2; ap A 5 long p5=2",
    )
    assert played.preemptions == ["5 cp1 by ap"]


def test_c13a_nobody_is_preempted_so_that_somebody_may_borrow(world):
    played = world("g5 8", "A 4 L&B; B 4 L&B", "a1 A 0 long 4; b1 B 0 long 4; a2 A 1 long 1")
    assert played.preemptions == []
    played.expect(a2="waits")


def test_c13b_nobody_is_preempted_for_a_job_that_would_still_wait(world):
    played = world("g5 8", "A 4 L&B; B 4 L&B", "a0 A 0 long 2; b0 B 0 long 4; b1 B 0 long 2; a1 A 5 long 4")
    assert played.preemptions == []
    played.expect(a1="waits")


def test_c16_one_instance_borrowed_of_a_thousand_can_be_taken_back(world):
    played = world("g5 1001", "A 1 LEND; B 1000 L&B", [*(f"b{n:04} B 0 long 1" for n in range(1001)), "a A 5 long 1"])
    assert len(played.preemptions) == 1
    played.expect(a="5-")
