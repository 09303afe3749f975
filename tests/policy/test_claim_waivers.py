"""Waivers: a claim may fail for a reason and until a day, and nobody forgets it."""

from __future__ import annotations

from datetime import date

import pytest
import yaml
from policy_helpers import LENT

from quota_verifier.errors import InputError
from quota_verifier.policy import policy_from_data, read_policy, verify

JOBS = {"jobs": [{"id": name, "share": "B", "work": "1h", "instances": 2} for name in ("first", "second")]}
WAITS = {"share": "B", "wait": {"max": "<= 1m"}}
ENDS = {"share": "B", "finished": "all"}
DAY = date(2026, 12, 31)


def data(*expect, **waiver):
    row = {"claim": "B.wait-max", "reason": "new machines in May", "until": "2026-12-31", **waiver}
    return {"workload": JOBS, "expect": list(expect) or [WAITS, ENDS], "waive": [row], "under": "default"}


def judged(today=DAY, **waiver):
    return verify(LENT, policy_from_data(data(**waiver)), today=today)


def refused(policy) -> str:
    with pytest.raises(InputError) as error:
        policy_from_data(policy, source="p.yaml")
    return str(error.value)


def test_a_waived_claim_that_fails_passes_and_stays_a_failure():
    found = judged()
    waits, _ = found.policies[0].verdicts
    assert found.ok
    assert (waits.verdict, waits.ok, waits.waived, waits.passes) == ("fails", False, True, True)
    assert waits.waiver_note == "waived until 2026-12-31: new machines in May"


def test_the_last_day_counts_and_the_day_after_fails():
    assert judged(date(2026, 12, 31)).ok
    late = judged(date(2027, 1, 1))
    verdict = late.policies[0].verdicts[0]
    assert not late.ok
    assert (verdict.verdict, verdict.expired, verdict.waived) == ("fails", True, False)
    assert verdict.waiver_note == "waiver expired on 2026-12-31: new machines in May"


def test_today_is_the_day_of_this_machine_unless_given():
    assert judged(None, until="9999-12-31").ok
    assert not judged(None, until="2020-01-01").ok


@pytest.mark.parametrize("today", [DAY, date(2030, 1, 1)])
def test_a_waiver_of_a_claim_that_holds_is_a_warning(today):
    found = judged(today, claim="B.finished").policies[0]
    assert found.waiver_warnings == (
        "share B: finished == 100%: the waiver until 2026-12-31 is no longer needed: the claim holds",
    )
    assert found.verdicts[1].passes
    assert not found.ok  # the other claim fails


def test_a_waiver_covers_its_own_claim_alone():
    both = verify(
        LENT, policy_from_data(data(WAITS, {"share": "B", "wait": {"p50": "<= 0s", "min": "> 1s"}})), today=DAY
    )
    assert [verdict.passes for verdict in both.policies[0].verdicts] == [True, False, True]


def test_a_claim_that_depends_can_be_waived_too():
    jobs = [
        {"id": "high", "share": "A", "work": "1h", "instances": 3},
        {"id": "med", "share": "A", "work": "1h", "instances": 1},
        {"id": "owner", "share": "B", "submit": "10s", "work": "1h", "instances": 1},
    ]
    waive = [{"claim": "job-med.preemptions", "reason": "either is fine", "until": "2026-12-31"}]
    policy = {"workload": {"jobs": jobs}, "expect": [{"job": "med", "preemptions": 0}], "waive": waive}
    (verdict,) = verify(LENT, policy_from_data(policy), today=DAY).policies[0].verdicts
    assert (verdict.verdict, verdict.waived) == ("depends", True)


@pytest.mark.parametrize("name", ["B.wait-max", "share B: wait max", "share B: wait max <= 1m", "share B:  wait   max"])
def test_a_claim_is_waived_by_its_name_or_its_sentence(name):
    assert judged(claim=name).ok


def test_a_new_bound_keeps_the_waiver():
    policy = data({"share": "B", "wait": {"max": "<= 30s"}}, claim="share B: wait max")
    assert verify(LENT, policy_from_data(policy), today=DAY).ok


@pytest.mark.parametrize("today", ["2026-12-31", date(2026, 12, 31)])
def test_a_day_may_be_text_or_a_date(today):
    assert policy_from_data(data(until=today)).waivers[0].until == DAY


@pytest.mark.parametrize(
    ("waiver", "said"),
    [
        ({"claim": "B.wait-mx"}, "waive[0].claim: no claim is called 'B.wait-mx'; did you mean 'B.wait-max'?"),
        ({"claim": "share B: wait"}, "no claim is called 'share B: wait'; did you mean 'share B: wait max <= 1m'?"),
        ({"reason": " "}, "waive[0].reason: is empty; say why the claim may fail for now"),
        ({"until": "31.12.2026"}, "'31.12.2026' is not a date; write the last day as in 2026-12-31"),
        ({"until": "2026-02-30"}, "'2026-02-30' is not a date"),
        ({"until": 20261231}, "20261231 is not a date"),
        ({"till": "2026-12-31"}, "unknown key 'till'; did you mean 'until'?"),
    ],
)
def test_a_bad_waiver_is_refused_in_one_line(waiver, said):
    assert said in refused(data(**waiver))


@pytest.mark.parametrize("key", ["claim", "reason", "until"])
def test_a_waiver_says_claim_reason_and_day(key):
    policy = data()
    del policy["waive"][0][key]
    assert refused(policy) == f"p.yaml: waive[0].{key}: is missing; add {key!r}"


def test_a_name_of_several_claims_is_refused():
    rows = [{"share": "B", "wait": {"max": "<= 1m"}}, {"share": "B", "wait": {"max": "<= 2m"}}]
    assert "is the name of 2 claims; write one of B.wait-max, B.wait-max-2" in refused(
        data(*rows, claim="share B: wait max")
    )
    assert policy_from_data(data(*rows, claim="B.wait-max-2")).waivers[0].claim.source == ""


def test_a_claim_is_waived_once():
    policy = data()
    policy["waive"] *= 2
    assert "'B.wait-max' is waived twice" in refused(policy)


def test_the_message_names_the_line_of_the_file(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text(yaml.safe_dump(data(claim="C.wait"), sort_keys=False))
    line = 1 + file.read_text().splitlines().index("- claim: C.wait")
    with pytest.raises(InputError, match=f":{line}: waive.0..claim: no claim is called"):
        read_policy(file)


def test_the_document_has_the_waiver_and_the_name():
    claims = judged(date(2027, 1, 1)).as_dict()["policies"][0]["claims"]
    assert [claim["name"] for claim in claims] == ["B.wait-max", "B.finished"]
    assert claims[0]["waiver"] == {"reason": "new machines in May", "until": "2026-12-31", "expired": True}
    assert claims[1]["waiver"] is None
