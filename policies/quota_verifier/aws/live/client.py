"""The boto3 client of AWS Batch, and what becomes of its errors."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, cast

from quota_verifier.documents import as_list, as_map
from quota_verifier.errors import InputError

SOURCE = "AWS Batch"
WORKERS = 4
"""Requests at a time. AWS publishes no rate for these operations; the client slows down when it is throttled."""

_READING = "what examples/live/iam-policy.json lists"
_ATTEMPTS = 5
_CONNECT_S, _READ_S = 10, 60
_NO_ACCESS = frozenset({"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"})
_BAD_CREDENTIALS = frozenset(
    {"UnrecognizedClientException", "InvalidSignatureException", "ExpiredToken", "ExpiredTokenException"}
)


class BatchClient(Protocol):
    """The part of boto3's `batch` client that is used; boto3 has no types of its own."""

    def describe_job_queues(self, **request: object) -> dict[str, Any]:
        """DescribeJobQueues."""
        ...

    def describe_service_environments(self, **request: object) -> dict[str, Any]:
        """DescribeServiceEnvironments."""
        ...

    def describe_scheduling_policies(self, **request: object) -> dict[str, Any]:
        """DescribeSchedulingPolicies."""
        ...

    def describe_service_job(self, **request: object) -> dict[str, Any]:
        """DescribeServiceJob."""
        ...

    def get_job_queue_snapshot(self, **request: object) -> dict[str, Any]:
        """GetJobQueueSnapshot."""
        ...

    def get_paginator(self, operation_name: str, /) -> Any:  # noqa: ANN401
        """A paginator of an operation."""
        ...


@dataclass(frozen=True, slots=True)
class Connection:
    """Where to find the queue: boto3's own defaults for what is None."""

    region: str | None = None
    profile: str | None = None
    endpoint_url: str | None = None


def batch_client(connection: Connection) -> BatchClient:
    """A client that retries with growing pauses, slower when throttled (botocore's adaptive mode).

    Raises InputError where boto3 is not installed, or the profile, region or URL cannot be used.
    """
    try:
        import boto3  # pyright: ignore[reportMissingTypeStubs]
        from botocore.config import Config  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise InputError("boto3 is not installed", source=SOURCE, remedy="pip install 'quota-shares[aws]'") from None
    config = Config(
        retries={"mode": "adaptive", "total_max_attempts": _ATTEMPTS},
        max_pool_connections=WORKERS,
        connect_timeout=_CONNECT_S,
        read_timeout=_READ_S,
        user_agent_extra="quota-shares",
    )
    with asking():
        session: Any = boto3.Session(profile_name=connection.profile, region_name=connection.region)
        client = session.client("batch", endpoint_url=connection.endpoint_url, config=config)
    return cast("BatchClient", client)


@contextmanager
def asking(about: str = "", allow: str = _READING) -> Generator[None]:
    """Turn what boto3 raises inside into one InputError; `about` names what was asked for, `allow` what it needs."""
    from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
        BotoCoreError,
        ClientError,
        NoCredentialsError,
        NoRegionError,
        PartialCredentialsError,
        ProfileNotFound,
    )

    try:
        yield
    except ClientError as error:
        raise _refused(error, about, allow) from None
    except (NoCredentialsError, PartialCredentialsError) as error:
        problem = _sentence(error)
        remedy = "log in (aws sso login, aws configure), or name a profile with --profile"
        raise InputError(problem, source=SOURCE, where=about, remedy=remedy) from None
    except NoRegionError:
        remedy = "set AWS_DEFAULT_REGION, or name one with --region"
        raise InputError("no region is set", source=SOURCE, remedy=remedy) from None
    except ProfileNotFound as error:
        raise InputError(_sentence(error), source=SOURCE, remedy="see aws configure list-profiles") from None
    except (BotoCoreError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        remedy = "check --region, --endpoint-url and the network"
        raise InputError(_sentence(error), source=SOURCE, where=about, remedy=remedy) from None


def every(client: BatchClient, operation: str, member: str, **request: object) -> Iterator[dict[str, object]]:
    """The items of all pages of an operation, one page at a time, also where a page is empty (C34, C56).

    Raises InputError.
    """
    with asking(operation):
        for page in client.get_paginator(operation).paginate(**request):
            for item in as_list(page.get(member)) or ():
                yield as_map(item) or {}


def _refused(error: Any, about: str, allow: str) -> InputError:  # noqa: ANN401 (botocore has no types of its own)
    told: Mapping[str, str] = error.response.get("Error", {})
    code = told.get("Code", "")
    problem = f"{told.get('Message') or 'no reason given'} ({code})"
    remedy = ""
    if code in _NO_ACCESS:
        remedy = f"allow {allow}"
    elif code in _BAD_CREDENTIALS:
        remedy = "log in again, or name another profile with --profile"
    return InputError(problem, source=SOURCE, where=about or error.operation_name, remedy=remedy)


def _sentence(error: Exception) -> str:
    return str(error).strip().rstrip(".")
