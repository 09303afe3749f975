"""Cells of trace files: numbers and local dates, one by one and by the column.

A column is read by what its cells usually look like; the cells that look otherwise are read one by one, so that both
ways mean the same.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

from quota_verifier.durations import LONGEST_MS
from quota_verifier.workload.instants import LocalClock
from quota_verifier.workload.readers.late import pl

MISSING = frozenset({"", "None", "none", "null", "NULL", "NaN", "nan", "NaT", "-"})
"""How traces write a value that they do not know."""
_LONGEST = LONGEST_MS // 1_000
_MOST = 999_999_999
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_DAY_MS = 86_400_000

_PLAIN_SECONDS = r"^-?[0-9]{1,12}(\.[0-9]{1,3}0*)?$"
"""At most three decimals: 64-bit floats hold the milliseconds of these exactly, once rounded."""
_PLAIN_WHOLE = r"^-?[0-9]{1,9}$"
_PLAIN_DATE = (
    r"^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[ T]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-][01][0-9]:[0-5][0-9])?$"
)


def seconds(text: str) -> int | None:
    """Seconds, with or without decimals, in milliseconds (half to even below that).

    None for no number, and for more than any schedule takes.
    """
    exact = _decimal(text)
    if exact is None or not -_LONGEST <= exact <= _LONGEST:
        return None
    return int((exact * 1_000).to_integral_value(ROUND_HALF_EVEN))


def whole(text: str) -> int | None:
    """A whole number of at most nine digits, also as `8.0`; None for anything else."""
    exact = _decimal(text)
    return int(exact) if exact is not None and -_MOST <= exact <= _MOST and exact == int(exact) else None


def local_ms(text: str, clock: LocalClock) -> int | None:
    """A local date in milliseconds since 1970 UTC; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
        return clock.ms(moment) if moment.tzinfo is None else clock.zoned_ms(moment)
    except (ValueError, OverflowError):
        return None


def seconds_column(texts: pl.Series) -> pl.Series:
    """As `seconds`, for a column."""
    plain = texts.str.contains(_PLAIN_SECONDS)
    exact = (texts.set(~plain, None).cast(pl.Float64) * 1_000).round().cast(pl.Int64)
    return _with_others(exact, texts, plain, seconds)


def whole_column(texts: pl.Series) -> pl.Series:
    """As `whole`, for a column."""
    plain = texts.str.contains(_PLAIN_WHOLE)
    return _with_others(texts.set(~plain, None).cast(pl.Int64), texts, plain, whole)


def date_column(texts: pl.Series, clock: LocalClock | None) -> pl.Series:
    """As `local_ms`, for a column; without a clock, dates that name no zone are none."""
    plain = texts.str.contains(_PLAIN_DATE)
    spaced = texts.set(~plain, None).str.slice(0, 19).str.replace("T", " ", literal=True)
    local = spaced.str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="ms", strict=False).cast(pl.Int64)
    offsets = _offsets(texts.set(~plain, None).str.slice(19))
    if clock is None:
        return _with_others(local - offsets, texts, plain, _zoned_ms)
    moments = local - offsets.zip_with(offsets.is_not_null(), _offsets_at(local, clock))
    changing = (local.is_not_null() & moments.is_null()).arg_true()
    if len(changing):
        moments = moments.scatter(changing, [clock.local_ms(ms) for ms in local.gather(changing)])
    return _with_others(moments, texts, plain, lambda text: local_ms(text, clock))


def _offsets(endings: pl.Series) -> pl.Series:
    """The offsets from UTC that dates end in, in ms; null where they name none."""
    values = endings.unique().sort()
    found = [_offset(ending) for ending in values]
    return endings.replace_strict(values, found, default=None, return_dtype=pl.Int64)


def _offset(ending: str | None) -> int | None:
    if not ending:
        return None
    if ending == "Z":
        return 0
    return (int(ending[1:3]) * 60 + int(ending[4:6])) * (60_000 if ending[0] == "+" else -60_000)


def _offsets_at(local_ms: pl.Series, clock: LocalClock) -> pl.Series:
    """The offsets from UTC at local times, in ms; null on a day that has two."""
    days = local_ms // _DAY_MS + _EPOCH_DAY
    values = days.drop_nulls().unique().sort()
    found = [clock.offset_of_day(day) for day in values]
    return days.replace_strict(values, found, default=None, return_dtype=pl.Int64)


def _zoned_ms(text: str) -> int | None:
    """A date that names its zone in milliseconds since 1970 UTC; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if moment.tzinfo is None else local_ms(text, LocalClock(UTC))


def missing_column(texts: pl.Series) -> pl.Series:
    """Whether each cell is one of `MISSING`."""
    return texts.is_in(sorted(MISSING))


def _with_others(
    read: pl.Series, texts: pl.Series, plain: pl.Series, function: Callable[[str], int | None]
) -> pl.Series:
    """`read`, with the cells that are not `plain` read one by one."""
    others = (~plain).arg_true()
    if not len(others):
        return read
    found = pl.Series([function(text) for text in texts.gather(others)], dtype=pl.Int64)
    return read.scatter(others, found)


def _decimal(text: str) -> Decimal | None:
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return None
    return exact if exact.is_finite() else None
