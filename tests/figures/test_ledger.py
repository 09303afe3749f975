"""Instance-time ledgers: hand-computed rows, and that rows always add up to the capacity."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import runs
from small_runs import BORROW, G5, LEND, P5, RESERVE, job, queue, ran, share

from quota_verifier.figures import columns, ledger, summarize
from quota_verifier.figures import usage as usage_module
from quota_verifier.model import EnvironmentUpdate, JobUpdate, ShareUpdate
from quota_verifier.scheduler.run import Run


def books(run: Run):
    return ledger(columns(run))


def row(run, name, unit=G5):
    found = next(r for r in books(run).shares if (r.share, r.unit) == (name, unit))
    return {
        field: getattr(found, field) // 1000
        for field in ("limit", "own", "borrowed", "over_limit", "lent", "idle_reserved", "idle", "missing")
        if getattr(found, field)
    }


def unit_row(run, unit=G5):
    found = next(r for r in books(run).units if r.unit == unit)
    return {
        field: getattr(found, field) // 1000 for field in found.__slots__ if field != "unit" and getattr(found, field)
    }


def test_own_borrowed_lent_and_reserved_idle_of_the_notebook_queue():
    q = queue(3, share("QS1", 1, BORROW, 200), share("QS2", 1, LEND), share("QS3", 1, RESERVE))
    run = ran(q, job("a", "QS1", 0, 100), job("b", "QS1", 0, 40))
    assert row(run, "QS1") == {"limit": 100, "own": 100, "borrowed": 40}
    assert row(run, "QS2") == {"limit": 100, "lent": 40, "idle": 60}
    assert row(run, "QS3") == {"limit": 100, "idle_reserved": 100}
    assert unit_row(run) == {"capacity": 300, "own": 100, "borrowed": 40, "idle_reserved": 100, "idle": 60}
    figures = summarize(run)
    assert figures.queue.utilization == figures.queue.utilization_by_unit[G5] == pytest.approx(140 / 300)
    assert figures.shares[0].utilization[G5] == pytest.approx(1.4)


def test_what_is_lent_is_divided_among_the_lenders_pro_rata():
    q = queue(9, share("A", 1, BORROW), share("B", 2, LEND), share("C", 6, LEND))
    run = ran(q, job("a", "A", 0, 100, 5))
    assert row(run, "A") == {"limit": 100, "own": 100, "borrowed": 400}
    assert row(run, "B") == {"limit": 200, "lent": 100, "idle": 100}
    assert row(run, "C") == {"limit": 600, "lent": 300, "idle": 300}


def test_a_lowered_limit_leaves_use_over_limit_that_nobody_lent():
    # C17: reserve share of 4 with 4 in use, lowered to 2: over limit 2, borrowed 0
    run = ran(
        queue(4, share("R", 4, RESERVE)),
        job("r1", "R", 0, 100, 2),
        job("r2", "R", 0, 100, 2),
        updates=(ShareUpdate(40_000, "R", limits={G5: 2}),),
    )
    assert row(run, "R") == {"limit": 4 * 40 + 2 * 60, "own": 4 * 40 + 2 * 60, "over_limit": 2 * 60}
    assert unit_row(run) == {"capacity": 400, "own": 280, "over_limit": 120}


def test_borrowing_shrinks_when_a_lender_stops_lending():
    run = ran(
        queue(4, share("A", 2, BORROW), share("B", 2, LEND)),
        job("a", "A", 0, 100, 4),
        updates=(ShareUpdate(30_000, "B", strategy=RESERVE),),
    )
    assert row(run, "A") == {"limit": 200, "own": 200, "borrowed": 60, "over_limit": 140}
    assert row(run, "B") == {"limit": 200, "lent": 60, "missing": 140}
    assert unit_row(run) == {"capacity": 400, "own": 200, "borrowed": 60, "over_limit": 140}


def test_use_above_a_lowered_borrow_cap_is_over_limit():
    run = ran(
        queue(4, share("A", 2, BORROW, 100), share("B", 2, LEND)),
        job("a", "A", 0, 100, 4),
        updates=(ShareUpdate(50_000, "A", borrow_limit=50),),
    )
    assert row(run, "A") == {"limit": 200, "own": 200, "borrowed": 150, "over_limit": 50}
    assert row(run, "B") == {"limit": 200, "lent": 150, "missing": 50}


def test_a_lowered_environment_shows_use_over_its_capacity():
    run = ran(
        queue(4, share("A", 4, RESERVE)),
        job("a", "A", 0, 100, 4),
        updates=(EnvironmentUpdate(50_000, limits={G5: 1}),),
    )
    assert unit_row(run) == {"capacity": 250, "over_capacity": 150, "own": 400}
    assert row(run, "A") == {"limit": 400, "own": 400}


def test_an_over_promised_share_misses_what_the_environment_does_not_have():
    run = ran(queue(3, share("A", 2, RESERVE), share("B", 2, LEND)), job("a", "A", 0, 10, 2))
    assert row(run, "B") == {"limit": 20, "idle": 10, "missing": 10}
    assert unit_row(run) == {"capacity": 30, "own": 20, "idle": 10}


def test_unassigned_capacity_is_idle_or_lent_by_a6():
    q = queue(4, share("A", 1, BORROW))
    jobs = (job("a", "A", 0, 10), job("b", "A", 0, 10))
    assert unit_row(ran(q, *jobs)) == {"capacity": 80, "own": 20, "unassigned": 60}
    assert unit_row(ran(q, job("a", "A", 0, 10), assuming=["A6=borrowable"])) == {
        "capacity": 40, "own": 10, "unassigned": 30,
    }  # fmt: skip


def test_each_unit_has_its_own_books():
    q = queue({G5: 2, P5: 2}, share("A", {G5: 1, P5: 1}, BORROW), share("B", {G5: 1, P5: 1}, LEND))
    run = ran(q, job("a", "A", 0, 10, {G5: 2, P5: 1}))
    assert row(run, "A") == {"limit": 10, "own": 10, "borrowed": 10}
    assert row(run, "A", P5) == {"limit": 10, "own": 10}
    assert row(run, "B", P5) == {"limit": 10, "idle": 10}


def test_a_window_starts_with_the_first_submission_and_ends_with_the_horizon():
    run = ran(queue(2, share("A", 2, RESERVE)), job("a", "A", 100, 50), until=120)
    assert books(run).span_ms == 20_000
    assert unit_row(run) == {"capacity": 40, "own": 20, "idle_reserved": 20}


def test_a_unit_that_an_update_adds_is_in_the_books():
    run = ran(
        queue(2, share("A", 2, RESERVE)),
        job("a", "A", 0, 10),
        updates=(EnvironmentUpdate(5000, limits={G5: 2, P5: 1}),),
    )
    assert unit_row(run, P5) == {"capacity": 5, "unassigned": 5}


def test_an_empty_run_has_empty_books():
    assert books(ran(queue(2, share("A", 2, RESERVE)))).span_ms == 0


def test_books_are_exact_beyond_64_bits():
    run = ran(queue(10**7, share("A", 10**7, RESERVE)), job("a", "A", 0, 2**43, 10**6))
    assert row(run, "A") == {"limit": 10**7 * 2**43, "own": 10**6 * 2**43, "idle_reserved": 9 * 10**6 * 2**43}


def held(run: Run, unit: str) -> int:
    start = run.jobs[0].submit_ms
    return sum(
        ((run.end_ms if span.end < 0 else span.end) - max(start, span.start)) * run.jobs[span.job].demand.get(unit, 0)
        for span in run.spans
    )


@settings(max_examples=150, deadline=None)
@given(runs())
def test_rows_add_up_to_limits_capacity_and_use(run):
    found = books(run)
    for line in found.shares:
        assert line.own + line.lent + line.idle_reserved + line.idle + line.missing == line.limit
        assert min(getattr(line, f) for f in line.__slots__ if f not in ("share", "unit")) >= 0
    for whole in found.units:
        rows = [line for line in found.shares if line.unit == whole.unit]
        held_or_idle = whole.used + whole.idle_reserved + whole.idle + whole.unassigned
        assert held_or_idle == whole.capacity + whole.over_capacity
        assert whole.borrowed == sum(line.lent for line in rows) + whole.lent_unassigned
        assert whole.used == sum(line.used for line in rows) == held(run, whole.unit)
        assert min(getattr(whole, f) for f in whole.__slots__ if f != "unit") >= 0


@settings(max_examples=40, deadline=None)
@given(runs(), st.integers(1, 3))
def test_books_do_not_depend_on_how_many_segments_are_worked_on_at_once(run, at_once):
    whole = books(run)
    before = usage_module._AT_ONCE
    try:
        usage_module._AT_ONCE = at_once
        assert books(run) == whole
    finally:
        usage_module._AT_ONCE = before


def test_priority_updates_do_not_part_the_books():
    run = ran(queue(2, share("A", 2, RESERVE)), job("a", "A", 0, 10), updates=(JobUpdate(5000, "a", priority=3),))
    assert row(run, "A") == {"limit": 20, "own": 10, "idle_reserved": 10}
