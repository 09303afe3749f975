"""The report of `import`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from quota_verifier.aws.live.files import POLICY_FILE, QUEUE_FILE, Imported
from quota_verifier.aws.live.measured import MeasuredTiming
from quota_verifier.report.numbers import counted, short_duration
from quota_verifier.report.provenance_text import workload_lines
from quota_verifier.report.text import facts, heading, indented, title


def import_report(found: Imported) -> Iterator[RenderableType]:
    """What was found, what was written, and what to do with it."""
    queue = found.queue
    yield title(f"queue {queue.name}", queue.source)
    rows = [
        ("environment", ", ".join(f"{count} {unit}" for unit, count in queue.environment.limits.items())),
        ("shares", ", ".join(share.name for share in queue.shares)),
    ]
    if found.workload is not None:
        rows.append(("history", "\n".join(workload_lines(found.workload))))
    else:
        rows.append(("history", "no job that ended, so there is neither workload nor policy"))
    if found.measured is not None:
        rows += measured_rows(found.measured)
    yield facts(rows)
    yield Text()
    yield heading("Written", f"to {found.directory.as_posix()}")
    yield indented("\n".join(found.files))
    for name in found.kept:
        yield indented(f"{name} was there already and is left as it is")
    if POLICY_FILE in found.files:
        yield Text()
        place = found.directory
        command = f"quota-shares verify {(place / QUEUE_FILE).as_posix()} --policy {(place / POLICY_FILE).as_posix()}"
        yield Text(f"The policy is a starting point; judge it by: {command}")


def measured_rows(measured: MeasuredTiming) -> list[tuple[str, str]]:
    """The startup and stop times that a history shows."""
    rows = [
        (
            "startup" if place == 0 else "",
            f"{short_duration(one.used_ms)} for {unit} ({counted(one.count, 'run')},"
            f" {short_duration(one.low_ms)} to {short_duration(one.high_ms)})",
        )
        for place, (unit, one) in enumerate(measured.startup.items())
    ]
    stop = measured.stop
    told = "not seen: no preemption shows it" if stop is None else f"{short_duration(stop.used_ms)} at most"
    return [*rows, ("stop", told if stop is None else f"{told} ({counted(stop.count, 'preemption')})")]
