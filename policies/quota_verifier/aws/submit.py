"""Submits service jobs one after another, no faster than AWS takes them; a flat record for each.

What the SageMaker Python SDK drops is kept: priority 0, and preemption settings in bulk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from quota_verifier.aws.live.client import Connection, asking, batch_client
from quota_verifier.aws.submission import Submission
from quota_verifier.errors import InputError

PER_SECOND = 5
"""SubmitServiceJob requests a second that AWS takes of an account (user guide, service limits)."""


class SubmittingClient(Protocol):
    """The part of boto3's `batch` client that is used."""

    def submit_service_job(self, **request: Any) -> dict[str, Any]:  # noqa: ANN401 (boto3 has no types of its own)
        """SubmitServiceJob."""
        ...


class Outcome(StrEnum):
    """What became of a submission."""

    SUBMITTED = "SUBMITTED"
    ALREADY_SUBMITTED = "ALREADY_SUBMITTED"
    """AWS has seen the token: an earlier request, whose answer may be lost, made the job. Its ARN is not told."""
    REFUSED = "REFUSED"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What AWS answered to a submission; `job_arn` is empty unless SUBMITTED, `problem` unless REFUSED."""

    name: str
    share: str
    token: str
    outcome: Outcome
    job_arn: str = ""
    problem: str = ""


def submit_jobs(
    submissions: Iterable[Submission],
    queue: str,
    *,
    client: SubmittingClient | None = None,
    per_second: float = PER_SECOND,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Receipt]:
    """Submit jobs to the queue of this name or ARN, in their order; a receipt as soon as each is answered.

    `client` is boto3's, by default one that finds region and credentials by itself. Every request is checked against
    botocore's model before the first is sent: InputError, and nothing is submitted. A job that AWS refuses does not
    hold up the others. Raises InputError, too, where AWS cannot be reached or lets nobody in: the receipts so far
    stand, and the same submissions, with their tokens, can be given again.
    """
    if per_second <= 0:
        raise InputError(f"{per_second} submissions a second", source="submit", remedy="give more than 0")
    batch = client or cast("SubmittingClient", batch_client(Connection()))
    listed = list(submissions)
    requests = [submission.request(queue) for submission in listed]
    _check(listed, requests)
    return _paced(batch, zip(listed, requests, strict=True), 1 / per_second, clock, sleep)


def _check(submissions: Sequence[Submission], requests: Sequence[dict[str, object]]) -> None:
    """Raise InputError for the first request that botocore's model does not allow, or that repeats a token."""
    shape, validator = _request_shape(), cast("Any", import_module("botocore.validate")).ParamValidator()
    seen: dict[str, str] = {}
    for submission, request in zip(submissions, requests, strict=True):
        report = validator.validate(request, shape)
        if report.has_errors():
            raise submission.wrong("; ".join(report.generate_report().splitlines()))
        if submission.token in seen:
            problem = f"{submission.token!r} is the token of {seen[submission.token]}, too"
            raise submission.wrong(problem, "token", "give each job one of its own, or leave it out")
        seen[submission.token] = f"job {submission.name}"


@cache
def _request_shape() -> object:
    loader = cast("Any", import_module("botocore.loaders")).create_loader()
    described = loader.load_service_model("batch", "service-2")
    model = cast("Any", import_module("botocore.model")).ServiceModel(described)
    return model.operation_model("SubmitServiceJob").input_shape


def _paced(
    client: SubmittingClient,
    requests: Iterable[tuple[Submission, dict[str, object]]],
    apart_s: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> Iterator[Receipt]:
    free_at = clock()
    for submission, request in requests:
        early = free_at - clock()
        if early > 0:
            sleep(early)
        free_at = max(free_at, clock()) + apart_s
        yield _submit(client, submission, request)


def _submit(client: SubmittingClient, submission: Submission, request: dict[str, object]) -> Receipt:
    from botocore.exceptions import ClientError  # pyright: ignore[reportMissingTypeStubs]

    def receipt(outcome: Outcome, job_arn: str = "", problem: str = "") -> Receipt:
        return Receipt(submission.name, submission.share, submission.token, outcome, job_arn, problem)

    with asking(f"job {submission.name}", allow="batch:SubmitServiceJob on the queue and the share"):
        try:
            return receipt(Outcome.SUBMITTED, client.submit_service_job(**request)["jobArn"])
        except ClientError as error:
            told = cast("dict[str, dict[str, Any]]", error.response)
            if told["Error"].get("Code") != "ClientException":  # no access, too busy, a fault: not about this job
                raise
            text = str(told["Error"].get("Message", ""))
            if "clienttoken" in text.lower():  # AWS documents the refusal, but not its text
                return receipt(Outcome.ALREADY_SUBMITTED)
            return receipt(Outcome.REFUSED, problem=text)
