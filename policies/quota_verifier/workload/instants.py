"""Points in time as files write them: durations from the start, or ISO 8601 dates."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Annotated, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from quota_verifier.durations import PATTERN, format_duration, parse_duration
from quota_verifier.errors import InputError

Form = Literal["duration", "date", "local date"]
"""How a point in time was written; a local date has no zone and needs one to mean anything."""

REMEDY = "write a duration from the start (5m, 1h30m, plain seconds) or an ISO 8601 date with a zone"
ZONE_REMEDY = "append Z or an offset such as +01:00, or name the time zone (timezone: Europe/Berlin)"

_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1)


class Instant(NamedTuple):
    """A point in time: milliseconds from the start, or since 1970 (of local time for a local date)."""

    ms: int
    form: Form
    text: str


def parse_instant(value: object) -> Instant:
    """`value` as a duration from the start or an ISO 8601 date; plain numbers are seconds from the start.

    A date finer than a millisecond is cut down to it. Raises InputError for anything else.
    """
    if isinstance(value, Instant):
        return value
    if isinstance(value, date):
        moment = value if isinstance(value, datetime) else datetime.combine(value, datetime.min.time())
        return _of_date(moment, value.isoformat())
    if isinstance(value, str) and (moment := _iso(value.strip())) is not None:
        return _of_date(moment, value.strip())
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{value!r} is not a point in time", remedy=REMEDY)
    try:
        return Instant(parse_duration(value), "duration", str(value).strip())
    except InputError as error:
        if "is not a duration" not in error.problem:
            raise
        raise InputError(f"{value!r} is not a point in time", remedy=REMEDY) from None


def _iso(text: str) -> datetime | None:
    """The date that `text` is; None for durations and numbers, which `fromisoformat` must not see."""
    if "-" not in text[1:] and "T" not in text.upper():
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _of_date(moment: datetime, text: str) -> Instant:
    if moment.tzinfo is None:
        return Instant((moment - _EPOCH) // _MILLISECOND, "local date", text)
    return Instant((moment.astimezone(UTC).replace(tzinfo=None) - _EPOCH) // _MILLISECOND, "date", text)


def iso_date(epoch_ms: int) -> str:
    """`epoch_ms` since 1970 as an ISO 8601 date in UTC."""
    return (_EPOCH + timedelta(milliseconds=epoch_ms)).replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")


def time_zone(name: str) -> tzinfo:
    """The zone called `name`: an IANA name, UTC, Z, or an offset such as +01:00. Raises InputError."""
    if name.upper() in {"UTC", "Z", "GMT"}:
        return UTC
    if name[:1] in {"+", "-"}:
        try:
            return timezone(datetime.strptime(name, "%z").utcoffset() or timedelta())
        except ValueError:
            pass
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(
            f"no time zone is called {name!r}",
            where="timezone",
            remedy="write an IANA name such as America/Los_Angeles, UTC, or an offset such as +01:00 "
            "(where the machine has no time zone data, install the package tzdata)",
        ) from None


class LocalClock:
    """Local dates of one time zone as milliseconds since 1970 UTC.

    An hour that the zone has twice (end of daylight saving time) is taken at its first turn, one that
    it skips at the offset before the gap; both are counted in `doubtful`.
    """

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._steady: dict[int, int | None] = {}
        self.doubtful = 0

    def ms(self, moment: datetime) -> int:
        """`moment` (without a zone) in milliseconds since 1970 UTC."""
        offset = self.offset_of_day(moment.toordinal())
        if offset is None:
            offset = self._offset(moment)
            self.doubtful += offset != self._offset(moment.replace(fold=1))
        return (moment - _EPOCH) // _MILLISECOND - offset

    def note(self, notes: Counter[str]) -> None:
        """Add the count of doubtful dates to `notes`, where there are any."""
        if self.doubtful:
            notes["dates in an hour that the time zone repeats or skips, taken at its first turn"] += self.doubtful

    def zoned_ms(self, moment: datetime) -> int:
        """`moment` (with a zone of its own) in milliseconds since 1970 UTC."""
        return (moment.astimezone(UTC).replace(tzinfo=None) - _EPOCH) // _MILLISECOND

    def local_ms(self, ms: int) -> int:
        """`ms` since 1970 of local time, as an Instant holds it, in milliseconds since 1970 UTC."""
        return self.ms(_EPOCH + timedelta(milliseconds=ms))

    def offset_of_day(self, day: int) -> int | None:
        """The offset in ms from UTC throughout a day (as `date.toordinal` counts), None where it changes in it."""
        if day not in self._steady:
            self._steady[day] = self._offset_all_day(day)
        return self._steady[day]

    def _offset_all_day(self, day: int) -> int | None:
        """The offset of a day, None where it changes within the day; looked up once a day for speed."""
        midnight = datetime.fromordinal(day)
        around = {self._offset(midnight + timedelta(hours=hours)) for hours in (0, 12, 24)}
        return around.pop() if len(around) == 1 else None

    def _offset(self, moment: datetime) -> int:
        return (moment.replace(tzinfo=self._zone).utcoffset() or timedelta()) // _MILLISECOND


When = Annotated[
    Instant,
    PlainValidator(parse_instant),
    PlainSerializer(
        lambda instant: format_duration(instant.ms) if instant.form == "duration" else instant.text,
        return_type=str,
    ),
    WithJsonSchema(
        {
            "title": "When",
            "description": "A duration from the start (5m, 1h30m; a plain number is seconds), or an ISO 8601 "
            "date with a zone. One form throughout a file; dates count from the earliest.",
            "examples": [0, "5m", "2026-03-01T08:00:00Z"],
            "anyOf": [
                {"type": "string", "pattern": PATTERN},
                {"type": "string", "pattern": r"^\s*\d{4}-\d{2}-\d{2}"},
                {"type": "number", "minimum": 0},
            ],
        }
    ),
]
"""A pydantic field that holds an Instant."""
