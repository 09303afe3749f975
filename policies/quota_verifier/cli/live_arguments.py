"""Arguments of commands that look at a deployed queue."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.parser import Parser
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.aws.live.client import BatchClient
    from quota_verifier.aws.live.job_list import ServiceJob
    from quota_verifier.model import Queue

_OPTIONS = (
    ("region", "NAME", "AWS region, such as us-east-1; by default that of the environment or the profile."),
    ("profile", "NAME", "Profile of the AWS configuration, for credentials and region."),
    ("endpoint-url", "URL", "Address of AWS Batch, such as that of quota-shares emulate."),
)
LIVE_QUEUE_HELP = "The deployed job queue, by its exact name or ARN."


def add_connection(parser: Parser) -> None:
    """`--region`, `--profile` and `--endpoint-url`, as the AWS CLI has them."""
    group = parser.add_argument_group("how AWS is reached")
    for name, metavar, text in _OPTIONS:
        group.add_argument(f"--{name}", metavar=metavar, help=text)


def client_of(args: Namespace) -> BatchClient:
    """The client that the arguments describe. Raises InputError."""
    from quota_verifier.aws.live.client import Connection, batch_client

    return batch_client(Connection(args.region, args.profile, args.endpoint_url))


def refuse_connection(args: Namespace, why: str) -> None:
    """Raise InputError where the arguments tell how AWS is reached, and nobody asks AWS."""
    for name, _, _ in _OPTIONS:
        if getattr(args, name.replace("-", "_")) is not None:
            raise InputError(why, source=f"--{name}", remedy="leave it out")


def jobs_of(client: BatchClient, queue: Queue) -> list[ServiceJob]:
    """Every job of a deployed queue, described, with its progress on standard error. Raises InputError."""
    from quota_verifier.aws.live.job_list import described, job_ids
    from quota_verifier.cli.progress import progress

    ids = job_ids(client, queue.source)
    with progress("asking for jobs") as done:
        return list(described(client, ids, None if done is None else lambda count: done(count, len(ids))))
