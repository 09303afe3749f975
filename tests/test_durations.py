from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from quota_verifier.durations import LONGEST_MS, REMEDY, Duration, format_duration, parse_duration
from quota_verifier.errors import InputError


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("90s", 90_000),
        ("5m", 300_000),
        ("4h", 14_400_000),
        ("2d", 172_800_000),
        ("1w", 604_800_000),
        ("1h30m", 5_400_000),
        ("1h 30m", 5_400_000),
        (" 1d2h3m4s5ms ", 93_784_005),
        ("250ms", 250),
        ("1.5h", 5_400_000),
        ("0.1s", 100),
        ("0", 0),
        ("90", 90_000),
        ("90.5", 90_500),
        ("1e3", 1_000_000),
        (0, 0),
        (90, 90_000),
        (0.1, 100),
        (2.3, 2_300),
        (1e-3, 1),
        (1_506_638_312.001, 1_506_638_312_001),
    ],
)
def test_a_duration_is_exact_in_milliseconds(text: str | float, ms: int) -> None:
    assert parse_duration(text) == ms


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", f"'' is not a duration; {REMEDY}"),
        ("-", f"'-' is not a duration; {REMEDY}"),
        ("soon", f"'soon' is not a duration; {REMEDY}"),
        ("5M", f"'5M' is not a duration; {REMEDY}"),
        ("5 minutes", f"'5 minutes' is not a duration; {REMEDY}"),
        ("1_000", f"'1_000' is not a duration; {REMEDY}"),
        ("nan", f"'nan' is not a duration; {REMEDY}"),
        ("1e9999999999", f"'1e9999999999' is not a duration; {REMEDY}"),
        (f"1.{'0' * 60}1", f"'1.{'0' * 60}1' is not a duration; {REMEDY}"),
        (float("inf"), f"inf is not a duration; {REMEDY}"),
        (True, f"True is not a duration; {REMEDY}"),
        (None, f"None is not a duration; {REMEDY}"),
        ([5], f"[5] is not a duration; {REMEDY}"),
        ("-5m", "'-5m' is a negative duration; write 0 or more"),
        (-1, "-1 is a negative duration; write 0 or more"),
        (
            "30m1h",
            "'30m1h' does not go from long units to short ones, each once; write it as 1d2h3m4s",
        ),
        ("1m1m", "'1m1m' does not go from long units to short ones, each once; write it as 1d2h3m4s"),
        (
            "0.5ms",
            "'0.5ms' is not a whole number of milliseconds; write at most three decimals of a second",
        ),
        (
            1 / 3,
            "0.3333333333333333 is not a whole number of milliseconds; write at most three decimals of a second",
        ),
        ("1e300", "'1e300' is longer than any schedule; write less than 1000000w"),
    ],
)
def test_what_is_no_duration_is_refused_with_a_remedy(value: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_duration(value)
    assert str(caught.value) == message


def test_a_negative_duration_is_read_where_it_is_allowed() -> None:
    assert parse_duration("-1h30m", allow_negative=True) == -5_400_000
    assert parse_duration("-0.5", allow_negative=True) == -500


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0s"),
        (1, "1ms"),
        (250, "250ms"),
        (1_000, "1s"),
        (1_500, "1.5s"),
        (90_000, "90s"),
        (90_500, "1m30.5s"),
        (300_000, "5m"),
        (5_400_000, "90m"),
        (3_660_000, "61m"),
        (3_661_000, "1h1m1s"),
        (86_400_000, "1d"),
        (129_600_000, "36h"),
        (604_800_000, "7d"),
        (93_784_005, "1d2h3m4.005s"),
        (-90_000, "-90s"),
    ],
)
def test_a_duration_is_written_in_its_shortest_exact_form(ms: int, text: str) -> None:
    assert format_duration(ms) == text


@given(st.integers(min_value=-LONGEST_MS, max_value=LONGEST_MS))
def test_what_is_written_reads_back_exactly(ms: int) -> None:
    assert parse_duration(format_duration(ms), allow_negative=True) == ms


@given(st.integers(min_value=0, max_value=10**12))
def test_a_float_of_seconds_counts_as_it_is_written(ms: int) -> None:
    assert parse_duration(float(Decimal(ms) / 1000)) == ms


def test_a_duration_field_holds_milliseconds_and_writes_what_it_reads() -> None:
    field = TypeAdapter(Duration)
    assert field.validate_python("1h30m") == 5_400_000
    assert field.validate_json("90.5") == 90_500
    assert field.dump_python(5_400_000) == 5_400_000
    assert field.dump_json(5_400_000) == b'"90m"'
    assert field.json_schema()["title"] == "Duration"


def test_a_duration_field_says_what_would_be_right() -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Duration).validate_python("soon")
    assert caught.value.errors()[0]["msg"] == f"Value error, 'soon' is not a duration; {REMEDY}"
