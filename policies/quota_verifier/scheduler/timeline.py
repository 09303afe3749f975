"""The timeline around an instant, in plain text: what happened, why, and who then holds how much."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from quota_verifier.durations import format_duration
from quota_verifier.scheduler.events import Event
from quota_verifier.scheduler.replay import Replay, start_of
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.sentences import sentence, subject

Row = tuple[str, str, str, str]
"""Time, job, share, what happened and why; a usage row has only the last."""


def timeline(run: Run, around_ms: int, *, window_ms: int | None = None, max_rows: int = 40) -> str:
    """The events around an instant, one a line with its reason in words, and after each instant every share's usage.

    Shows what happened at most `window_ms` before or after, and of that the `max_rows` events nearest to the
    instant; what is left out on either side is counted. Usage is `held/limit` by share.
    """
    first, last = _shown(run.events, around_ms, window_ms, max_rows)
    if first == last:
        return f"nothing happens around {format_duration(around_ms)}"
    rows = list(_rows(run, first, last))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [_line(row, widths) for row in rows]
    before, after = first, len(run.events) - last
    if before:
        lines.insert(0, f"... {before} earlier event{'s' * (before > 1)}")
    if after:
        lines.append(f"... {after} later event{'s' * (after > 1)}")
    return "\n".join(lines)


def _shown(events: Sequence[Event], around_ms: int, window_ms: int | None, max_rows: int) -> tuple[int, int]:
    """The range of events to show: those in the window, and of them the nearest to the instant."""
    low, high = 0, len(events)
    if window_ms is not None:
        low = bisect_left(events, around_ms - window_ms, key=_time)
        high = bisect_right(events, around_ms + window_ms, key=_time)
    middle = bisect_left(events, around_ms, low, high, key=_time)
    first = max(low, min(middle - max_rows // 3, high - max_rows))
    return first, min(high, first + max_rows)


def _time(event: Event) -> int:
    return event.at


def _rows(run: Run, first: int, last: int) -> Iterator[Row]:
    state = start_of(run)
    for event in run.events[:first]:
        state.apply(event)
    for at, events in groupby(run.events[first:last], key=lambda event: event.at):
        for event in events:
            yield (format_duration(at), *subject(event, state), sentence(event, state))
            state.apply(event)
        for text in usage_lines(state):
            yield "", "", "", text


def usage_lines(state: Replay) -> list[str]:
    """For each unit that anybody holds or is promised: what every share holds of its limit, and what is free."""
    lines: list[str] = []
    for unit in state.queue.units:
        held = [usage.get(unit, 0) for usage in state.usage]
        if not any(held) and not state.queue.promised(unit):
            continue
        shares = [
            f"{share.name} {used}/{share.limit(unit)}" for share, used in zip(state.queue.shares, held, strict=True)
        ]
        capacity = state.environment.limit(unit)
        lines.append(f"= {unit}: {', '.join(shares)}; {capacity - sum(held)} of {capacity} free")
    return lines


def _line(row: Row, widths: Sequence[int]) -> str:
    time, job, share, text = row
    return f"{time:>{widths[0]}}  {job:<{widths[1]}}  {share:<{widths[2]}}  {text}"
