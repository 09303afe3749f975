"""A service job as DescribeServiceJob, ListServiceJobs and events show it."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.aws.emulator.records import Attempt, ServiceJob

_COPIED = ("retryStrategy", "preemptionConfiguration", "timeoutConfig")
_TIMES = (("scheduledAt", "scheduled_at"), ("startedAt", "started_at"), ("stoppedAt", "stopped_at"))


def summary(job: ServiceJob) -> dict[str, object]:
    """A job as ListServiceJobs shows it."""
    view: dict[str, object] = {
        "jobArn": job.arn,
        "jobId": job.id,
        "jobName": job.name,
        "serviceJobType": job.request["serviceJobType"],
        "quotaShareName": job.share,
        "capacityUsage": [{"capacityUnit": unit, "quantity": float(n)} for unit, n in job.capacity.items()],
        "createdAt": job.created_at,
        "status": job.status,
    }
    for member, field in _TIMES:
        at = getattr(job, field)
        if at is not None:
            view[member] = at
    if job.status_reason is not None:
        view["statusReason"] = job.status_reason
    if job.is_terminated:
        view["isTerminated"] = True
    if job.training_job is not None:
        view["latestAttempt"] = {"serviceResourceId": _resource(job.training_job)}
    return view


def detail(job: ServiceJob) -> dict[str, object]:
    """A job as events show it: as it is described, without its tags and its payload."""
    view = summary(job)
    view["jobQueue"] = job.queue.arn
    view["schedulingPriority"] = job.priority
    view["attempts"] = [attempt_view(attempt) for attempt in job.attempts]
    for member in _COPIED:
        if job.request.get(member) is not None:
            view[member] = job.request[member]
    if job.preempted_count:
        view["preemptionSummary"] = preemption_summary(job)
    return view


def description(job: ServiceJob) -> dict[str, object]:
    """A job as DescribeServiceJob shows it."""
    view = detail(job)
    view["serviceRequestPayload"] = job.request["serviceRequestPayload"]
    if job.tags:
        view["tags"] = job.tags
    return view


def preemption_summary(job: ServiceJob) -> dict[str, object]:
    """How often a job was preempted, and the latest of its preempted attempts, newest first."""
    return {
        "preemptedAttemptCount": job.preempted_count,
        "recentPreemptedAttempts": [attempt_view(attempt) for attempt in job.preempted],
    }


def attempt_view(attempt: Attempt) -> dict[str, object]:
    """An attempt that is over; without `startedAt` where it never ran."""
    view: dict[str, object] = {
        "serviceResourceId": _resource(attempt.training_job),
        "stoppedAt": attempt.stopped_at,
        "statusReason": attempt.status_reason,
    }
    if attempt.started_at is not None:
        view["startedAt"] = attempt.started_at
    return view


def _resource(training_job: str) -> Mapping[str, str]:
    return {"name": "TrainingJobArn", "value": training_job}
