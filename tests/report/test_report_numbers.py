from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.report.numbers import counted, decimal, instance_hours, percent, short_duration

ratios = st.fractions(min_value=0, max_value=3)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
        (Fraction(3, 2), "150 %"),
        (Fraction(642, 1000), "64.2 %"),
        (Fraction(1, 1001), "0.1 %"),
        (Fraction(1, 10**9), "<0.1 %"),
        (Fraction(9999, 10000), ">99.9 %"),
        (Fraction(10001, 10000), "<100.1 %"),
        (Fraction(2, 3), "66.7 %"),
        (None, "-"),
    ],
)
def test_a_percentage_says_on_which_side_of_none_and_all_it_is(ratio, text):
    assert percent(ratio) == text


@given(ratios)
def test_a_percentage_reads_0_or_100_only_where_it_is(ratio):
    assert (percent(ratio) == "0 %") == (ratio == 0)
    assert (percent(ratio) == "100 %") == (ratio == 1)


@given(ratios)
def test_a_percentage_is_at_most_a_tenth_of_a_percent_off(ratio):
    read = Fraction(percent(ratio).removesuffix(" %").lstrip("<>"))
    assert abs(read - ratio * 100) <= Fraction(1, 10)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (2, "2"), (Fraction(5, 4), "1.3"), (Fraction(1, 100), "<0.1"), (Fraction(7, 2), "3.5"), (None, "-")],
)
def test_a_number_that_is_not_0_is_not_written_as_0(value, text):
    assert decimal(value) == text


def test_instance_time_reads_in_hours():
    assert instance_hours(2 * 3_600_000 + 1_800_000) == "2.5"
    assert instance_hours(1) == "<0.1"


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0s"),
        (7, "7ms"),
        (999, "999ms"),
        (1_234, "1.23s"),
        (12_340, "12.34s"),
        (93_784, "1m34s"),
        (5_400_000, "1h30m"),
        (27_673_482, "7h41m13s"),
        (93_784_219, "26h3m"),
        (49_860_000, "13h51m"),
        (7_200_000, "2h"),
        (9_411_180_000, "108d22h13m"),
        (Fraction(1, 3), "<1ms"),
        (Fraction(20_000, 3), "6.67s"),
        (None, "-"),
    ],
)
def test_a_duration_in_a_table_keeps_the_digits_that_matter(ms, text):
    assert short_duration(ms) == text


@given(st.integers(min_value=1, max_value=10**11))
def test_a_duration_in_a_table_is_at_most_one_part_in_100_off(ms):
    from quota_verifier.durations import parse_duration

    assert abs(parse_duration(short_duration(ms)) - ms) * 100 <= ms


def test_a_duration_that_never_came_says_so_in_the_words_of_the_table():
    assert short_duration(None, "never") == "never"


def test_a_noun_is_counted():
    assert [counted(n, "policy", "policies") for n in (0, 1, 2)] == ["0 policies", "1 policy", "2 policies"]
    assert counted(3, "claim") == "3 claims"
