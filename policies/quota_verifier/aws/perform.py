"""Calls of AWS Batch, made through a boto3 client, with botocore's own waiters in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, cast

from quota_verifier.aws.calls import ENVIRONMENT, INVALID, LOOK_UP, Arn, Call, Made, Until
from quota_verifier.documents import as_list, as_map
from quota_verifier.errors import InputError

DELAY_S = 2
ATTEMPTS = 150
"""Five minutes; AWS speaks of a few seconds."""

SOURCE = "AWS Batch"

Answers = dict[str, Mapping[str, object]]
"""What the calls answered, by step."""


def perform(client: object, calls: Iterable[Call], *, delay_s: float = DELAY_S, attempts: int = ATTEMPTS) -> Answers:
    """Make `calls` through boto3's `batch` client, and wait after each for what it says: `attempts` times `delay_s`.

    Raises InputError where AWS refuses one, cannot be reached, or does not get there in time. Nothing is taken
    back then: the message tells how many calls were made.
    """
    exceptions = cast("Any", import_module("botocore.exceptions"))
    limits = {"Delay": delay_s, "MaxAttempts": attempts}
    answers: Answers = {}
    listed = list(calls)
    for made, call in enumerate(listed):
        try:
            answers[call.step] = _operation(client, call.operation)(**_filled_request(call.request, answers))
            if call.until:
                _waiter(client, call.until).wait(**_filled_request(call.until.request, answers), WaiterConfig=limits)
        except (exceptions.BotoCoreError, exceptions.ClientError) as error:
            raise InputError(
                str(error),
                source=SOURCE,
                where=f"{call.operation} ({call.step})",
                remedy=f"{made} of {len(listed)} calls were made before it, and stay",
            ) from None
    return answers


def _filled_request(request: Mapping[str, object], answers: Answers) -> dict[str, object]:
    return {member: _filled(value, answers) for member, value in request.items()}


def _filled(value: object, answers: Answers) -> object:
    """A value of a request, with names and ARNs for what stands for them."""
    if isinstance(value, Made):
        return value.name or answers[value.step][value.member]
    if isinstance(value, Arn):
        return f"{_prefix(answers[LOOK_UP], value.query)}{value.resource}"
    if (entries := as_map(value)) is not None:
        return _filled_request(entries, answers)
    items = as_list(value)
    return value if items is None else [_filled(item, answers) for item in items]


def _prefix(found: Mapping[str, object], query: str) -> str:
    """What the account's ARNs start with. Raises InputError where the environment is not there."""
    arn = cast("Any", import_module("jmespath")).search(query, found)
    if arn is None:
        raise InputError("the service environment is not there", source=SOURCE, where="DescribeServiceEnvironments")
    return str(arn).partition(ENVIRONMENT)[0]


def _operation(client: object, name: str) -> Callable[..., Mapping[str, object]]:
    return getattr(client, cast("Any", import_module("botocore")).xform_name(name))


def _waiter(client: object, until: Until) -> Any:  # noqa: ANN401 (botocore has no types of its own)
    wanted = until.wanted if isinstance(until.wanted, int) else list(until.wanted)
    acceptors = [{"matcher": "path", "argument": until.query, "expected": wanted, "state": "success"}]
    if not isinstance(until.wanted, int):
        broken = f"contains({until.query}, '{INVALID}')"
        acceptors.append({"matcher": "path", "argument": broken, "expected": True, "state": "failure"})
    told = {"operation": until.operation, "delay": DELAY_S, "maxAttempts": ATTEMPTS, "acceptors": acceptors}
    waiter = cast("Any", import_module("botocore.waiter"))
    model = waiter.WaiterModel({"version": 2, "waiters": {until.operation: told}})
    return waiter.create_waiter_with_client(until.operation, model, client)
