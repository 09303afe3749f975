"""A service job to be submitted, as AWS's SubmitServiceJob request says it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from quota_verifier.errors import InputError

HIGHEST_PRIORITY = 9999
LONGEST_TOKEN = 64
PAYLOAD_BYTES = 10 * 1024
"""The most that serviceRequestPayload may hold (AWS Batch user guide, service limits)."""


def _new_token() -> str:
    return str(uuid.uuid4())


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A job for a share of a quota-managed queue; None leaves a setting out of the request.

    `payload` is SageMaker's CreateTrainingJob request, and is sent as it is. `priority` 0 is sent, as 0.
    `preemption_retries` is preemptionRetriesBeforeTermination: None re-queues without limit, 0 fails the job at its
    first preemption. `timeout_s` is attemptDurationSeconds. `token` makes a repetition harmless: AWS refuses a token
    that it has seen with the same request, so that a job is never there twice. Raises InputError for numbers out of
    AWS's ranges and for a payload that is too large or no JSON.
    """

    name: str
    share: str
    payload: Mapping[str, object]
    priority: int | None = None
    preemption_retries: int | None = None
    timeout_s: int | None = None
    retry_strategy: Mapping[str, object] | None = None
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    token: str = field(default_factory=_new_token)

    def __post_init__(self) -> None:
        self._check_whole("priority", self.priority, 0, HIGHEST_PRIORITY)
        self._check_whole("preemption_retries", self.preemption_retries, 0)
        self._check_whole("timeout_s", self.timeout_s, 1)
        if not 1 <= len(self.token) <= LONGEST_TOKEN:
            raise self.wrong(f"must have 1 to {LONGEST_TOKEN} characters", "token")
        size = len(self._payload_text().encode())
        if size > PAYLOAD_BYTES:
            raise self.wrong(f"{size} bytes are more than AWS's {PAYLOAD_BYTES}", "payload", "move data to S3")

    def request(self, queue: str) -> dict[str, object]:
        """The members of SubmitServiceJob for the queue of this name or ARN."""
        request: dict[str, object] = {
            "jobName": self.name,
            "jobQueue": queue,
            "serviceJobType": "SAGEMAKER_TRAINING",
            "quotaShareName": self.share,
            "serviceRequestPayload": self._payload_text(),
            "clientToken": self.token,
        }
        if self.priority is not None:
            request["schedulingPriority"] = self.priority
        if self.preemption_retries is not None:
            request["preemptionConfiguration"] = {"preemptionRetriesBeforeTermination": self.preemption_retries}
        if self.timeout_s is not None:
            request["timeoutConfig"] = {"attemptDurationSeconds": self.timeout_s}
        if self.retry_strategy is not None:
            request["retryStrategy"] = dict(self.retry_strategy)
        if self.tags:
            request["tags"] = dict(self.tags)
        return request

    def wrong(self, problem: str, where: str = "", remedy: str = "") -> InputError:
        """An error about this job."""
        return InputError(problem, source=f"job {self.name}", where=where, remedy=remedy)

    def _check_whole(self, where: str, value: object, at_least: int, at_most: int | None = None) -> None:
        if value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(f"{value!r} is not a whole number", where)
        if value < at_least or (at_most is not None and value > at_most):
            allowed = f"between {at_least} and {at_most}" if at_most is not None else f"at least {at_least}"
            raise self.wrong(f"{value} is not {allowed}", where, "leave it out for AWS's default")

    def _payload_text(self) -> str:
        try:
            return json.dumps(self.payload, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise self.wrong(f"cannot be written as JSON: {error}", "payload") from None
