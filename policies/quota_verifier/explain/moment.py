"""The state of a run at an instant, once everything that happens at that instant has happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quota_verifier.errors import InputError
from quota_verifier.scheduler.events import Event, Kind
from quota_verifier.scheduler.invariants.claims import Claims
from quota_verifier.scheduler.replay import JobNow, Replay, start_of
from quota_verifier.scheduler.run import UNKNOWN, Run, Span
from quota_verifier.words import did_you_mean

_MOST_LISTED = 30
_MOST_COMPARED = 2_000


@dataclass(slots=True)
class Moment:
    """A run's state after the events up to `at_ms`, and who claims what is being released (R14).

    `spans` are the runs of each job by index, of the whole run. `stopped_for` names, by the index of a job that is
    being stopped, the job that preempted it; `kept_ms` is the work that a job's earlier runs left it (R4).
    """

    run: Run
    at_ms: int
    state: Replay
    spans: Mapping[int, Sequence[Span]]
    claims: Claims = field(default_factory=Claims)
    stopped_for: dict[int, int] = field(default_factory=dict[int, int])
    kept_ms: dict[int, int] = field(default_factory=dict[int, int])

    def see(self, event: Event) -> None:
        """Let one more event happen."""
        if event.at > self.state.now:
            self.settle()
        match event.kind:
            case Kind.PREEMPTED:
                self.stopped_for[event.job] = event.by
            case Kind.DISPATCHED:
                self.claims.jobs.pop(event.job, None)
            case Kind.STOPPED | Kind.ATTEMPT_FAILED:
                self.stopped_for.pop(event.job, None)
                self.kept_ms[event.job] = event.value
            case _:
                pass
        self.state.apply(event)
        if event.kind is Kind.PREEMPTED:
            self.claims.add(self.state, self.state.jobs[event.by])

    def settle(self) -> None:
        """End an instant: claims that no longer stand are dropped."""
        if self.claims.jobs and self.state.environment.enabled:
            self.claims.drop_outdated(self.state)

    def claimants(self, job: JobNow) -> list[JobNow]:
        """The jobs whose claims on what is being released go before `job` (R14)."""
        return self.claims.ahead_of(self.state, job, owner=self.claims.owns(self.state, job))


def beginning(run: Run) -> Moment:
    """The state of `run` before its first event."""
    spans: dict[int, list[Span]] = {}
    for span in run.spans:
        spans.setdefault(span.job, []).append(span)
    return Moment(run, 0, start_of(run), spans)


def moment(run: Run, at_ms: int) -> Moment:
    """The state of `run` at `at_ms`, after what happens then."""
    here = beginning(run)
    for event in run.events:
        if event.at > at_ms:
            break
        here.see(event)
    here.settle()
    here.at_ms = here.state.now = at_ms
    return here


def span_at(spans: Sequence[Span], at_ms: int) -> Span | None:
    """The one of a job's runs that holds capacity after what happens at `at_ms`, or None."""
    for span in spans:
        if span.start <= at_ms and (span.end == UNKNOWN or span.end > at_ms):
            return span
    return None


def index_of(run: Run, name: str, source: str) -> int:
    """The index of the job called `name`. Raises InputError, about the file `source`, where there is none."""
    for index, job in enumerate(run.jobs):
        if job.id == name:
            return index
    raise InputError(f"the workload has no job {name!r}", source=source, remedy=_nearest(run, name))


def _nearest(run: Run, name: str) -> str:
    names = [job.id for job in run.jobs[:_MOST_COMPARED]]
    remedy = did_you_mean(name, names)
    if len(run.jobs) > _MOST_LISTED and not remedy.startswith("did you mean"):
        return f"name one of its {len(run.jobs)} jobs"
    return remedy
