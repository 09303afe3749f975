"""Counts, groups and the plain form of figures."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from random_runs import runs
from small_runs import BORROW, LEND, P5, RESERVE, job, queue, ran, share

from quota_verifier.figures import plain, summarize
from quota_verifier.figures.groups import size_class
from quota_verifier.model import Failure


@pytest.mark.parametrize(
    ("instances", "name"),
    [(1, "1"), (2, "2"), (3, "3-4"), (4, "3-4"), (5, "5-8"), (8, "5-8"), (9, "9-16"), (64, "33-64")],
)
def test_size_classes_are_powers_of_two(instances, name):
    assert size_class(instances) == name


def test_groups_by_size_class_and_label_name_what_occurs():
    q = queue(8, share("A", 8, RESERVE))
    run = ran(
        q,
        job("a", "A", 0, 10, 1, labels={"team": "x"}),
        job("b", "A", 0, 10, 3, labels={"team": "y"}),
        job("c", "A", 0, 10, 8, labels={"team": "y", "kind": "big"}),
    )
    figures = summarize(run)
    assert {name: group.jobs.jobs for name, group in figures.size_classes.items()} == {"1": 1, "3-4": 1, "5-8": 1}
    assert {name: group.jobs.jobs for name, group in figures.labels.items()} == {
        "kind=big": 1, "team=x": 1, "team=y": 2,
    }  # fmt: skip
    assert figures.size_classes["5-8"].wait.max == 10_000
    assert figures.labels["team=y"].wait.max == 10_000
    assert figures.labels["team=x"].wait.max == 0


def test_a_label_with_many_values_is_named_instead_of_listed():
    q = queue(8, share("A", 8, RESERVE))
    run = ran(q, *(job(f"j{i}", "A", 0, 1, labels={"user": f"u{i}", "kind": "k"}) for i in range(65)))
    figures = summarize(run)
    assert list(figures.labels) == ["kind=k"]
    assert figures.crowded_labels == ("user",)


def test_every_job_is_counted_once():
    q = queue(4, share("A", 2, RESERVE), share("B", 2, RESERVE, enabled=False))
    run = ran(
        q,
        job("done", "A", 0, 10),
        job("faulty", "A", 0, 10, failures=(Failure(1000),)),
        job("refused", "B", 0, 10),
        job("running", "A", 5, 100),
        job("huge", "A", 50, 10, 3),
        job("behind", "A", 51, 10),
        job("future", "A", 90, 10),
        until=60,
    )
    counts = summarize(run).queue.group.jobs
    assert plain(counts) == {
        "jobs": 7, "succeeded": 1, "failed": 1, "rejected": 1,
        "never_schedulable": 1, "unfinished": 2, "not_submitted": 1,
    }  # fmt: skip


def test_jobs_that_can_never_start_carry_the_documented_reason():
    q = queue(10, share("A", 4, BORROW, 200), share("B", 4, BORROW, 200))
    run = ran(q, job("ten", "A", 0, 10, 10), job("other", "B", 0, 10, unit=P5), job("ok", "B", 5, 1))
    figures = summarize(run)
    assert [(row.id, row.largest, row.state) for row in figures.never_schedulable] == [
        ("other", 0, "RUNNABLE"), ("ten", 8, "RUNNABLE"),
    ]  # fmt: skip
    assert figures.never_schedulable[1].reason == (
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - "
        "Job requires borrowing that exceeds all configured borrowable capacity."
    )
    assert [(row.id, row.state) for row in figures.unfinished] == [("ok", "RUNNABLE")]


def test_plain_figures_are_seconds_ratios_and_nulls():
    q = queue(2, share("A", 1, BORROW), share("B", 1, LEND))
    run = ran(q, job("v", "A", 0, 1.5, 2), job("own", "B", 1, 0.25), job("huge", "B", 9, 1, 3))
    found = plain(summarize(run))
    again = json.loads(json.dumps(found, allow_nan=False))
    assert again == found
    a, b = again["shares"]
    assert a["group"]["lost_work"] == 1.0
    assert a["group"]["lost_instance_time"] == 2.0
    assert a["group"]["slowdown"]["max"] == 1.834  # 2.75 s for 1.5 s of work, rounded up
    assert b["group"]["wait"] == {
        "count": 2, "never": 1, "min": 0.0, "mean": None,
        "p50": 0.0, "p90": None, "p95": None, "p99": None, "max": None,
    }  # fmt: skip
    assert again["queue"]["ledger"][0]["unit"] == "ml.g5.xlarge"
    assert again["never_schedulable"][0]["asked"] == 3


def test_figures_of_no_jobs_are_empty_not_an_error():
    figures = summarize(ran(queue(2, share("A", 2, RESERVE))))
    assert figures.queue.utilization is None
    assert figures.queue.group.wait.count == 0
    assert figures.queue.group.longest_wait_ms is None
    assert figures.shares[0].reclaim.count == 0


@settings(max_examples=80, deadline=None)
@given(runs())
def test_counts_add_up_and_agree_with_the_records(run):
    figures = summarize(run)
    counts = figures.queue.group.jobs
    parts = plain(counts)
    assert parts.pop("jobs") == len(run.jobs) == sum(parts.values())
    assert len(figures.unfinished) == counts.unfinished
    group = figures.queue.group
    suffered = sum(outcome.preemptions for outcome in run.outcomes)
    stopping = sum(1 for span in run.spans if span.end < 0 and span.stop >= 0)
    assert group.preempted_cross_share + group.preempted_in_share == suffered + stopping
    for name in ("preempted_cross_share", "preempted_in_share", "lost_work_ms", "delivered_instance_time_ms"):
        assert getattr(group, name) == sum(getattr(share.group, name) for share in figures.shares)
        assert getattr(group, name) == sum(getattr(size, name) for size in figures.size_classes.values())
    assert sum(share.preemptions_caused_cross_share for share in figures.shares) == group.preempted_cross_share
