"""SubmitServiceJob, DescribeServiceJob, UpdateServiceJob, TerminateServiceJob and TerminateServiceJobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.errors import AwsError
from quota_verifier.aws.emulator.identity import JOB
from quota_verifier.aws.emulator.job_view import description
from quota_verifier.aws.emulator.limits import check_between, check_name, check_tags
from quota_verifier.aws.emulator.records import JobQueue, ServiceJob
from quota_verifier.aws.emulator.shapes import Answer, Request
from quota_verifier.aws.emulator.work import Work, read_work
from quota_verifier.model import Job, RetryRule

HIGHEST_PRIORITY = 9999
MOST_ATTEMPTS, MOST_RULES, LONGEST_REASON, MOST_TERMINATED = 10, 5, 512, 50
_OVER = ("SUCCEEDED", "FAILED")
_NOTHING: Request = {}


def submit(account: Account, request: Request) -> Answer:
    """SubmitServiceJob. A clientToken that was used before is refused, as AWS documents."""
    check_name("jobName", request["jobName"])
    queue = account.queue(request["jobQueue"])
    share, tags = _share(queue, request), check_tags(request.get("tags"))
    timeout = _inner(request, "timeoutConfig", "attemptDurationSeconds", least=1)
    work = read_work(request["serviceRequestPayload"], tags, timeout, account.settings.work_ms)
    job = _job(account, share, request, work)
    token = request.get("clientToken")
    if token is not None:
        if token in account.tokens:
            raise AwsError(f"clientToken: {token} was used by an earlier request")
        account.tokens.add(token)
    job = replace(job, id=account.new_id())
    record = ServiceJob(
        id=job.id, arn=account.identity.arn(JOB, job.id), name=request["jobName"], queue=queue, share=share,
        request=_upper_case_actions(request), capacity=work.demand,
        training_job_name=work.training_job_name or request["jobName"], priority=job.priority,
        created_at=account.now, tags=tags,
    )  # fmt: skip
    account.jobs[job.id] = record
    queue.scheduler.submit(record, job)
    return _named(record)


def describe(account: Account, request: Request) -> Answer:
    """DescribeServiceJob, by id or ARN."""
    return description(account.job(request["jobId"]))


def update(account: Account, request: Request) -> Answer:
    """UpdateServiceJob: a new priority for a job that is not over; the same one changes nothing."""
    priority = check_between("schedulingPriority", request["schedulingPriority"], 0, HIGHEST_PRIORITY)
    job = account.job(request["jobId"])
    if job.status in _OVER:
        raise AwsError(f"Service job {job.id} is {job.status} and cannot be updated")
    job.priority = priority
    job.queue.scheduler.open().update_job(job.active, priority=priority)
    return _named(job)


def terminate(account: Account, request: Request) -> Answer:
    """TerminateServiceJob; a job that is over stays as it is."""
    _terminate(account.job(request["jobId"]), request["reason"])
    return {}


def terminate_several(account: Account, request: Request) -> Answer:
    """TerminateServiceJobs: up to 50; a job that is not there counts as terminated."""
    given = request["jobs"]
    check_between("jobs", len(given), 1, MOST_TERMINATED)
    ids = [account.identity.name(JOB, text) for text in given]
    for job_id in ids:
        if job_id in account.jobs:
            _terminate(account.jobs[job_id], request["reason"])
    return {"successful": list(given), "errors": []}


def _terminate(job: ServiceJob, reason: str) -> None:
    live = job.queue.scheduler.open()
    if job.status in _OVER:
        return
    if not job.is_terminated:
        job.is_terminated, job.termination_reason = True, reason
        live.update_job(job.active, terminate=True)


def _share(queue: JobQueue, request: Request) -> str:
    if request.get("shareIdentifier") is not None:
        raise AwsError("shareIdentifier: a job of a quota-managed queue gives quotaShareName instead")
    name = request.get("quotaShareName")
    if name is None:
        raise AwsError(f"quotaShareName: job queue {queue.name} has a quota-share policy, so it must be given")
    share = queue.shares.get(name)
    if share is None:
        raise AwsError(f"Quota share {name} does not exist in job queue {queue.name}")
    if queue.state != "ENABLED":
        raise AwsError(f"Job queue {queue.name} is DISABLED and takes no jobs")
    if share.state != "ENABLED":
        raise AwsError(f"Quota share {name} is DISABLED and takes no jobs")
    return name


def _retries(given: Mapping[str, Any] | None) -> tuple[int, tuple[RetryRule, ...]]:
    """Attempts and evaluateOnExit of a retryStrategy."""
    if given is None:
        return 1, ()
    attempts = check_between("retryStrategy.attempts", given["attempts"], 1, MOST_ATTEMPTS)
    rules: Sequence[Mapping[str, Any]] = given.get("evaluateOnExit") or ()
    if len(rules) > MOST_RULES:
        raise AwsError(f"retryStrategy.evaluateOnExit: has more than {MOST_RULES} rules")
    found: list[RetryRule] = []
    for index, rule in enumerate(rules):
        place, glob = f"retryStrategy.evaluateOnExit.{index}", rule.get("onStatusReason") or "*"
        if rule.get("action") is None:
            raise AwsError(f"{place}.action: must be given")
        if len(glob) > LONGEST_REASON:
            raise AwsError(f"{place}.onStatusReason: must be no longer than {LONGEST_REASON} characters")
        found.append(RetryRule(cast("Literal['RETRY', 'EXIT']", rule["action"].upper()), glob))
    return attempts, tuple(found)


def _upper_case_actions(request: Request) -> Request:
    """The request with actions in the model's spelling, as they are given back."""
    strategy = request.get("retryStrategy")
    if not strategy or not strategy.get("evaluateOnExit"):
        return request
    rules = [{**rule, "action": rule["action"].upper()} for rule in strategy["evaluateOnExit"]]
    return {**request, "retryStrategy": {**strategy, "evaluateOnExit": rules}}


def _job(account: Account, share: str, request: Request, work: Work) -> Job:
    """The job in the scheduler's terms, without an id as yet."""
    attempts, rules = _retries(request.get("retryStrategy"))
    return Job(
        id="",
        share=share,
        submit_ms=account.now,
        work_ms=work.work_ms,
        demand=work.demand,
        priority=check_between("schedulingPriority", request.get("schedulingPriority") or 0, 0, HIGHEST_PRIORITY),
        attempts=attempts,
        preemption_retries=_inner(request, "preemptionConfiguration", "preemptionRetriesBeforeTermination", least=0),
        timeout_ms=work.timeout_ms,
        checkpoint_ms=work.checkpoint_ms,
        failures=work.failures,
        retry_rules=rules,
    )


def _inner(request: Request, member: str, name: str, *, least: int) -> int | None:
    """A number inside a member of the request, None where it is not given. Raises AwsError below `least`."""
    value: int | None = (request.get(member) or _NOTHING).get(name)
    if value is not None and value < least:
        raise AwsError(f"{member}.{name}: must be at least {least}")
    return value


def _named(job: ServiceJob) -> Answer:
    return {"jobArn": job.arn, "jobName": job.name, "jobId": job.id}
