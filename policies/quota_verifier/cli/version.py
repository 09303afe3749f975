"""`quota-shares version`."""

from __future__ import annotations

from argparse import Namespace

from quota_verifier.cli.arguments import add_json
from quota_verifier.cli.parser import Parser

USAGE = "[--json]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_json(parser)


def run(args: Namespace) -> int:
    """Print the version of the installed distribution."""
    from quota_verifier.cli.output import print_json
    from quota_verifier.report.provenance import version

    if args.json:
        print_json({"name": "quota-shares", "version": version()})
    else:
        print(f"quota-shares {version()}")
    return 0
