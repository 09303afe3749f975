"""A queue's engine, and what its decisions make of the jobs that AWS's clients see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from quota_verifier.aws.emulator.events import (
    PREEMPTION_COMPLETED,
    PREEMPTION_STARTED,
    QUEUE_BLOCKED,
    STATE_CHANGE,
    emit,
)
from quota_verifier.aws.emulator.records import Attempt, QuotaShare, ServiceJob
from quota_verifier.model import Job, Queue, TimeLimitReason
from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.reference.attempts import PREEMPTION_TEXT, TIMEOUT_TEXT, time_limit_text
from quota_verifier.scheduler.reference.deadlines import blocked_for_ever
from quota_verifier.scheduler.reference.live import LiveQueue
from quota_verifier.scheduler.reference.order import heads_of
from quota_verifier.scheduler.reference.state import Phase
from quota_verifier.scheduler.run import UNKNOWN

if TYPE_CHECKING:
    from quota_verifier.aws.emulator.account import Account

TRAINING_JOB_NAME = 63
"""The most characters that SageMaker takes in a training job's name."""


class Scheduler:
    """The engine of one queue, and its jobs by the engine's index. The account's clock drives it.

    What happens at an instant is told to the engine as it comes; `step` closes the instant with the scheduler's
    decision. So all that arrives within a millisecond, or while stepped time stands still, is decided on at once.
    """

    def __init__(self, account: Account, queue: Queue, shares: dict[str, QuotaShare]) -> None:
        settings = account.settings
        self.account = account
        self.shares = shares
        self.jobs: list[ServiceJob] = []
        self.live = LiveQueue(queue, settings.assumptions, settings.timing, self._told, account.now)
        self._is_open = False
        self._arrived: list[ServiceJob] = []
        self._dispatched: list[ServiceJob] = []
        self._phases: list[tuple[int, int, int, int]] = []
        self._blocked: dict[int, ServiceJob] = {}

    @property
    def now(self) -> int:
        """The instant that the engine has reached."""
        return self.live.core.now

    def open(self) -> LiveQueue:
        """The engine at the account's present instant, with what is due released."""
        if not self._is_open:
            self._is_open = True
            self.live.open(self.account.now)
        return self.live

    def submit(self, record: ServiceJob, job: Job) -> None:
        """A job arrives now: SUBMITTED until the scheduler has looked at it."""
        live = self.open()
        self.jobs.append(record)
        record.active = live.submit(job)
        self._arrived.append(record)

    def next_instant(self) -> int | None:
        """The earliest instant at which there is something to do: now, where something has happened."""
        if self._is_open:
            return self.now
        release = self.live.next_release()
        if self._phases and (release is None or self._phases[0][0] < release):
            return self._phases[0][0]
        return release

    def step(self, instant: int) -> None:
        """Let happen what happens at the instant that `next_instant` names, and let the scheduler decide on it."""
        if self._is_open or self.live.next_release() == instant:
            if not self._is_open:
                self.live.open(instant)
            self._decide()
        self._change_phases(instant)

    def _decide(self) -> None:
        for record in self._arrived:
            if record.status == "SUBMITTED":
                self._becomes(record, "RUNNABLE")
        self._arrived.clear()
        self.live.close()
        self._is_open = False
        self._plan_phases()
        self._look_at_heads()
        for share in [share for share in self.shares.values() if share.is_deleting]:
            if not self.live.is_busy(share.name):
                self.live.remove_share(share.name)
                del self.shares[share.name]

    def _becomes(self, record: ServiceJob, status: str, reason: str | None = None, at: int | None = None) -> None:
        record.status = status
        record.status_reason = reason
        emit(self.account, self.now if at is None else at, STATE_CHANGE, record)

    def _told(self, event: Event) -> None:
        """The engine has decided something."""
        act = _ACTS.get(event.kind)
        if act is not None:
            act(self, self.jobs[event.job], event)

    def on_dispatch(self, record: ServiceJob, _event: Event) -> None:
        """R2: handed to SageMaker; each run is a training job of its own."""
        record.scheduled_at = self.now
        record.training_job = self._training_job(record)
        self._becomes(record, "SCHEDULED")
        self._dispatched.append(record)

    def _training_job(self, record: ServiceJob) -> str:
        """AWS names the training job of an attempt AWSBatch<TrainingJobName><attempt id>."""
        attempt = self.account.new_id()
        name = f"AWSBatch{record.training_job_name}"[: TRAINING_JOB_NAME - len(attempt)] + attempt
        return self.account.identity.training_job_arn(name)

    def on_preemption(self, record: ServiceJob, event: Event) -> None:
        """Its capacity is wanted by another job; it is being stopped."""
        text = f"PREEMPTION_IN_PROGRESS: {PREEMPTION_TEXT[event.reason]}"
        emit(self.account, self.now, PREEMPTION_STARTED, record, statusReason=text, preemptedJobArn=record.arn)

    def on_stop(self, record: ServiceJob, event: Event) -> None:
        """A run that was stopped is over: preempted, or terminated."""
        text = PREEMPTION_TEXT.get(event.reason)
        if text is None:
            record.attempts.append(self._attempt(record, self._end_text(record, event.reason)))
        else:
            record.preempted.appendleft(self._attempt(record, text))
            record.preempted_count += 1

    def on_failed_attempt(self, record: ServiceJob, event: Event) -> None:
        """A run failed; one that got no machines is not shown among the attempts."""
        if event.reason is not Reason.CAPACITY_ERROR:
            record.attempts.append(self._attempt(record, self._end_text(record, event.reason)))

    def _attempt(self, record: ServiceJob, reason: str) -> Attempt:
        return Attempt(record.training_job or "", record.started_at, self.now, reason)

    def on_requeue(self, record: ServiceJob, event: Event) -> None:
        """Back to RUNNABLE."""
        record.scheduled_at = record.started_at = None
        self._becomes(record, "RUNNABLE")
        if event.reason in PREEMPTION_TEXT:
            emit(self.account, self.now, PREEMPTION_COMPLETED, record, preemptedJobArn=record.arn)

    def on_success(self, record: ServiceJob, _event: Event) -> None:
        """The work is done."""
        record.attempts.append(self._attempt(record, ""))
        record.stopped_at = self.now
        self._becomes(record, "SUCCEEDED")

    def on_failure(self, record: ServiceJob, event: Event) -> None:
        """It will not run again."""
        text = self._end_text(record, event.reason)
        record.stopped_at = self.now
        record.is_terminated = record.is_terminated or event.reason is Reason.TIME_LIMIT
        self._becomes(record, "FAILED", text)
        if event.reason is Reason.PREEMPTION_RETRIES_EXHAUSTED:
            emit(self.account, self.now, PREEMPTION_COMPLETED, record, preemptedJobArn=record.arn)

    def _end_text(self, record: ServiceJob, reason: Reason) -> str:
        """The status reason of a job or attempt that came to an end for `reason`."""
        active = record.active
        match reason:
            case Reason.REQUESTED:
                return record.termination_reason
            case Reason.TIMEOUT:
                return TIMEOUT_TEXT
            case Reason.TIME_LIMIT:
                return time_limit_text(TimeLimitReason(active.blocked_by or _CAPACITY))
            case Reason.PREEMPTION_RETRIES_EXHAUSTED:
                return record.preempted[0].status_reason
            case _:
                return active.job.failures[active.failures_seen - 1].reason

    def _plan_phases(self) -> None:
        """STARTING comes halfway between dispatch and RUNNING."""
        for record in self._dispatched:
            job = record.active
            if job.phase is Phase.PLACED and job.run_at != UNKNOWN:
                starting = job.started + (job.run_at - job.started) // 2
                for at, phase in ((starting, _STARTING), (job.run_at, _RUNNING)):
                    heappush(self._phases, (at, job.index, phase, job.ticket))
        self._dispatched.clear()

    def _change_phases(self, instant: int) -> None:
        while self._phases and self._phases[0][0] <= instant:
            at, index, phase, ticket = heappop(self._phases)
            record = self.jobs[index]
            if record.active.ticket == ticket:  # else this run is over, or being stopped
                if phase == _RUNNING:
                    record.started_at = at
                self._becomes(record, _PHASES[phase], at=at)

    def _look_at_heads(self) -> None:
        """Say of a head that can never start why that is, and that its queue is blocked (AWS user guide)."""
        core = self.live.core
        blocked: dict[int, ServiceJob] = {}
        for share in core.shares:
            heads = heads_of(core, share) if share.waiting_count else []
            for job in heads[:1] if core.assumptions.head_blocking == "skip" else heads:
                verdict = blocked_for_ever(core, job)
                if verdict is None:
                    continue
                record = blocked[job.index] = self.jobs[job.index]
                if record.status_reason != verdict.status_reason:
                    record.status_reason = verdict.status_reason
                    emit(self.account, self.now, QUEUE_BLOCKED, record)
        for index, record in self._blocked.items():
            if index not in blocked and record.status == "RUNNABLE":
                record.status_reason = None
        self._blocked = blocked


_CAPACITY = TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY
_STARTING, _RUNNING = 0, 1
_PHASES = ("STARTING", "RUNNING")
_ACTS: Mapping[Kind, Callable[[Scheduler, ServiceJob, Event], None]] = {
    Kind.DISPATCHED: Scheduler.on_dispatch,
    Kind.PREEMPTED: Scheduler.on_preemption,
    Kind.STOPPED: Scheduler.on_stop,
    Kind.ATTEMPT_FAILED: Scheduler.on_failed_attempt,
    Kind.REQUEUED: Scheduler.on_requeue,
    Kind.SUCCEEDED: Scheduler.on_success,
    Kind.FAILED: Scheduler.on_failure,
}
