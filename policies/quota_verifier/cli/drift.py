"""`quota-shares drift`."""

from __future__ import annotations

from argparse import Namespace

from quota_verifier.cli.arguments import TEMPLATE_HELP, add_json, add_param, parameters_of
from quota_verifier.cli.live_arguments import LIVE_QUEUE_HELP, add_connection, client_of
from quota_verifier.cli.output import print_json, print_report
from quota_verifier.cli.parser import Parser

USAGE = "TEMPLATE --queue NAME [--verified FILE] [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("template", metavar="TEMPLATE", help=f"What is declared. {TEMPLATE_HELP}")
    parser.add_argument("--queue", metavar="NAME", required=True, help=LIVE_QUEUE_HELP)
    add_param(parser)
    parser.add_argument(
        "--verified", metavar="FILE", help="What verify --json printed: compare with the queue that it judged, too."
    )
    add_connection(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Compare a deployed queue with what is declared and verified; 1 where it differs."""
    from quota_verifier.aws.live.deployed import deployed_queue
    from quota_verifier.aws.live.drift import declared_queue, drift, read_verified

    deployed = deployed_queue(client_of(args), args.queue)
    declared = declared_queue(args.template, parameters_of(args), deployed)
    record = None if args.verified is None else read_verified(args.verified, declared.name)
    found = drift(deployed, declared, record)
    if args.json:
        from quota_verifier.report.drift_document import drift_document

        print_json(drift_document(found))
    else:
        from quota_verifier.report.drift_text import drift_report

        print_report(drift_report(found))
    return 1 if found.drifted else 0
