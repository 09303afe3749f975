"""The report of `calibrate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.aws.live.calibrate import Calibration, Fit
from quota_verifier.aws.live.likeness import Miss, Prediction
from quota_verifier.durations import format_duration
from quota_verifier.report.import_text import measured_rows
from quota_verifier.report.numbers import NONE, counted, short_duration
from quota_verifier.report.provenance_text import assumptions_line, timing_line
from quota_verifier.report.text import columns, facts, heading, indented, title

MOST_LISTED = 10
_POOR = (
    "Note: even this tells most jobs wrong, so it proves little. Were limits or priorities changed meanwhile"
    " (--updates)? Do jobs resume from checkpoints?"
)
_SHORT_ID = 8


def calibrate_report(found: Calibration) -> Iterator[RenderableType]:
    """The best profile, all that were tried, and which questions the history does not answer."""
    yield title(f"queue {found.queue.name}", found.history.source)
    yield facts(
        [
            ("history", "\n".join(_account(found))),
            *measured_rows(found.measured),
            ("timing", timing_line(found.timing)),
            ("tolerance", short_duration(found.tolerance_ms)),
        ]
    )
    yield Text()
    yield heading("Fits best:", assumptions_line(found.best.assumptions))
    yield indented(_sentence(found))
    if 2 * found.best.likeness.wrong > len(found.history.jobs):
        yield indented(_POOR)
    yield Text()
    yield columns(
        ("profile", "wrong", "preemptions off", "mean", "p95", "worst"),
        [_row(found.best), *(_row(one) for one in found.fits if not one.as_best)],
    )
    yield Text()
    yield from _questions(found)
    if found.best.likeness.misses:
        yield Text()
        yield from _misses(found)


def _account(found: Calibration) -> Iterator[str]:
    history = found.history
    yield f"{counted(len(history.jobs), 'job')} over {short_duration(history.seen_ms - history.origin_ms)}"
    not_ended = sum(not job.ended for job in history.jobs)
    if not_ended:
        yield f"{not_ended} of them not ended when it was read"
    for reason, count in sorted(Counter(skip.reason for skip in history.skipped).items()):
        yield f"{count} skipped: {reason}"


def _sentence(found: Calibration) -> str:
    best, first = found.best.likeness, found.first.likeness
    jobs = len(found.history.jobs)
    text = f"{jobs - best.wrong} of {counted(jobs, 'job')} told right"
    if found.best.assumptions != found.first.assumptions:
        text += f", {jobs - first.wrong} under the defaults"
    alike = sum(one.as_best for one in found.fits) - 1
    others = counted(alike, "other profile that was tried", "other profiles that were tried")
    return f"{text}; {others} {'fits' if alike == 1 else 'fit'} exactly as well."


def _row(one: Fit) -> tuple[str, ...]:
    like = one.likeness
    name = ", ".join(one.assumptions.deviations) or "defaults"
    errors = (like.mean_ms, like.p95_ms, like.worst_ms)
    return (name, str(like.wrong), str(like.preemptions_off), *(short_duration(ms) for ms in errors))


def _questions(found: Calibration) -> Iterator[RenderableType]:
    told = [one for one in found.questions if one.told_apart]
    yield heading("Told apart", "" if told else "by this history: none of A1..A10")
    for one in told:
        yield indented(f"{one.id} {one.text}: {one.best}, not {' or '.join(one.worse)}")
    yield heading("Not told apart", "(these answers fit as well as the best)")
    for one in found.questions:
        if not one.told_apart:
            worse = f"; not {' or '.join(one.worse)}" if one.worse else ""
            yield indented(f"{one.id} {one.text}: {' or '.join((one.best, *one.alike))}{worse}")


def _misses(found: Calibration) -> Iterator[RenderableType]:
    misses = found.best.likeness.misses
    yield heading("Told wrong by the best", "(first start, last start, preemptions)")
    yield columns(("job", "share", "real", "predicted"), [_miss(one) for one in misses[:MOST_LISTED]], left=2)
    if len(misses) > MOST_LISTED:
        yield indented(f"and {len(misses) - MOST_LISTED} more; --json lists them all")


def _miss(one: Miss) -> tuple[str, ...]:
    return f"{one.name} ({one.job[:_SHORT_ID]})", one.share, _told(one.real), _told(one.predicted)


def _told(one: Prediction) -> str:
    first, last, preemptions = one
    times = [NONE if ms is None else format_duration(ms) for ms in (first, last)]
    return f"{times[0]}, {times[1]}, {preemptions}"
