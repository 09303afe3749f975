"""What AWS Batch does with jobs that block the head of a quota share for too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_batch as batch

from quota_shares._checks import Place, check_integer
from quota_verifier.model import TimeLimitReason

_MISCONFIGURED_S = 600
_NO_CAPACITY_S = 86_400


@dataclass(frozen=True, slots=True)
class ServiceJobTimeLimitAction:
    """Terminate a RUNNABLE job that blocks its share for `reason` longer than `max_time`.

    SageMaker queues know the action TERMINATE and the state RUNNABLE only, and other reasons than the
    queues of `aws_cdk.aws_batch.JobQueue`.

    :param reason: Why the job waits.
    :param max_time: How long it may wait, 600 to 86400 seconds.
    """

    reason: TimeLimitReason
    max_time: cdk.Duration


def default_time_limit_actions() -> tuple[ServiceJobTimeLimitAction, ...]:
    """One action for each reason.

    A job that can never start goes after 10 minutes, AWS's minimum, because it blocks its share. One that
    waits for SageMaker's machines goes after 24 hours, AWS's maximum, because it may start.
    """
    return tuple(
        ServiceJobTimeLimitAction(reason, cdk.Duration.seconds(_default_seconds(reason))) for reason in TimeLimitReason
    )


def _default_seconds(reason: TimeLimitReason) -> int:
    waits = reason is TimeLimitReason.INSUFFICIENT_INSTANCE_CAPACITY
    return _NO_CAPACITY_S if waits else _MISCONFIGURED_S


def rendered_actions(
    actions: Sequence[ServiceJobTimeLimitAction], place: Place
) -> list[batch.CfnJobQueue.JobStateTimeLimitActionProperty]:
    """The actions for the template. InputError for a time out of range or a reason that comes twice."""
    seen: set[TimeLimitReason] = set()
    for action in actions:
        _check_reason(action.reason, place)
        if action.reason in seen:
            raise place.error(f"job state time limit actions name the reason {action.reason} twice")
        seen.add(action.reason)
    return [_rendered(action, place) for action in actions]


def _check_reason(reason: object, place: Place) -> None:
    if not isinstance(reason, TimeLimitReason):
        raise place.error(
            f"a job state time limit action has the reason {reason!r}",
            f"a SageMaker queue knows {', '.join(TimeLimitReason)}: use quota_shares.TimeLimitReason",
        )


def _rendered(action: ServiceJobTimeLimitAction, place: Place) -> batch.CfnJobQueue.JobStateTimeLimitActionProperty:
    seconds = action.max_time.to_seconds()
    check_integer(f"max time in seconds for {action.reason}", seconds, place, at_least=600, at_most=86_400)
    return batch.CfnJobQueue.JobStateTimeLimitActionProperty(
        action="TERMINATE", max_time_seconds=seconds, reason=action.reason.value, state="RUNNABLE"
    )
