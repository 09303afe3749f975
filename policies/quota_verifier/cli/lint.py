"""`quota-shares lint`."""

from __future__ import annotations

from argparse import Namespace

from quota_verifier.cli.arguments import TEMPLATE_HELP, add_format, add_param, format_of, parameters_of
from quota_verifier.cli.output import print_alerts, print_json, print_report
from quota_verifier.cli.parser import Parser

USAGE = "TEMPLATE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("template", metavar="TEMPLATE", help=TEMPLATE_HELP)
    parser.add_argument(
        "--rules",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="Rules of your own besides the shipped ones: rule files (YAML), Python files, folders; may be repeated.",
    )
    add_param(parser)
    add_format(parser)


def run(args: Namespace) -> int:
    """Run the rules; 1 where one of them finds an error."""
    from quota_verifier.lint import lint
    from quota_verifier.lint.own_rules import load_own_rules

    form = format_of(args)
    report = lint(args.template, parameters=parameters_of(args), own_rules=load_own_rules(args.rules))
    if form == "json":
        from quota_verifier.report.lint_document import lint_document

        print_json(lint_document(report))
    elif form == "text":
        from quota_verifier.report.lint_text import lint_report

        print_report(lint_report(report))
    else:
        from quota_verifier.report.lint_alerts import lint_alerts

        print_alerts(lint_alerts(report), form)
    return 1 if report.failed else 0
