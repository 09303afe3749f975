from __future__ import annotations

from datetime import date, datetime

import pytest

from quota_verifier.errors import InputError
from quota_verifier.workload.instants import REMEDY, LocalClock, iso_date, parse_instant, time_zone

MARCH = 1_772_352_000_000  # 2026-03-01T08:00:00Z


@pytest.mark.parametrize(
    ("value", "ms", "form"),
    [
        (0, 0, "duration"),
        (90, 90_000, "duration"),
        (0.1, 100, "duration"),
        ("90", 90_000, "duration"),
        ("1e3", 1_000_000, "duration"),
        ("1h30m", 5_400_000, "duration"),
        ("20260301", 20_260_301_000, "duration"),
        ("2026-03-01T08:00:00Z", MARCH, "date"),
        ("2026-03-01T08:00:00+00:00", MARCH, "date"),
        ("2026-03-01 09:00:00.0009+01:00", MARCH, "date"),
        ("20260301T080000Z", MARCH, "date"),
        ("2026-03-01T08:00:00", MARCH, "local date"),
        ("2026-03-01", MARCH - 8 * 3_600_000, "local date"),
        (datetime.fromisoformat("2026-03-01T08:00:00+00:00"), MARCH, "date"),
        (datetime(2026, 3, 1, 8), MARCH, "local date"),
        (date(2026, 3, 1), MARCH - 8 * 3_600_000, "local date"),
    ],
)
def test_a_point_in_time_is_a_duration_or_a_date(value: object, ms: int, form: str) -> None:
    assert parse_instant(value)[:2] == (ms, form)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("noon", f"'noon' is not a point in time; {REMEDY}"),
        ("2026-13-01T00:00:00Z", f"'2026-13-01T00:00:00Z' is not a point in time; {REMEDY}"),
        ("2026-03-01T08:00:61Z", f"'2026-03-01T08:00:61Z' is not a point in time; {REMEDY}"),
        (True, f"True is not a point in time; {REMEDY}"),
        (None, f"None is not a point in time; {REMEDY}"),
        ([], f"[] is not a point in time; {REMEDY}"),
        ("-5m", "'-5m' is a negative duration; write 0 or more"),
    ],
)
def test_anything_else_is_no_point_in_time(value: object, text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_instant(value)
    assert str(caught.value) == text


def local(text: str, zone: str) -> str:
    return iso_date(LocalClock(time_zone(zone)).ms(datetime.fromisoformat(text)))


@pytest.mark.parametrize(
    ("text", "zone", "utc"),
    [
        ("2017-10-09T07:01:55", "UTC", "2017-10-09T07:01:55Z"),
        ("2017-10-09T07:01:55", "America/Los_Angeles", "2017-10-09T14:01:55Z"),
        ("2017-12-09T07:01:55", "America/Los_Angeles", "2017-12-09T15:01:55Z"),
        ("2017-10-09T07:01:55", "+05:30", "2017-10-09T01:31:55Z"),
        ("2017-10-09T07:01:55", "-0300", "2017-10-09T10:01:55Z"),
        ("2017-11-05T00:59:59", "America/Los_Angeles", "2017-11-05T07:59:59Z"),
        ("2017-11-05T01:30:00", "America/Los_Angeles", "2017-11-05T08:30:00Z"),
        ("2017-11-05T02:00:00", "America/Los_Angeles", "2017-11-05T10:00:00Z"),
        ("2017-03-12T02:30:00", "America/Los_Angeles", "2017-03-12T10:30:00Z"),
        ("2017-04-02T01:45:00", "Australia/Lord_Howe", "2017-04-01T14:45:00Z"),
    ],
)
def test_a_local_date_is_read_in_its_zone(text: str, zone: str, utc: str) -> None:
    assert local(text, zone) == utc


def test_dates_that_a_zone_repeats_or_skips_are_counted() -> None:
    clock = LocalClock(time_zone("America/Los_Angeles"))
    for text in ("2017-11-05T01:30:00", "2017-03-12T02:30:00", "2017-11-05T03:30:00", "2017-11-06T01:30:00"):
        clock.ms(datetime.fromisoformat(text))
    assert clock.doubtful == 2


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "+99:99", "../etc/passwd"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        time_zone(name)
    assert str(caught.value) == (
        f"timezone: no time zone is called {name!r}; write an IANA name such as America/Los_Angeles, UTC, or an "
        "offset such as +01:00 (where the machine has no time zone data, install the package tzdata)"
    )
