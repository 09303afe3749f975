"""Usage and queues over time: hand-computed intervals, and that they add up to the ledger however they are cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import runs
from small_runs import BORROW, G5, LEND, RESERVE, job, queue, ran, share

from quota_verifier.figures import columns, ledger
from quota_verifier.figures.over_time import over_time
from quota_verifier.figures.waiting import waiting_spells
from quota_verifier.scheduler.replay import start_of
from quota_verifier.scheduler.run import UNKNOWN

FIELDS = ("own", "borrowed", "over_limit", "lent")


def notebook():
    q = queue(3, share("QS1", 1, BORROW, 200), share("QS2", 1, LEND), share("QS3", 1, RESERVE))
    return ran(q, job("a", "QS1", 0, 100), job("b", "QS1", 0, 100), job("c", "QS1", 0, 10), job("d", "QS2", 40, 20))


def test_intervals_lie_between_the_instants_at_which_anything_happens():
    told = over_time(columns(notebook()))
    first = told.held[0]
    assert told.exact
    assert told.edges.tolist()[:3] == [0, 40_000, 60_000]
    assert (first.share, first.unit) == (0, G5)
    assert first.own.tolist()[:3] == [1, 1, 1]
    assert first.borrowed.tolist()[:3] == [1, 0, 1]
    assert told.held[1].lent.tolist()[:3] == [1, 0, 1]
    assert told.waiting[0].mean.tolist()[:3] == [1, 2, 1]


def test_a_long_run_is_cut_into_equal_intervals_that_keep_their_peaks():
    told = over_time(columns(notebook()), 2)
    first = told.held[0]
    assert not told.exact
    assert np.diff(told.edges).tolist() == [told.edges[-1] / 2] * 2
    assert first.most.tolist() == [2, 2]
    assert told.waiting[0].most[0] == 2


@settings(max_examples=60)
@given(runs(), st.integers(1, 40))
def test_intervals_add_up_to_the_ledger(run, most):
    table = columns(run)
    for told in (over_time(table, most), over_time(table)):
        lengths = np.diff(told.edges)
        drawn = {
            (run.queue.shares[row.share].name, row.unit, field): float((getattr(row, field) * lengths).sum())
            for row in told.held
            for field in FIELDS
        }
        for row in ledger(table).shares:
            for field in FIELDS:
                assert drawn[row.share, row.unit, field] == pytest.approx(getattr(row, field), abs=1e-3)


@settings(max_examples=60)
@given(runs(), st.integers(1, 40))
def test_the_most_of_an_interval_is_what_a_replay_sees_in_it(run, most):
    told = over_time(columns(run), most)
    states = list(settled(run))
    for i, (start, end) in enumerate(zip(told.edges[:-1].tolist(), told.edges[1:].tolist(), strict=True)):
        seen = [(usage, queued) for since, until, usage, queued in states if since < end and until > start]
        for row in told.held:
            assert row.most[i] == max((usage[row.share].get(row.unit, 0) for usage, _ in seen), default=0)
        for place, row in enumerate(told.waiting):
            assert row.most[i] == max((queued[place] for _, queued in seen), default=0)


def settled(run):
    """Each state that lasts: since when, until when, usage and number of waiting jobs by share."""
    state = start_of(run)
    for place, event in enumerate(run.events):
        state.apply(event)
        until = run.events[place + 1].at if place + 1 < len(run.events) else run.end_ms
        if until > event.at:
            queued = [sum(map(len, line.values())) for line in state.waiting]
            yield event.at, until, [dict(usage) for usage in state.usage], queued


@settings(max_examples=60)
@given(runs())
def test_spells_of_waiting_are_those_of_the_spans(run):
    spells = waiting_spells(columns(run))
    told = list(zip(spells.job.tolist(), spells.start.tolist(), spells.end.tolist(), strict=True))
    starts = sorted((span.job, span.start) for span in run.spans)
    assert sorted((j, e) for j, _, e in told if (j, e) in set(starts)) == starts
    assert sum(e == UNKNOWN for _, _, e in told) == sum(outcome.state == "RUNNABLE" for outcome in run.outcomes)
