"""Worlds in few words, and what happens in them, so that a case of the scheduler is a few lines.

    played = world(
        "g5 3",
        "QS1 1 L&B 200 in-share; QS2 1 LEND; QS3 1 RESERVE",
        "high QS1 0 long 1 p3; med QS1 0 long 1 p2; qs2j QS2 10 long 1",
        updates="20 med p4",
    )
    played.expect(high="0-20 ousted by med, waits", med="0-10 reclaimed by qs2j, 20-", qs2j="10-")

Times are seconds. Environment and limits: `g5 3` or `g5 3, p5 2`; a bare number counts on the first unit.
A job is `id share submit work demand` and options: p5 (priority), attempts=3, retries=0 (preemption retries),
timeout=60, cp=10 (checkpoints), fails=30 or fails=30:Reason, retry=Glob*, exit=Glob* (evaluateOnExit, `_` for a
blank). An update is `at subject change...`: a job takes p4 or terminate; a share a limit, a strategy with a percent,
percent=50, in-share, no-in-share, disabled, enabled; `env` limits, disabled or enabled.

A job's history is its runs, `start-end how by whom`, then WAITS, FAILED or REJECTED: `0(3)-10..30` started at 0, was
RUNNING at 3, stopped working at 10 and released its capacity at 30. No end: it still ran when the simulation stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from quota_verifier.durations import parse_duration
from quota_verifier.model import (
    Environment,
    EnvironmentUpdate,
    Failure,
    Job,
    JobUpdate,
    Queue,
    RetryRule,
    Share,
    ShareUpdate,
    Strategy,
    TimeLimitAction,
    TimeLimitReason,
    Update,
)
from quota_verifier.report.timeline import timeline
from quota_verifier.scheduler import Delay, Run, Timing, assume
from quota_verifier.scheduler.events import NOBODY, Kind, Reason
from quota_verifier.scheduler.invariants import check_invariants
from quota_verifier.scheduler.run import UNKNOWN, How, Outcome, Span, State
from quota_verifier.scheduler.simulate import Engine
from quota_verifier.testing import World
from quota_verifier.workload import Workload

LONG = 1_000_000
"""Seconds that stand for the work of a job that is not meant to end."""

HORIZON = 100_000
"""Where a simulation with such jobs stops."""

STRATEGIES = {"L&B": Strategy.LEND_AND_BORROW, **{str(strategy): strategy for strategy in Strategy}}

HOW = {
    How.FINISHED: "",
    How.OPEN: "",
    How.FAILED: "failed",
    How.TIMEOUT: "timed out",
    How.PREEMPTED_CROSS_SHARE: "reclaimed",
    How.PREEMPTED_IN_SHARE: "ousted",
    How.TERMINATED: "terminated",
    How.CAPACITY_ERROR: "no machines",
}

Seconds = float | Mapping[str, float]


@dataclass(frozen=True)
class Played:
    """A world after its run, with questions that tests ask about it."""

    run: Run

    def __getitem__(self, job: str) -> str:
        """A job's history."""
        index = self._index(job)
        parts = [self._span(span) for span in self.run.spans if span.job == index]
        state = self.run.outcomes[index].state
        if state is State.RUNNABLE:
            parts.append("waits")
        elif state in (State.FAILED, State.REJECTED, State.SUBMITTED):
            parts.append(state)
        return ", ".join(parts)

    def expect(self, **histories: str) -> Played:
        """Fail, with the timeline around the first difference, unless each job has the history given."""
        wrong = {job: self[job] for job in histories if self[job] != histories[job]}
        if wrong:
            lines = [f"{job}: expected {histories[job]!r}, but it was {was!r}" for job, was in wrong.items()]
            pytest.fail("\n".join([*lines, "", self.timeline(self._first_difference(wrong, histories))]))
        return self

    def expect_count(self, what: str, was: object, expected: object) -> None:
        """Fail with the timeline unless a number is as expected."""
        if was != expected:
            pytest.fail(f"{what}: expected {expected}, but it was {was}\n\n{self.timeline(0)}")

    def timeline(self, around_s: float) -> str:
        """The timeline around an instant, or all of a short run."""
        return timeline(self.run, round(around_s * 1_000), max_rows=80)

    @property
    def preemptions(self) -> list[str]:
        """Who was preempted by whom and when, in order: `10 med by qs2j`."""
        return [
            f"{_number(event.at)} {self._name(event.job)} by {self._name(event.by)}"
            for event in self.run.events
            if event.kind is Kind.PREEMPTED
        ]

    @property
    def starts(self) -> list[str]:
        """Jobs in the order of their dispatches."""
        return [self._name(event.job) for event in self.run.events if event.kind is Kind.DISPATCHED]

    def running(self, at_s: float) -> set[str]:
        """Jobs that hold capacity just after an instant."""
        at = round(at_s * 1_000)
        return {self._name(span.job) for span in self.run.spans if span.start <= at and not UNKNOWN < span.end <= at}

    def outcome(self, job: str) -> Outcome:
        """What became of a job."""
        return self.run.outcomes[self._index(job)]

    def reasons(self, job: str) -> list[Reason]:
        """Why a job was dispatched, run by run."""
        index = self._index(job)
        return [event.reason for event in self.run.events if event.kind is Kind.DISPATCHED and event.job == index]

    def _index(self, job: str) -> int:
        return next(index for index, known in enumerate(self.run.jobs) if known.id == job)

    def _name(self, index: int) -> str:
        return self.run.jobs[index].id

    def _span(self, span: Span) -> str:
        running = f"({_number(span.run)})" if span.run not in (span.start, UNKNOWN) else ""
        stop = f"{_number(span.stop)}.." if span.stop not in (span.end, UNKNOWN) else ""
        end = _number(span.end) if span.end != UNKNOWN else ""
        by = f" by {self._name(span.by)}" if span.by != NOBODY else ""
        return f"{_number(span.start)}{running}-{stop}{end} {HOW[span.how]}".rstrip() + by

    def _first_difference(self, wrong: Mapping[str, str], histories: Mapping[str, str]) -> float:
        texts = [text for job in wrong for text in (wrong[job], histories[job])]
        numbers = [float(word) for text in texts for word in text.replace("(", "-").split("-")[:1] if _is_number(word)]
        return min(numbers, default=0)


def world(
    environment: str,
    shares: str,
    jobs: str | Sequence[str],
    *,
    updates: str = "",
    assuming: str | Sequence[str] = (),
    time_limits: str = "",
    startup: Seconds = 0,
    stop: Seconds = 0,
    restore: Seconds = 0,
    until: float | None = None,
    enabled: bool = True,
    engine: Engine = "reference",
) -> Played:
    """Play a world; every run must also pass the invariants. It stops at HORIZON if a job is `long`."""
    written = "; ".join(jobs) if not isinstance(jobs, str) else jobs
    unit = environment.replace(",", " ").split()[0]
    shares_read = tuple(_share(text, unit) for text in _items(shares))
    jobs_read = tuple(_job(text, unit) for text in _items(written))
    names = {share.name for share in shares_read}
    place = World(
        queue=Queue(
            Environment(_counts(environment, unit)), shares_read, enabled=enabled, time_limits=_limits(time_limits)
        ),
        workload=Workload(jobs_read, tuple(_update(text, unit, names) for text in _items(updates))),
        assumptions=assume(assuming.split() if isinstance(assuming, str) else assuming),
        timing=Timing(startup=_delay(startup), stop=_delay(stop), restore=_delay(restore)),
    )
    endless = until is None and any(job.work_ms == LONG * 1_000 for job in jobs_read)
    horizon = HORIZON if endless else until
    run = place.run(until_ms=None if horizon is None else round(horizon * 1_000), engine=engine)
    violations = check_invariants(run, complete=horizon is None)
    if violations:
        pytest.fail("\n".join([*map(str, violations), "", timeline(run, violations[0].at_ms, max_rows=80)]))
    return Played(run)


def case(sentence: str, environment: str, shares: str, jobs: str, /, *, then: Mapping[str, str], **options: object):
    """A row of a table of cases: the rule and what it says, a world, and the histories of its jobs."""
    return pytest.param((environment, shares, jobs), options, then, id=sentence.replace(" ", "-"))


def play(row: tuple[str, str, str], options: Mapping[str, object], then: Mapping[str, str]) -> Played:
    """Play a row of a table and compare; `preemptions` among the options is the whole list of them."""
    rest = dict(options)
    expected = rest.pop("preemptions", None)
    played = world(*row, **rest).expect(**then)
    if expected is not None:
        played.expect_count("preemptions", played.preemptions, expected)
    return played


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(";") if item.strip()]


def _counts(text: str, unit: str) -> dict[str, int]:
    """`3`, `g5 3`, `g5 3, p5 2`, or `g5=3,p5=2` where blanks already part the words."""
    if text.isdigit():
        return {unit: int(text)}
    pairs = [pair.replace("=", " ").split() for pair in text.split(",")]
    return {name: int(count) for name, count in pairs}


def _share(text: str, unit: str) -> Share:
    name, limits, strategy, *options = text.split()
    percents = [int(option) for option in options if option.lstrip("-").isdigit()]
    return Share(
        name,
        _counts(limits, unit),
        STRATEGIES[strategy],
        percents[0] if percents else None,
        in_share_preemption="in-share" in options,
        enabled="disabled" not in options,
    )


def _job(text: str, unit: str) -> Job:
    name, share, submit, work, demand, *options = text.split()
    given = dict(option.split("=") for option in options if "=" in option)
    rules = [(key, glob) for key, _, glob in (option.partition("=") for option in options) if key in ("retry", "exit")]
    return Job(
        name,
        share,
        _ms(submit),
        LONG * 1_000 if work == "long" else _ms(work),
        _counts(demand, unit),
        priority=next((int(option[1:]) for option in options if option[0] == "p" and option[1:].isdigit()), 0),
        attempts=int(given.get("attempts", 1)),
        preemption_retries=int(given["retries"]) if "retries" in given else None,
        timeout_ms=_ms(given["timeout"]) if "timeout" in given else None,
        checkpoint_ms=_ms(given["cp"]) if "cp" in given else None,
        failures=tuple(_failure(option[6:]) for option in options if option.startswith("fails=")),
        retry_rules=tuple(
            RetryRule("RETRY" if key == "retry" else "EXIT", glob.replace("_", " ")) for key, glob in rules
        ),
    )


def _failure(text: str) -> Failure:
    after, _, reason = text.partition(":")
    return Failure(_ms(after), reason.replace("_", " ")) if reason else Failure(_ms(after))


def _update(text: str, unit: str, shares: set[str]) -> Update:
    at, subject, *change = text.split()
    if subject == "env":
        return EnvironmentUpdate(_ms(at), **_environment_change(change, unit))
    if subject in shares:
        return ShareUpdate(_ms(at), subject, **_share_change(change, unit))
    terminate = change[0] == "terminate"
    return JobUpdate(_ms(at), subject, priority=None if terminate else int(change[0][1:]), terminate=terminate)


def _environment_change(change: Sequence[str], unit: str) -> dict[str, Any]:
    if change[0] in ("enabled", "disabled"):
        return {"enabled": change[0] == "enabled"}
    return {"limits": _counts(" ".join(change), unit)}


def _share_change(change: Sequence[str], unit: str) -> dict[str, Any]:
    first, *rest = change
    if first in STRATEGIES:
        return {"strategy": STRATEGIES[first], "borrow_limit": int(rest[0]) if rest else None}
    if first.startswith("percent="):
        return {"borrow_limit": int(first.removeprefix("percent="))}
    if first in ("in-share", "no-in-share"):
        return {"in_share_preemption": first == "in-share"}
    return _environment_change(change, unit)


def _limits(text: str) -> tuple[TimeLimitAction, ...]:
    pairs = [item.split() for item in _items(text)]
    return tuple(TimeLimitAction(TimeLimitReason[reason], _ms(seconds)) for reason, seconds in pairs)


def _delay(seconds: Seconds) -> Delay:
    if isinstance(seconds, Mapping):
        return Delay(0, {unit: round(value * 1_000) for unit, value in seconds.items()})
    return Delay(round(seconds * 1_000))


def _ms(text: str) -> int:
    return parse_duration(float(text))


def _number(ms: int) -> str:
    return f"{ms / 1_000:g}" if ms < HORIZON * 1_000 else str(ms // 1_000)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
