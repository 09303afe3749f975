"""`quota-shares verify`."""

from __future__ import annotations

from argparse import Namespace
from functools import cache
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import (
    add_assumptions,
    add_format,
    add_prices,
    add_queue,
    add_report,
    add_under,
    day,
    format_of,
    parameters_of,
    prices_of,
)
from quota_verifier.cli.output import print_alerts, print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from quota_verifier.model import Queue
    from quota_verifier.policy.verdicts import Verdicts

USAGE = "TEMPLATE --policy FILE... [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument(
        "--policy",
        metavar="FILE",
        nargs="+",
        action="extend",
        required=True,
        help="Policy files; may be repeated.",
    )
    add_under(parser, "By default what each policy file says.")
    add_assumptions(parser)
    parser.add_argument(
        "--today",
        metavar="DATE",
        type=checked(day),
        help="The day that decides which waivers have expired, such as 2026-12-31; by default today.",
    )
    add_prices(parser)
    add_format(parser)
    add_report(parser)


def run(args: Namespace) -> int:
    """Judge the claims of the policy files; 1 where one of them neither holds nor is waived."""
    form = format_of(args)
    verdicts = _verdicts(args)
    warn(f"{found.policy.source}: {text}" for found in verdicts.policies for text in found.remarks)
    if args.report:
        from quota_verifier.report.files import write_report
        from quota_verifier.report.record import verdicts_report

        report = verdicts_report(args.template, verdicts)
        for path in args.report:
            write_report(report, path)
    if form == "json":
        from quota_verifier.report.verify_document import verify_document

        print_json(verify_document(verdicts, args.template))
    elif form == "text":
        from quota_verifier.report.verify_text import verify_report

        print_report(verify_report(verdicts))
    else:
        from quota_verifier.report.verify_alerts import verify_alerts

        print_alerts(verify_alerts(verdicts), form)
    return 0 if verdicts.ok else 1


def _verdicts(args: Namespace) -> Verdicts:
    from quota_verifier.cli.progress import progress
    from quota_verifier.policy.verifier import verify

    with progress("simulating") as done:
        return verify(
            _finder(args),
            args.policy,
            under=args.under,
            assume=args.assume,
            today=args.today,
            prices=prices_of(args),
            progress=done,
        )


def _finder(args: Namespace) -> Callable[[str | None], Queue]:
    """The queue that a policy names, else the only one; `--queue` before both."""
    from quota_verifier.template.reader import read_queue

    parameters = parameters_of(args)

    @cache
    def find(name: str | None) -> Queue:
        return read_queue(args.template, parameters=parameters, queue=args.queue or name)

    return find
