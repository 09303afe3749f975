"""Asks the invariants along a replay: after a run, or during it."""

from __future__ import annotations

from dataclasses import replace

from quota_verifier.model import Queue
from quota_verifier.scheduler.assumptions import Assumptions
from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.invariants.claims import Claims
from quota_verifier.scheduler.invariants.dispatches import (
    claims_respected,
    environment_not_exceeded,
    held_back_capacity_untouched,
    limit_not_exceeded,
)
from quota_verifier.scheduler.invariants.instants import owners_do_not_wait
from quota_verifier.scheduler.invariants.records import everything_released, nothing_overdue, records_agree
from quota_verifier.scheduler.invariants.victims import (
    in_share_victims_rank_lower,
    nobody_in_vain,
    nobody_too_many,
    within_limit_untouchable,
)
from quota_verifier.scheduler.invariants.violation import Findings, Violation
from quota_verifier.scheduler.replay import JobNow, Replay, start_of
from quota_verifier.scheduler.run import Run
from quota_verifier.scheduler.simulate import canonical_updates
from quota_verifier.scheduler.timeline import timeline
from quota_verifier.scheduler.timing import Timing
from quota_verifier.workload import Workload


class InvariantError(AssertionError):
    """A run broke an invariant: what, and what happened around it."""

    def __init__(self, violation: Violation, story: str) -> None:
        self.violation = violation
        super().__init__(f"{violation}\n\n{story}")


def check_invariants(run: Run, *, complete: bool = False) -> list[Violation]:
    """Every violation of I1-I8 and I10 in a run, in the order of the log; an empty list where there is none.

    A run that was stopped at a horizon may leave jobs at work; `complete` says that this one was not (I7).
    """
    checker = _Checker(start_of(run))
    for event in run.events:
        checker.see(event)
    checker.end_instant()
    checker.note("I7", everything_released(checker.state) if complete else nothing_overdue(run, checker.state))
    checker.note("I8", records_agree(run, checker.state))
    return checker.violations


class Watcher:
    """For `simulate(..., watch=Watcher(...))`: raises InvariantError at the first violation.

    Takes what the simulation takes. Call `finish` after it for the last instant; I7 and I8 need the
    whole run: `check_invariants`.
    """

    def __init__(
        self,
        queue: Queue,
        workload: Workload,
        assumptions: Assumptions | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._run = Run(
            queue=queue,
            jobs=workload.jobs,
            updates=canonical_updates(workload.updates),
            assumptions=assumptions or Assumptions(),
            timing=timing or Timing(),
            outcomes=(),
            spans=(),
            events=[],
            end_ms=0,
            engine="watched",
        )
        self._events: list[Event] = []
        self._checker = _Checker(start_of(self._run))

    def __call__(self, event: Event) -> None:
        """See an event as it happens. Raises InvariantError."""
        self._events.append(event)
        self._checker.see(event)
        self._raise()

    def finish(self) -> None:
        """Check the last instant. Raises InvariantError."""
        self._checker.end_instant()
        self._raise()

    def _raise(self) -> None:
        if self._checker.violations:
            first = self._checker.violations[0]
            so_far = replace(self._run, events=self._events, end_ms=self._events[-1].at)
            raise InvariantError(first, timeline(so_far, first.at_ms, max_rows=60))


class _Checker:
    """The replay, the claims, and the victims of the preemptor whose events are just coming."""

    def __init__(self, state: Replay) -> None:
        self.state = state
        self.violations: list[Violation] = []
        self._claims = Claims()
        self._group: list[Event] = []
        self._seen = 0
        self._lost = False

    def note(self, invariant: str, findings: Findings, event: int = -1) -> None:
        """Keep what an invariant found."""
        self.violations.extend(Violation(invariant, self.state.now, event, text) for text in findings)

    def see(self, event: Event) -> None:
        """Check one more event; after one that cannot happen nothing further is checked."""
        if self._lost:
            return
        if self._group and not _same_preemptor(self._group[-1], event):
            self._close_group()
        if event.at > self.state.now:
            self.end_instant()
            self.state.now = event.at
        if event.kind is Kind.PREEMPTED:
            self._group.append(event)
        else:
            if event.kind is Kind.DISPATCHED:
                self._check_dispatch(event)
                self._claims.jobs.pop(event.job, None)
            self._apply(event)
        self._seen += 1

    def end_instant(self) -> None:
        """Check what holds when an instant has ended."""
        if self._group:
            self._close_group()
        if not self._lost:
            self._drop_outdated_claims()
            self.note("I10", owners_do_not_wait(self.state, self._claims))

    def _check_dispatch(self, event: Event) -> None:
        self._drop_outdated_claims()
        state, job = self.state, self.state.jobs[event.job]
        self.note("I1", environment_not_exceeded(state, job), self._seen)
        self.note("I2", limit_not_exceeded(state, job, event.reason), self._seen)
        self.note("I3", held_back_capacity_untouched(state, job), self._seen)
        self.note("R14", claims_respected(state, self._claims, job, event.reason), self._seen)

    def _close_group(self) -> None:
        """All victims of one preemptor are known: check them against the state before them, then let them stop."""
        self._drop_outdated_claims()
        state, claims, first = self.state, self._claims, self._group[0]
        head, reason, at = state.jobs[first.by], first.reason, self._seen - len(self._group)
        victims: list[JobNow] = [state.jobs[event.job] for event in self._group]
        if reason is Reason.RECLAIM:
            self.note("I4", within_limit_untouchable(state, head, victims), at)
        else:
            self.note("I5", in_share_victims_rank_lower(state, head, victims), at)
        self.note("I6", nobody_in_vain(state, claims, head, victims, reason), at)
        self.note("I6", nobody_too_many(state, claims, head, victims, reason), at)
        for event in self._group:
            self._apply(event)
        self._group = []
        claims.add(state, head)

    def _drop_outdated_claims(self) -> None:
        if self._claims.jobs and self.state.environment.enabled:
            self._claims.drop_outdated(self.state)

    def _apply(self, event: Event) -> None:
        fault = "" if self._lost else self.state.fault(event)
        if fault:
            self._lost = True
            self.note("I8", iter([f"the event {event.kind.name} of {_who(self.state, event)} {fault}"]), self._seen)
        elif not self._lost:
            self.state.apply(event)


def _same_preemptor(event: Event, other: Event) -> bool:
    return other.kind is Kind.PREEMPTED and (event.at, event.by, event.reason) == (other.at, other.by, other.reason)


def _who(state: Replay, event: Event) -> str:
    return state.jobs[event.job].job.id if event.job >= 0 else "the queue"
