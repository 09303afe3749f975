"""A policy file to start from: claims that hold on a history, with the figures that it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from quota_verifier.aws.live.past_jobs import History, PastJob
from quota_verifier.durations import UNITS, format_duration
from quota_verifier.model import Queue
from quota_verifier.report.numbers import counted, short_duration
from quota_verifier.scheduler import Delay, Timing, profiles, simulate
from quota_verifier.scheduler.run import UNKNOWN, Run
from quota_verifier.workload import Workload

_SHOWN_RANGE = "waited {median} in the middle and {most} at most until RUNNING"


@dataclass(frozen=True, slots=True)
class Promise:
    """What the jobs of a share came to in the simulation, at worst over the profiles.

    `wait_ms` is the 95th percentile of the wait, None where a job never started under some profile.
    """

    share: str
    jobs: int
    wait_ms: int | None
    preemptions: int


def promises(
    queue: Queue, workload: Workload, timing: Timing, progress: Callable[[int], None] | None = None
) -> tuple[Promise, ...]:
    """What each share with jobs came to, under the default answers and each single other one."""
    found: dict[str, list[Promise]] = {}
    for done, profile in enumerate(profiles("one-at-a-time")):
        for promise in _promises(simulate(queue, workload, assumptions=profile, timing=timing)):
            found.setdefault(promise.share, []).append(promise)
        if progress is not None:
            progress(done + 1)
    return tuple(_worst(some) for _, some in sorted(found.items()))


def _promises(run: Run) -> Iterator[Promise]:
    waits: dict[str, list[int | None]] = {}
    preemptions: dict[str, int] = {}
    for job, outcome in zip(run.jobs, run.outcomes, strict=True):
        started = outcome.first_start != UNKNOWN
        waits.setdefault(job.share, []).append(outcome.first_start - job.submit_ms if started else None)
        preemptions[job.share] = preemptions.get(job.share, 0) + outcome.preemptions
    for share, times in waits.items():
        known = [ms for ms in times if ms is not None]
        p95 = int(np.percentile(known, 95, method="higher")) if len(known) == len(times) else None
        yield Promise(share, len(times), p95, preemptions[share])


def _worst(some: list[Promise]) -> Promise:
    waits = [promise.wait_ms for promise in some]
    known = [ms for ms in waits if ms is not None]
    wait = max(known) if len(known) == len(waits) else None
    return Promise(some[0].share, some[0].jobs, wait, max(promise.preemptions for promise in some))


def policy_text(history: History, queue: Queue, timing: Timing, found: tuple[Promise, ...], workload_file: str) -> str:
    """The policy file, with what really happened beside each claim."""
    lines = [
        "# A starting point, not a promise: quota-shares import wrote it from the job history of this queue. Each",
        "# bound is what the same jobs came to in the simulation, at worst under the default answers to A1..A10 and",
        "# each single other one, rounded up. Put what you want to promise in its place.",
        f"description: What the history of {queue.name} came to, {counted(len(history.jobs), 'job')}",
        f"workload: {{file: {workload_file}}}",
        *_timing_lines(timing),
        "expect:",
    ]
    real = _by_share(history)
    for promise in found:
        lines.append(f"  # {promise.share}: {counted(promise.jobs, 'job')} here. {_real(real.get(promise.share, []))}")
        lines.append(f"  - share: {promise.share}")
        if promise.wait_ms is not None:
            lines.append(f'    wait: {{p95: "<= {format_duration(_rounded_up(promise.wait_ms))}"}}')
        lines.append(f'    preemptions: "<= {promise.preemptions}"')
    return "\n".join(lines) + "\n"


def _timing_lines(timing: Timing) -> Iterator[str]:
    parts = [(name, delay) for name, delay in (("startup", timing.startup), ("stop", timing.stop)) if delay != Delay()]
    if parts:
        yield "# Measured on the history."
        yield f"timing: {{{', '.join(f'{name}: {_delay(delay)}' for name, delay in parts)}}}"


def _delay(delay: Delay) -> str:
    default = format_duration(delay.default_ms)
    apart = "".join(f", {unit}: {format_duration(ms)}" for unit, ms in sorted(delay.by_unit.items()))
    return f"{{default: {default}{apart}}}" if apart else default


def _rounded_up(ms: int) -> int:
    """To whole minutes, and to a minute at least."""
    return max(1, -(-ms // UNITS["m"])) * UNITS["m"]


def _by_share(history: History) -> Mapping[str, list[PastJob]]:
    found: dict[str, list[PastJob]] = {}
    for job in history.jobs:
        found.setdefault(job.share, []).append(job)
    return found


def _real(jobs: list[PastJob]) -> str:
    waits = [job.starts_ms[0] - job.created_ms for job in jobs if job.all_runs and job.starts_ms]
    preemptions = counted(sum(job.preemptions for job in jobs), "preemption")
    if not waits:
        return f"In truth none of them started; {preemptions}"
    median, most = (int(ms) for ms in np.percentile(waits, [50, 100], method="lower").tolist())
    shown = _SHOWN_RANGE.format(median=short_duration(median), most=short_duration(most))
    return f"In truth they {shown}; {preemptions}"
