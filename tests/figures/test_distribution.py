from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.figures.distribution import LEFT_OUT, UNBOUNDED, distribution, exact_sum, rank


@pytest.mark.parametrize(
    ("percent", "count", "place"),
    [(50, 1, 1), (50, 2, 1), (50, 3, 2), (95, 20, 19), (95, 21, 20), (99, 100, 99), (99, 101, 100), (100, 7, 7)],
)
def test_a_percentile_stands_at_the_nearest_rank(percent, count, place):
    assert rank(percent, count) == place


def test_statistics_of_one_to_twenty():
    found = distribution(np.arange(1, 21)[::-1].copy())
    assert (found.count, found.never, found.min, found.max) == (20, 0, 1, 20)
    assert (found.p50, found.p90, found.p95, found.p99) == (10, 18, 19, 20)
    assert found.mean == Fraction(21, 2)


def test_an_unbounded_value_ranks_last_and_leaves_no_mean():
    found = distribution(np.array([3, UNBOUNDED, 1, 2]))
    assert (found.count, found.never) == (4, 1)
    assert (found.min, found.p50, found.p90, found.max, found.mean) == (1, 2, None, None, None)


def test_a_job_left_out_is_not_counted():
    assert distribution(np.array([LEFT_OUT, 5, LEFT_OUT])).count == 1


def test_nothing_has_no_statistics():
    found = distribution(np.array([LEFT_OUT]))
    assert (found.count, found.min, found.mean, found.p50, found.max) == (0, None, None, None, None)


@given(st.lists(st.integers(0, 50), min_size=1), st.sampled_from([50, 90, 95, 99, 100]))
def test_a_percentile_is_the_least_value_that_enough_values_do_not_exceed(values, percent):
    found = distribution(np.array(values)).statistic("max" if percent == 100 else f"p{percent}")
    covered = [v for v in values if sum(w <= v for w in values) * 100 >= percent * len(values)]
    assert found == min(covered)


def test_a_sum_that_needs_more_than_64_bits_is_exact():
    assert exact_sum(np.full(5, 2**61)) == 5 * 2**61
