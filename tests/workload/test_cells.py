from __future__ import annotations

import pytest

from quota_verifier.workload.readers.cells import seconds, whole


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("0", 0),
        ("66", 66_000),
        ("66.0", 66_000),
        ("90.5", 90_500),
        ("552.2134", 552_213),
        ("0.0005", 0),
        ("0.0015", 2),
        ("-1", -1_000),
        ("1e3", 1_000_000),
        ("", None),
        ("x", None),
        ("nan", None),
        ("inf", None),
        ("9" * 5_000, None),
        ("1e999999999", None),
    ],
)
def test_seconds_are_read_to_the_millisecond(text: str, ms: int | None) -> None:
    assert seconds(text) == ms


@pytest.mark.parametrize(
    ("text", "count"),
    [("8", 8), ("8.0", 8), ("-1", -1), ("1.5", None), ("", None), ("nan", None), ("1e10", None), ("9" * 5_000, None)],
)
def test_counts_are_whole_numbers(text: str, count: int | None) -> None:
    assert whole(text) == count
