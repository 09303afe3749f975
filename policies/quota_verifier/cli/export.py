"""`quota-shares export`."""

from __future__ import annotations

import sys
from argparse import Namespace

from quota_verifier.aws.export.formats import FORMATS, exported
from quota_verifier.cli.arguments import add_json, add_queue, parameters_of
from quota_verifier.cli.output import print_json
from quota_verifier.cli.parser import Parser, one_of

USAGE = "TEMPLATE --format FORMAT [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=one_of(*FORMATS),
        required=True,
        help="aws-cli (scripts and JSON input files), console (values form by form), boto3 (Python) or cloudformation.",
    )
    parser.add_argument(
        "--out", metavar="DIR", help="Write the files there, over older ones, instead of printing them."
    )
    add_json(parser)


def run(args: Namespace) -> int:
    """Write the queue down for another tool."""
    from quota_verifier.aws.export.files import write_files
    from quota_verifier.template.declaration import read_declaration

    declaration = read_declaration(args.template, parameters=parameters_of(args), queue=args.queue)
    files = exported(declaration, args.format)
    written = write_files(files, args.out) if args.out else ()
    if args.json:
        from quota_verifier.report.export_document import export_document

        print_json(export_document(declaration, args.format, files))
    elif written:
        sys.stdout.write("".join(f"{path}\n" for path in written))
    elif len(files) == 1:
        sys.stdout.write(files[0].text)
    else:
        sys.stdout.write("\n".join(f"==> {file.name} <==\n{file.text}" for file in files))
    return 0
