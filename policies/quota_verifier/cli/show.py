"""`quota-shares show`."""

from __future__ import annotations

from argparse import Namespace

from quota_verifier.cli.arguments import add_assumptions, add_json, add_queue, assumptions_of, queue_of
from quota_verifier.cli.output import print_json, print_report
from quota_verifier.cli.parser import Parser

USAGE = "TEMPLATE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    add_assumptions(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Print the queue's shares in absolute numbers."""
    from quota_verifier.report.show_document import show_document

    document = show_document(queue_of(args), assumptions_of(args).borrow_rounding)
    if args.json:
        print_json(document)
    else:
        from quota_verifier.report.show_text import show_report

        print_report(show_report(document))
    return 0
