"""The names that findings are acknowledged by: subject and measure, never the bound or the place in the file."""

from __future__ import annotations

import aws_cdk as cdk
import pytest

from quota_shares.validation.claims import claim_names
from quota_shares.validation.findings import rule_name
from quota_verifier.policy.policy import policy_from_data

JOBS = [{"id": "a", "share": "QS1", "submit": "0s", "work": "1h", "instances": 1}]


def names(*rows: dict[str, object]) -> list[str]:
    policy = policy_from_data({"workload": {"jobs": JOBS}, "expect": list(rows)})
    return claim_names(list(policy.claims))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"share": "QS1", "wait": "<= 5m"}, ["QS1.wait"]),
        ({"share": "QS1", "wait": {"p95": "<= 5m", "max": "<= 1h"}}, ["QS1.wait-p95", "QS1.wait-max"]),
        ({"share": "QS1", "reclaimed_within": "1m"}, ["QS1.reclaim"]),
        ({"share": "QS1", "reclaimed_within": {"p95": "1m"}}, ["QS1.reclaim-p95"]),
        ({"share": "QS1", "preemptions": 0}, ["QS1.preemptions"]),
        (
            {"preemptions": {"cross_share": 0, "caused": 0}},
            ["queue.preemptions-cross-share", "queue.preemptions-caused"],
        ),
        ({"class": "urgent", "lost_work": "<= 1h"}, ["class-urgent.lost-work"]),
        ({"class": {"team": "a", "size": "big"}, "thrash": 0}, ["size-big.team-a.thrash"]),
        ({"share": "QS1", "unit": "ml.g5.xlarge", "utilization": ">= 60%"}, ["QS1.ml.g5.xlarge.utilization"]),
        ({"idle_reserved": "<= 10%"}, ["queue.idle-reserved"]),
        ({"never_schedulable": 0}, ["queue.never-schedulable"]),
        ({"finished": "100%"}, ["queue.finished"]),
        ({"job": "a", "starts": "0s", "ends": "<= 1h"}, ["job-a.starts", "job-a.ends"]),
        ({"job": "a", "state": "RUNNING", "at": "10s"}, ["job-a.state-at-10s"]),
        ({"job": "a", "state": "SUCCEEDED"}, ["job-a.state-at-the-end"]),
        ({"job": "a", "preempted_by": []}, ["job-a.preempted-by"]),
        ({"at": "20s", "running": ["a"], "waiting": []}, ["queue.running-at-20s", "queue.waiting-at-20s"]),
        ({"share": "QS1", "at": "1h30m", "running": ["a"]}, ["QS1.running-at-90m"]),
        ({"job": "train::(x) é", "ends": "never"}, ["job-train-x.ends"]),
    ],
)
def test_a_claim_is_named_by_subject_and_measure(row: dict[str, object], expected: list[str]) -> None:
    assert names(row) == expected


def test_the_bound_is_no_part_of_the_name() -> None:
    assert names({"share": "QS1", "wait": "<= 5m"}) == names({"share": "QS1", "wait": "> 7h"})


def test_the_place_in_the_file_is_no_part_of_the_name() -> None:
    rows: list[dict[str, object]] = [{"share": "QS1", "wait": "<= 5m"}, {"preemptions": 0}]

    assert sorted(names(*rows)) == sorted(names(*reversed(rows)))


def test_claims_of_one_name_are_numbered() -> None:
    assert names({"wait": ">= 1s"}, {"wait": "<= 5m"}, {"wait": {"max": "<= 1h"}}) == [
        "queue.wait",
        "queue.wait-2",
        "queue.wait-max",
    ]


@pytest.mark.parametrize("part", ["a::b", "(open", "[x]", "}", "two words", "naïve", "", "--"])
def test_a_name_is_one_that_the_cdk_takes(stack: cdk.Stack, part: str) -> None:
    name = rule_name(part, "claim")

    assert not set(name) & set(":()[]{} ")
    cdk.Validations.of(stack).acknowledge(cdk.Acknowledgment(id=f"quota-shares::{name}", reason="taken"))
