"""Waivers of a policy file at synth."""

from __future__ import annotations

from validated_apps import WAITS, only, policy, queue, validate

WAIVER = "waive:\n  - {claim: QS3.wait-max, reason: new machines in May, until: DAY}\n"


def test_a_waived_claim_is_told_and_does_not_fail_synth(app, stack):
    queue(stack).verify(policy(text=WAITS + WAIVER, DAY="9999-12-31"))

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("urgent.QS3.wait-max", "info")
    assert "waived until 9999-12-31: new machines in May" in found["description"]


def test_an_expired_waiver_fails_synth(app, stack):
    queue(stack).verify(policy(text=WAITS + WAIVER, DAY="2020-01-31"))

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("urgent.QS3.wait-max", "error")
    assert "fails, measured 1h" in found["description"]
    assert "waiver expired on 2020-01-31: new machines in May" in found["description"]


def test_a_waiver_that_is_not_needed_is_a_warning(app, stack):
    queue(stack).verify(policy(text=WAITS + WAIVER, DAY="9999-12-31", BOUND="2h"))

    found = only(validate(app))
    assert (found["ruleName"], found["severity"]) == ("urgent.QS3.wait-max-waiver", "warning")
    assert "no longer needed" in found["description"]
