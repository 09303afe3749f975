"""`quota-shares explain`."""

from __future__ import annotations

from argparse import Namespace

from quota_verifier.cli.arguments import (
    add_assumptions,
    add_json,
    add_queue,
    add_timing,
    add_under,
    assumptions_of,
    duration,
    queue_of,
    timing_of,
)
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import add_trace, read
from quota_verifier.errors import InputError

USAGE = "TEMPLATE --workload FILE --job J [--at TIME] [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument("--workload", metavar="FILE", required=True, help="Workload file (JSON, YAML, CSV) or trace.")
    parser.add_argument("--job", metavar="J", help="The id of a job of the workload.")
    parser.add_argument(
        "--at",
        metavar="TIME",
        type=checked(duration),
        help="Explain it after what happens at this instant, such as 4h; by default when it is submitted.",
    )
    parser.add_argument(
        "--preemptions",
        action="store_true",
        help="Tell each preemption with the candidates there were: the job's, or all without --job; with --at only "
        "those of that instant.",
    )
    add_under(parser, "By default its start is told under each single alternative.")
    add_timing(parser)
    add_assumptions(parser)
    add_json(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Explain a job, or the preemptions of a run."""
    if args.job is None and not args.preemptions:
        raise InputError(
            "nothing to explain", source="quota-shares explain", remedy="name a job with --job, or give --preemptions"
        )
    from quota_verifier.explain.explain import explained
    from quota_verifier.explain.moment import index_of
    from quota_verifier.explain.preemptions import preemptions
    from quota_verifier.scheduler import simulate

    queue = queue_of(args)
    workload = read(args, args.workload, queue)
    warn(workload.warnings)
    outcome = simulate(queue, workload, assumptions=assumptions_of(args), timing=timing_of(args))
    job = None if args.job is None else index_of(outcome, args.job, workload.source)
    explanation = None
    if job is not None:
        explanation = explained(
            outcome, workload, outcome.jobs[job].id, at_ms=args.at, under=args.under or "one-at-a-time"
        )
    told = preemptions(outcome, job=job, at_ms=args.at) if args.preemptions else None
    if args.json:
        from quota_verifier.report.explain_document import explain_document

        print_json(explain_document(outcome, workload, explanation, told))
    else:
        from quota_verifier.report.explain_text import explain_report

        print_report(explain_report(outcome, workload, explanation, told))
    return 0
