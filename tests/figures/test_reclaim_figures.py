"""How fast owners get lent capacity back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import BORROW, G5, LEND, RESERVE, job, queue, ran, share

from quota_verifier.figures import columns, summarize
from quota_verifier.figures.distribution import UNBOUNDED
from quota_verifier.figures.entitlement import owed_waits
from quota_verifier.figures.reclaims import reclaim_latencies
from quota_verifier.model import ShareUpdate

TWO = queue(4, share("A", 2, BORROW), share("B", 2, LEND))


def owed(run, name):
    index = [share.name for share in run.queue.shares].index(name)
    return [(run.jobs[i].id, since, wait) for i, since, wait in owed_waits(columns(run), index)]


def latencies(run):
    owners, values = reclaim_latencies(columns(run))
    return [(run.jobs[owner].id, value) for owner, value in zip(owners, values.tolist(), strict=True)]


def test_a_reclaim_lasts_until_the_victim_has_stopped():
    run = ran(TWO, job("v", "A", 0, 100, 4), job("own", "B", 10, 5, 2), stop=20)
    assert latencies(run) == [("own", 20_000)]
    assert summarize(run).shares[1].reclaim.max == 20_000
    assert owed(run, "B") == [("own", 10_000, 20_000)]


def test_a_reclaim_without_a_stop_time_is_at_once():
    run = ran(TWO, job("v", "A", 0, 100, 4), job("own", "B", 10, 5, 2))
    assert latencies(run) == [("own", 0)]
    assert owed(run, "B") == [("own", 10_000, 0)]


def test_a_reclaim_that_the_horizon_cuts_off_is_unbounded():
    run = ran(TWO, job("v", "A", 0, 100, 4), job("own", "B", 10, 5, 2), stop=20, until=15)
    assert latencies(run) == [("own", UNBOUNDED)]
    assert owed(run, "B") == [("own", 10_000, UNBOUNDED)]


def test_two_reclaims_by_one_job_are_two():
    lender = queue(2, share("A", 1, BORROW), share("B", 1, LEND, in_share_preemption=True))
    run = ran(
        lender,
        job("v", "A", 0, 300, 2),
        job("own", "B", 10, 100),
        job("urgent", "B", 50, 10, priority=1),
        stop=5,
    )
    # own reclaims at 10, runs 15-50, is stopped until 55 for urgent (55-65), which needs no reclaim
    assert latencies(run) == [("own", 5000)]
    assert owed(run, "B") == [("own", 10_000, 5000), ("urgent", 55_000, 0), ("own", 65_000, 0)]


def test_a_head_that_fits_its_own_limit_and_waits_without_any_preemption_is_owed():
    # C13 (b): taking b1 back would not be enough for a1, so nobody is preempted, yet A is owed its own
    both = queue(8, share("A", 4, BORROW), share("B", 4, BORROW))
    run = ran(
        both, job("a0", "A", 0, 100, 2), job("b0", "B", 0, 100, 4), job("b1", "B", 1, 60, 2), job("a1", "A", 5, 9, 2)
    )
    assert latencies(run) == [("a1", 0)]
    run = ran(
        both, job("a0", "A", 0, 100, 2), job("b0", "B", 0, 60, 4), job("b1", "B", 1, 60, 2), job("a1", "A", 5, 9, 4)
    )
    assert latencies(run) == []
    assert [row[0] for row in owed(run, "A")] == ["a0", "a1"]
    # a1 does not fit A's limit while a0 runs, so until 100 nothing of A's own is kept from it
    assert owed(run, "A")[1][2] == 0


def test_over_promised_shares_leave_an_owner_owed():
    promised = queue(4, share("A", 4, LEND), share("B", 4, LEND))
    run = ran(promised, job("a", "A", 0, 100, 4), job("b", "B", 10, 5, 4))
    assert latencies(run) == []
    assert owed(run, "B") == [("b", 10_000, 90_000)]


def test_a_job_behind_a_head_that_does_not_fit_is_owed_nothing_under_strict_order():
    jobs = (
        job("v", "A", 0, 100, 3),
        job("own", "B", 0, 30, 1),
        job("head", "B", 1, 5, 2),
        job("behind", "B", 2, 5, 1),
    )
    strict = ran(TWO, *jobs, stop=10)
    assert owed(strict, "B") == [("own", 0, 0), ("head", 30_000, 10_000), ("behind", 45_000, 0)]
    skip = ran(TWO, *jobs, stop=10, assuming=["A1=skip"])
    assert ("behind", 2000, 10_000) in owed(skip, "B")


def test_jobs_that_fall_due_together_are_all_owed():
    run = ran(TWO, job("v", "A", 0, 100, 4), job("b1", "B", 10, 5), job("b2", "B", 10, 5), stop=20)
    assert owed(run, "B") == [("b1", 10_000, 20_000), ("b2", 10_000, 20_000)]


def test_a_raised_limit_makes_a_waiting_job_owed_from_then():
    small = queue(4, share("A", 2, BORROW), share("B", 1, LEND))
    run = ran(
        small,
        job("v", "A", 0, 100, 3),
        job("own", "B", 5, 5, 2),
        updates=(ShareUpdate(40_000, "B", limits={G5: 2}),),
        stop=20,
    )
    assert owed(run, "B")[0][:2] == ("own", 40_000)


def test_a_preempted_borrower_of_the_share_is_not_owed_what_exceeds_its_limit():
    run = ran(TWO, job("a", "A", 0, 100, 2), job("v", "A", 0, 100, 2), job("own", "B", 10, 50, 2))
    assert owed(run, "A") == [("a", 0, 0), ("v", 0, 0), ("v", 60_000, 0)]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_without_stop_time_and_over_promise_nobody_is_ever_owed(data):
    """I10: an owner whose job fits its limit gets its capacity at once."""
    names = ("A", "B", "C")
    shares = tuple(
        share(name, data.draw(st.integers(1, 4)), data.draw(st.sampled_from([RESERVE, LEND, BORROW]))) for name in names
    )
    capacity = sum(s.limit(G5) for s in shares) + data.draw(st.integers(0, 2))
    jobs = [
        job(f"j{i}", data.draw(st.sampled_from(names)), data.draw(st.integers(0, 15)), data.draw(st.integers(1, 30)),
            data.draw(st.integers(1, 5)), priority=data.draw(st.integers(0, 2)))
        for i in range(data.draw(st.integers(2, 12)))
    ]  # fmt: skip
    choice = data.draw(st.sampled_from(["A1=strict", "A1=skip", "A2=declaration", "A8=back", "A7=latest"]))
    run = ran(queue(capacity, *shares), *jobs, assuming=[choice])
    for name in names:
        assert {wait for _, _, wait in owed(run, name)} <= {0}
