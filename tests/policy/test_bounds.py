"""Comparisons as policy files write them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quota_verifier.errors import InputError
from quota_verifier.policy.bounds import Bound, finished_bound, parse_bound
from quota_verifier.policy.wording import bound_text, value_text


@pytest.mark.parametrize(
    ("text", "kind", "operator", "limit"),
    [
        ("<= 5m", "duration", "<=", 300_000),
        ("<=5m", "duration", "<=", 300_000),
        (" >  1h30m ", "duration", ">", 5_400_000),
        ("== 0", "duration", "==", 0),
        (0, "duration", "==", 0),
        ("0s", "duration", "==", 0),
        ("< 2", "duration", "<", 2000),
        (">= 60%", "ratio", ">=", Fraction(3, 5)),
        (">= 0.6", "ratio", ">=", Fraction(3, 5)),
        ("<= 150%", "ratio", "<=", Fraction(3, 2)),
        ("<= 0.1 %", "ratio", "<=", Fraction(1, 1000)),
        ("<= 1.5", "number", "<=", Fraction(3, 2)),
        ("<= 2", "count", "<=", 2),
    ],
)
def test_a_comparison_is_an_operator_and_an_exact_limit(text, kind, operator, limit):
    assert parse_bound(text, kind) == Bound(operator, limit, kind)


def test_a_bare_value_means_what_its_field_says():
    assert parse_bound(2, "count", "==") == Bound("==", 2, "count")
    assert parse_bound("1m", "duration", "<=") == Bound("<=", 60_000, "duration")
    assert parse_bound(90, "duration", "<=") == Bound("<=", 90_000, "duration")
    assert parse_bound("never", "instant", "==") == Bound("==", None, "instant")


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        ("100%", Bound("==", Fraction(1), "ratio")),
        ("all", Bound("==", Fraction(1), "ratio")),
        (">= 99.5%", Bound(">=", Fraction(199, 200), "ratio")),
        (20, Bound("==", 20, "count")),
        (">= 20", Bound(">=", 20, "count")),
    ],
)
def test_finished_counts_jobs_or_takes_a_part_of_them(value, bound):
    assert finished_bound(value) == bound


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        ("5m", "duration", "'5m' does not say how to compare; write a comparison such as '<= 5m'"),
        ("=> 5m", "duration", "'=> 5m' is not a comparison with a duration; write one such as '<= 5m'"),
        ("<= 5x", "duration", "'<= 5x' is not a comparison with a duration; write one such as '<= 5m'"),
        ("<= -5m", "duration", "'-5m' is a negative duration; write 0 or more"),
        ("<= 60", "ratio", "'<= 60' could be a ratio or a percentage; write <= 60%"),
        ("<= much", "ratio", "'<= much' is not a comparison with a percentage; write one such as '>= 60%'"),
        ("<= nan", "number", "'<= nan' is not a comparison with a number; write one such as '<= 1.5'"),
        ("<= -1", "count", "'<= -1' compares with a negative number; write 0 or more"),
        ("<= 1.5", "count", "'<= 1.5' is not a count; write a whole number, as in '<= 2'"),
        ("<= 50%", "count", "'<= 50%' is not a count; write a whole number, as in '<= 2'"),
        ("<= 50%", "number", "'<= 50%' is not a plain number; write one as in '<= 1.5'"),
        ("never", "duration", "'never' is not a comparison with a duration; write one such as '<= 5m'"),
        (True, "count", "true is not a comparison; write one such as '<= 2'"),
        ([1], "duration", "a list is not a comparison; write one such as '<= 5m'"),
    ],
)
def test_what_is_no_comparison_is_refused_in_one_sentence(value, kind, message):
    with pytest.raises(InputError) as error:
        parse_bound(value, kind)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("operator", "holds"),
    [("<=", (True, True, False)), ("<", (True, False, False)), ("==", (False, True, False)),
     (">=", (False, True, True)), (">", (False, False, True))],
)  # fmt: skip
def test_comparisons_hold_on_the_right_side_of_the_limit(operator, holds):
    bound = Bound(operator, 5, "count")
    assert tuple(bound.holds(value) for value in (4, 5, 6)) == holds


def test_what_never_came_is_above_every_limit_and_equal_to_never():
    assert [Bound(op, 5, "duration").holds(None) for op in ("<=", "<", "==", ">=", ">")] == [
        False, False, False, True, True,
    ]  # fmt: skip
    assert Bound("==", None, "instant").holds(None)
    assert not Bound("==", None, "instant").holds(7)


@pytest.mark.parametrize(
    ("value", "kind", "other", "text"),
    [
        (300_000, "duration", None, "5m"),
        (Fraction(1500, 7), "duration", None, "about 214ms"),
        (None, "duration", None, "never"),
        (Fraction(1, 3), "ratio", None, "33.3%"),
        (Fraction(3, 5), "ratio", None, "60%"),
        (Fraction(1), "ratio", None, "100%"),
        (Fraction(599_999, 1_000_000), "ratio", Fraction(3, 5), "59.9999%"),
        (Fraction(1, 100_000), "ratio", None, "0.001%"),
        (Fraction(10), "number", None, "10"),
        (Fraction(2006, 1000), "number", Fraction(2), "2.01"),
        (1200, "count", None, "1200"),
    ],
)
def test_values_read_as_people_write_them_and_never_as_the_bound_they_miss(value, kind, other, text):
    assert value_text(value, kind, other) == text


def test_a_bound_is_written_in_full():
    assert bound_text(parse_bound("<=300", "duration")) == "<= 5m"
    assert bound_text(parse_bound("never", "instant", "==")) == "== never"
    assert bound_text(parse_bound(0, "duration")) == "== 0s"
