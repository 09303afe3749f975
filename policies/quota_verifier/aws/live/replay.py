"""A history as a workload: the same jobs at the same times, to be run again by the simulator."""

from __future__ import annotations

from dataclasses import replace

from quota_verifier.aws.live.past_jobs import History, How, PastJob, PastRun
from quota_verifier.model import Failure, Job, JobUpdate
from quota_verifier.workload import Workload

_AFTER_THE_END_MS = 1


def replay(history: History, stop_ms: int) -> Workload:
    """The jobs of a history, on a time axis that starts with the first submission.

    A job works as long as its last run did, and fails where it failed. A job whose end nobody has seen works past
    the end of the history; one that was terminated works until then and is terminated `stop_ms` before it stopped.
    """
    jobs = [_job(job, history) for job in history.jobs]
    updates = [update for job in history.jobs if (update := _termination(job, history, stop_ms)) is not None]
    return Workload(tuple(jobs), tuple(updates), source=history.source, skipped=history.skipped)


def horizon_ms(history: History) -> int:
    """The last instant that the history knows of, on the time axis of its replay."""
    return history.seen_ms - history.origin_ms


def past_failures(job: PastJob) -> tuple[Failure, ...]:
    """How runs of the job went wrong by themselves, first run first."""
    return tuple(
        Failure(_length(run), run.reason or "Received status from SageMaker: no reason told")
        for run in job.runs
        if run.how is How.FAILED
    )


def _job(job: PastJob, history: History) -> Job:
    asked = job.details
    return Job(
        id=job.id,
        share=job.share,
        submit_ms=job.created_ms - history.origin_ms,
        work_ms=_work(job, history),
        demand=asked.demand,
        priority=asked.priority,
        attempts=asked.attempts,
        preemption_retries=asked.preemption_retries,
        timeout_ms=asked.timeout_ms,
        failures=past_failures(job),
        retry_rules=asked.retry_rules,
        labels=asked.labels,
    )


def _work(job: PastJob, history: History) -> int:
    last = job.runs[-1] if job.runs else None
    if last is not None and last.how is How.SUCCEEDED:
        return _length(last)
    return history.seen_ms - job.created_ms + _AFTER_THE_END_MS


def _termination(job: PastJob, history: History, stop_ms: int) -> JobUpdate | None:
    """TerminateServiceJob of a job that was stopped by hand, while it waited or ran."""
    if job.status != "FAILED" or job.stopped_ms is None:
        return None
    last = job.runs[-1] if job.runs else None
    if last is None or last.how is How.TERMINATED or last.stopped_ms != job.stopped_ms:
        was_running = last is not None and last.how is How.TERMINATED and last.started_ms is not None
        at = max(job.created_ms, job.stopped_ms - (stop_ms if was_running else 0))
        return JobUpdate(at - history.origin_ms, job.id, terminate=True)
    return None


def _length(run: PastRun) -> int:
    """How long a run was RUNNING; 0 where it never was."""
    return 0 if run.started_ms is None or run.stopped_ms is None else run.stopped_ms - run.started_ms


def with_failures(workload: Workload, history: History) -> Workload:
    """`workload`, made of the same descriptions, with the runs of its jobs that went wrong by themselves."""
    failures = {job.id: past_failures(job) for job in history.jobs}
    jobs = [_with(job, failures.get(job.id, ())) for job in workload.jobs]
    return replace(workload, jobs=tuple(jobs))


def _with(job: Job, failures: tuple[Failure, ...]) -> Job:
    if not failures:
        return job
    longest = max(failure.after_ms for failure in failures)
    return replace(job, failures=failures, work_ms=max(job.work_ms, longest + _AFTER_THE_END_MS))
