"""`quota-shares search`."""

from __future__ import annotations

import math
import shlex
from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import add_assumptions, add_json, add_queue, add_under, parameters_of
from quota_verifier.cli.output import print_json, print_report
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import whole
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from quota_verifier.model import Queue
    from quota_verifier.search import Limits, SearchResult

USAGE = "TEMPLATE --policy FILE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument("--policy", metavar="FILE", required=True, help="Policy file with an envelope, or `generate`.")
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        action="append",
        default=[],
        help="Search this claim alone: its number, its name, or a part of its text; may be repeated.",
    )
    parser.add_argument(
        "--out", metavar="FILE", help="Write the counterexample as a policy file (.yaml or .json) that verify judges."
    )
    parser.add_argument("--seed", metavar="N", type=checked(_from_zero), default=0, help="Other draws. Default 0.")
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=checked(_seconds),
        help="Stop after this time, the shrinking included. Default 30; none where --tries is given alone.",
    )
    parser.add_argument(
        "--tries",
        metavar="N",
        type=checked(whole),
        help="Try at most this many workloads. Default 40 for each second of --seconds.",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=checked(whole), default=24, help="Most jobs of a workload. Default 24."
    )
    parser.add_argument(
        "--at-least",
        metavar="N",
        type=checked(whole),
        default=1,
        help="Count a workload only if it has this many jobs of the claim's subject. Default 1.",
    )
    add_under(parser, "By default what the policy file says; all is as one-at-a-time here.")
    add_assumptions(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Look for a workload that breaks a claim; 1 where there is one."""
    from quota_verifier.search.replay import check_form, write_replay

    if args.out is not None:
        check_form(args.out)
    result = _searched(args)
    found = result.counterexample
    written = args.out if found is not None else None
    if found is not None and args.out is not None:
        write_replay(result.policy, found, args.out)
    if args.json:
        from quota_verifier.report.search_document import search_document

        print_json(search_document(result, args.template, written))
    else:
        from quota_verifier.report.search_text import search_report

        print_report(search_report(result, _replay_command(args) if written else None))
    return 1 if result.found else 0


def _searched(args: Namespace) -> SearchResult:
    from quota_verifier.cli.progress import progress
    from quota_verifier.search import search

    with progress("searching") as done:
        return search(
            _queue(args),
            args.policy,
            claims=args.claim,
            limits=_limits(args),
            under=args.under,
            assume=args.assume,
            progress=done,
        )


def _queue(args: Namespace) -> Callable[[str | None], Queue]:
    from quota_verifier.template.reader import read_queue

    parameters = parameters_of(args)

    def find(name: str | None) -> Queue:
        return read_queue(args.template, parameters=parameters, queue=args.queue or name)

    return find


def _limits(args: Namespace) -> Limits:
    from quota_verifier.search.searcher import SECONDS, Limits

    seconds = args.seconds or (None if args.tries else SECONDS)
    return Limits(seed=args.seed, tries=args.tries, seconds=seconds, most_jobs=args.jobs, at_least=args.at_least)


def _replay_command(args: Namespace) -> str:
    """The command line that judges the counterexample again."""
    queue = ["--queue", args.queue] if args.queue else []
    params = [word for name, value in args.param for word in ("--param", f"{name}={value}")]
    return shlex.join(["quota-shares", "verify", args.template, *queue, *params, "--policy", args.out])


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or seconds <= 0:
        raise InputError(f"{text!r} is not a number of seconds above 0", remedy="write a number such as 30")
    return seconds


def _from_zero(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"{text!r} is not a whole number", remedy="write a number such as 1")
    return int(text)
