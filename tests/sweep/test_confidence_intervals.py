from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from quota_verifier.sweep.intervals import estimate, paired, t_quantile

# The two-sided 95 % column of any table of Student's t.
TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228}
TABLE |= {15: 2.131, 19: 2.093, 20: 2.086, 29: 2.045, 30: 2.042, 60: 2.000, 99: 1.984, 120: 1.980, 999: 1.962}


@pytest.mark.parametrize(("freedom", "quantile"), TABLE.items())
def test_quantiles_are_those_of_the_tables(freedom, quantile):
    assert round(t_quantile(freedom), 3) == quantile


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 63.657), (2, 9.925), (9, 3.250), (30, 2.750)])
def test_other_levels_are_those_of_the_tables(freedom, quantile):
    assert round(t_quantile(freedom, 0.99), 3) == quantile


def test_the_mean_is_exact_and_the_interval_is_students():
    found = estimate([1, 2, 4])
    assert found.mean == Fraction(7, 3)
    assert found.half == pytest.approx(4.302652729911275 * math.sqrt(7 / 3 / 3))


def test_one_value_has_no_interval_and_equal_values_a_narrow_one():
    assert (estimate([5]).mean, estimate([5]).half) == (5, None)
    assert (estimate([5, 5, 5]).mean, estimate([5, 5, 5]).half) == (5, 0)


def test_a_value_that_is_missing_leaves_no_mean():
    found = estimate([1, None, 3, None])
    assert (found.count, found.missing, found.mean, found.half) == (4, 2, None, None)


def test_differences_are_taken_pair_by_pair():
    base = [100, 2_000, 30_000]
    found = paired([90, 1_990, 29_990], base)
    assert (found.mean, found.half) == (-10, 0)
    assert paired([90, None, 29_990], base).mean is None


@pytest.mark.parametrize(("values", "differs"), [([10, 12, 14], True), ([-10, 12, 14], False), ([3], False)])
def test_a_mean_differs_from_0_where_0_is_outside_of_its_interval(values, differs):
    assert estimate(values).differs is differs


def test_intervals_cover_the_mean_as_often_as_they_say():
    source = random.Random(7)  # noqa: S311
    hits = 0
    for _ in range(2_000):
        found = estimate([round(source.gauss(0, 1_000)) for _ in range(5)])
        hits += abs(found.mean) <= found.half
    assert 0.935 < hits / 2_000 < 0.965
