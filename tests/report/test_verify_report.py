from __future__ import annotations

import pytest
from report_queues import three_shares

from quota_verifier.policy import policy_from_data, verify
from quota_verifier.report.text import rendered
from quota_verifier.report.verify_text import summary, verify_report

JOBS = [
    {"id": "high", "share": "QS1", "work": "1h", "instances": 1, "priority": 3},
    {"id": "med", "share": "QS1", "work": "1h", "instances": 1, "priority": 2},
    {"id": "qs2j", "share": "QS2", "submit": "10s", "work": "1h", "instances": 1},
]
HOLDS = {"share": "QS2", "wait": {"max": "<= 10s"}}
FAILS = {"share": "QS1", "preemptions": 0}
DEPENDS = {"job": "high", "preemptions": 0}


def policy(*expect, source="policy.yaml", **rest):
    return policy_from_data({"workload": {"jobs": JOBS}, "expect": list(expect), **rest}, source=source)


def report(*policies, width=80, **rest) -> str:
    return rendered(verify_report(verify(three_shares(), policies, **rest)), width)


def test_a_report_goes_policy_by_policy_and_ends_with_the_summary(snapshot):
    urgent = policy(HOLDS, {"utilization": ">= 60%"}, description="What QS2 may expect", source="urgent.yaml")
    strict = policy(
        FAILS,
        DEPENDS,
        {"share": "QS1", "wait": {"p95": "<= 1m"}, "turnaround": {"max": "<= 1h30m"}},
        {"at": "20s", "running": ["high", "med"]},
        {"job": "med", "ends": "<= 1h"},
        timing={"startup": "3m", "stop": "20s"},
        assume={"A8": "back"},
        source="strict.yaml",
    )
    assert report(urgent, strict) == snapshot


@pytest.mark.parametrize(
    ("expect", "line"),
    [
        ([HOLDS], "1 policy, 1 claim: 1 holds"),
        ([HOLDS, HOLDS], "1 policy, 2 claims: 2 hold"),
        ([HOLDS, FAILS], "1 policy, 2 claims: 1 holds, 1 fails"),
        ([HOLDS, HOLDS, FAILS, DEPENDS], "1 policy, 4 claims: 2 hold, 1 fails, 1 depends"),
        ([FAILS, FAILS, DEPENDS, DEPENDS], "1 policy, 4 claims: 2 fail, 2 depend"),
    ],
)
def test_the_last_line_counts_the_verdicts(expect, line):
    verdicts = verify(three_shares(), policy(*expect))
    assert summary(verdicts).plain == line
    assert rendered(verify_report(verdicts)).splitlines()[-1] == line


def test_the_last_line_counts_policies():
    assert report(policy(HOLDS), policy(HOLDS)).splitlines()[-1] == "2 policies, 2 claims: 2 hold"


def test_a_claim_that_depends_names_what_turns_it_and_the_value_there():
    text = " ".join(report(policy({"job": "high", "preemptions": 0})).split())
    assert "depends job high: preemptions == 0 0" in text
    assert "holds under the assumptions it starts from, but fails under A7=oldest (1)" in text


def test_a_claim_that_fails_tells_by_how_much():
    text = report(policy({"share": "QS1", "turnaround": {"max": "<= 1h30m"}}))
    assert "  FAILS    share QS1: turnaround max <= 90m  " in text
    assert "1 of 2 jobs above 90m" in text


def test_a_claim_that_holds_takes_one_line():
    lines = report(policy(HOLDS, HOLDS)).splitlines()
    assert [line for line in lines if line.startswith("  ")][1:] == ["  holds    share QS2: wait max <= 10s  0s"] * 2


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_report_keeps_to_the_width(width):
    long = {"at": "5s", "running": ["high", "med"], "waiting": []}
    text = report(policy(FAILS, DEPENDS, long, source="p.yaml"), width=width)
    assert max(map(len, text.splitlines())) <= width


def test_a_timeline_tells_what_happened_around_the_instant_at_which_a_claim_fails():
    text = " ".join(report(policy(FAILS)).split())
    assert "worst job: med, around 10s:" in text
    assert "preempted to make room for qs2j (QS2): QS1 holds 2 of its limit 1 on ml.g5.xlarge (R13)" in text


def test_a_timeline_under_other_answers_says_so():
    text = " ".join(report(policy(DEPENDS)).split())
    assert "worst job: high, around 10s under A7=oldest:" in text
    assert "10s high QS1 preempted to make room for qs2j (QS2)" in text


def test_a_timeline_is_told_once_for_all_claims_that_fail_there():
    text = report(policy(FAILS, {"job": "med", "preemptions": 0}))
    assert text.count("preempted to make room for qs2j") == 1
    assert "worst job: med, around 10s, as told above" in text


def test_a_claim_about_no_instant_has_no_timeline():
    text = report(policy({"never_schedulable": ">= 1"}))
    assert "FAILS" in text
    assert "around" not in text
