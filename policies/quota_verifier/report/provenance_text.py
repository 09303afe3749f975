"""Where a report comes from, in words."""

from __future__ import annotations

from collections.abc import Iterator

from quota_verifier.durations import format_duration
from quota_verifier.report.numbers import counted
from quota_verifier.scheduler import Assumptions, Delay, Timing
from quota_verifier.workload import Workload


def workload_lines(workload: Workload) -> Iterator[str]:
    """The rows of a workload and how they were read, one thing a line."""
    updates = f", {counted(len(workload.updates), 'update')}" if workload.updates else ""
    yield f"{counted(len(workload.jobs), 'job')}{updates}"
    if workload.skipped:
        yield f"{counted(len(workload.skipped), 'row')} skipped:"
        for reason, count in workload.skipped_by_reason.items():
            yield f"  {count}  {reason}"
    if workload.censored:
        yield f"{counted(workload.censored, 'job')} left out, whose end the source does not tell"
    if workload.merged:
        yield f"{counted(workload.merged, 'row')} merged into another job"
    if workload.copied:
        yield f"{counted(workload.copied, 'job')} added as copies, to scale the load"
    for name, rule in workload.rules.items():
        yield f"{name}: {rule}"


def timing_line(timing: Timing) -> str:
    """`startup 3m, stop 20s (ml.p5.48xlarge 2m), restore 0s`."""
    named = (("startup", timing.startup), ("stop", timing.stop), ("restore", timing.restore))
    return ", ".join(f"{name} {_delay(delay)}" for name, delay in named)


def assumptions_line(assumptions: Assumptions) -> str:
    """Which answers to AWS's open questions were used."""
    changed = ", ".join(assumptions.deviations)
    return f"{changed}, the other defaults" if changed else "the defaults of A1..A10"


def _delay(delay: Delay) -> str:
    exceptions = ", ".join(f"{unit} {format_duration(ms)}" for unit, ms in sorted(delay.by_unit.items()))
    return format_duration(delay.default_ms) + (f" ({exceptions})" if exceptions else "")
