"""Which queue a workload is tried on, and when NEW cannot be tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from quota_verifier.diff import diff
from quota_verifier.diff.subject import reading_queue, subject_of
from quota_verifier.errors import InputError

PAIRS = Path(__file__).parents[1] / "fixtures" / "diff"


def subject(old, new, name=None):
    return subject_of(diff(PAIRS / old, PAIRS / new), name)


def test_a_replaced_share_restarts_and_one_in_place_does_not():
    found = subject("base.yaml", "share_renamed.yaml")
    assert found.restarted == {"speech"}
    assert [share.name for share in found.removed] == ["speech"]
    assert [share.name for share in found.added] == ["audio"]
    assert (found.queue_goes, found.environment_goes, found.refused) == (False, False, ())


def test_a_queue_under_another_logical_id_is_another_queue():
    found = subject("base.yaml", "all_renamed.yaml")
    assert (found.queue_goes, found.environment_goes, found.refused) == (True, True, ())
    assert found.restarted == {"research", "speech", "vision"}


def test_a_deployment_that_fails_is_refused_by_its_rules():
    assert subject("base.yaml", "share_id_renamed.yaml").refused == ("E9402",)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("fair_share.yaml", "the policy Policy of NEW has no QuotaSharePolicy"),
        ("queue_type.yaml", "the queue of NEW is of type ECS"),
        ("queue_removed.yaml", "NEW has no such queue"),
    ],
)
def test_nothing_runs_on_what_is_no_quota_managed_queue_any_more(new, why):
    found = subject("base.yaml", new)
    assert (found.new, found.why_not_new) == (None, why)
    assert (found.removed, found.added) == ((), ())


@pytest.mark.parametrize("name", ["Queue", "gpu-q", None])
def test_a_queue_is_named_by_logical_id_or_name_or_is_the_only_one(name):
    assert subject("named.yaml", "named_tags.yaml", name).old.name == "gpu-q"


def test_a_queue_that_old_does_not_have_is_refused():
    with pytest.raises(InputError, match="no quota-managed job queue is called 'Quee'; known are gpu-q"):
        subject("named.yaml", "named_tags.yaml", "Quee")
    with pytest.raises(InputError, match="no quota-managed job queue; leave --workload and --policy out"):
        subject("queue_removed.yaml", "base.yaml")


def test_a_workload_may_name_the_shares_and_units_of_either_side():
    found = reading_queue(subject("base.yaml", "unit_moved.yaml"))
    assert found.units == ("ml.g5.xlarge", "ml.g6.xlarge")
    both = reading_queue(subject("base.yaml", "share_renamed.yaml"))
    assert sorted(share.name for share in both.shares) == ["audio", "research", "speech", "vision"]
