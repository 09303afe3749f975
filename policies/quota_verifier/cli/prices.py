"""`quota-shares prices`."""

from __future__ import annotations

import sys
from argparse import Namespace

from quota_verifier.cli.arguments import TEMPLATE_HELP, add_json, add_queue_choice, queue_of
from quota_verifier.cli.output import print_json
from quota_verifier.cli.parser import Parser
from quota_verifier.errors import InputError

USAGE = "[TEMPLATE] --region REGION [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("template", metavar="TEMPLATE", nargs="?", help=f"Asks for its units. {TEMPLATE_HELP}")
    add_queue_choice(parser)
    parser.add_argument("--region", metavar="REGION", required=True, help="AWS region, such as us-east-1.")
    parser.add_argument(
        "--units", metavar="UNIT", nargs="+", action="extend", default=[], help="Instance types, such as ml.g5.xlarge."
    )
    parser.add_argument("--out", metavar="FILE", help="Write the prices file there instead of printing it.")
    add_json(parser)


def run(args: Namespace) -> int:
    """Ask AWS for the prices of training instances, and write them as a prices file."""
    from quota_verifier.cost.aws_prices import pricing_client, training_prices
    from quota_verifier.report.prices_document import prices_document, prices_yaml

    units = [*args.units, *(queue_of(args).units if args.template else ())]
    if not units:
        raise InputError("prices of what?", source="prices", remedy="name a template, or --units ml.g5.xlarge")
    quotes = training_prices(units, args.region, pricing_client())
    text = prices_yaml(quotes, args.region)
    if args.out:
        try:
            with open(args.out, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=args.out) from None
    if args.json:
        print_json(prices_document(quotes, args.region))
    elif not args.out:
        sys.stdout.write(text)
    return 0
