"""`quota-shares import`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from quota_verifier.cli.arguments import add_json
from quota_verifier.cli.live_arguments import LIVE_QUEUE_HELP, add_connection, client_of, jobs_of
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser

USAGE = "--queue NAME [--out DIR] [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("--queue", metavar="NAME", required=True, help=LIVE_QUEUE_HELP)
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="Write the files there; by default into a new directory called as the queue. A policy file that is there"
        " already is left alone, the others are replaced.",
    )
    add_connection(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Read a deployed queue and its jobs, and write them as files."""
    from quota_verifier.aws.live.deployed import deployed_queue
    from quota_verifier.aws.live.files import write_import
    from quota_verifier.cli.progress import progress
    from quota_verifier.scheduler import profiles

    client = client_of(args)
    queue = deployed_queue(client, args.queue)
    jobs = jobs_of(client, queue)
    total = sum(1 for _ in profiles("one-at-a-time"))
    with progress("simulating") as done:
        directory = Path(args.out or queue.name)
        found = write_import(queue, jobs, directory, None if done is None else lambda count: done(count, total))
    if found.workload is not None:
        warn(found.workload.warnings)
    if args.json:
        from quota_verifier.report.import_document import import_document

        print_json(import_document(found))
    else:
        from quota_verifier.report.import_text import import_report

        print_report(import_report(found))
    return 0
