from __future__ import annotations

from fractions import Fraction

import pytest

from quota_verifier.policy.bounds import parse_bound
from quota_verifier.policy.claims import JobSetClaim, MeasureClaim, Subject
from quota_verifier.policy.measured import Measured, nothing_measured
from quota_verifier.sweep.margin import least, margin


def of(written: str, value, kind="duration"):
    bound = parse_bound(written, kind, "<=")
    return margin(MeasureClaim(Subject(), "wait", "max", bound), Measured(bound.holds(value), value, "", kind))


@pytest.mark.parametrize(
    ("written", "value", "expected"),
    [
        ("<= 10m", 0, 1),
        ("<= 10m", 300_000, Fraction(1, 2)),
        ("<= 10m", 600_000, 0),
        ("<= 10m", 1_200_000, Fraction(-1, 2)),
        ("<= 10m", None, -1),
        (">= 10m", 1_200_000, Fraction(1, 2)),
        (">= 10m", 300_000, Fraction(-1, 2)),
        (">= 10m", 0, -1),
        (">= 10m", None, None),
        ("<= 0s", 0, None),
        ("<= 0s", 5, -1),
        ("== 10m", 600_000, None),
        ("== 10m", 600_001, -1),
    ],
)
def test_a_margin_is_the_distance_to_the_limit_over_the_larger_of_the_two(written, value, expected):
    assert of(written, value) == expected


def test_a_ratio_has_a_margin_as_well():
    assert of(">= 60%", Fraction(4, 5), "ratio") == Fraction(1, 4)


def test_sets_of_jobs_have_no_distance():
    claim = JobSetClaim(Subject(), "running", ("a",), 0)
    assert margin(claim, Measured(True, ("a",), "a")) is None
    assert margin(claim, Measured(False, (), "nothing")) == -1


def test_nothing_to_measure_is_as_bad_as_it_gets():
    claim = MeasureClaim(Subject(), "wait", "max", parse_bound("<= 1m", "duration"))
    assert margin(claim, nothing_measured("no job")) == -1


def test_the_worst_claim_counts():
    assert least([Fraction(1, 2), None, Fraction(-1, 4)]) == Fraction(-1, 4)
    assert least([None, None]) == 0
