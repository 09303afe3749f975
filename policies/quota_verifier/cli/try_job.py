"""`quota-shares try`."""

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

USAGE = "TEMPLATE --job JOB [--workload FILE] [--at TIME] [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument(
        "--job",
        metavar="JOB",
        required=True,
        help="A job in the words of workload files, as JSON or YAML: '{share: QS1, work: 1h, instances: 2}'.",
    )
    parser.add_argument(
        "--workload",
        metavar="FILE",
        help="The jobs that the queue runs: workload file (JSON, YAML, CSV) or trace. By default it is empty.",
    )
    parser.add_argument(
        "--at", metavar="TIME", type=checked(duration), help="Submit the job at this instant, such as 4h. Default 0s."
    )
    add_under(parser, "By default its start is told under each single alternative.")
    add_timing(parser)
    add_assumptions(parser)
    add_json(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Try one job and print what becomes of it."""
    from quota_verifier.explain.trial import try_job
    from quota_verifier.explain.trial_job import read_job
    from quota_verifier.workload import Workload

    queue = queue_of(args)
    workload = read(args, args.workload, queue) if args.workload else Workload(())
    warn(workload.warnings)
    job = read_job(args.job, queue, workload, args.at, args.unit)
    trial = try_job(
        queue,
        workload,
        job,
        assumptions=assumptions_of(args),
        timing=timing_of(args),
        under=args.under or "one-at-a-time",
    )
    if args.json:
        from quota_verifier.report.try_document import try_document

        print_json(try_document(trial, workload))
    else:
        from quota_verifier.report.try_text import try_report

        print_report(try_report(trial, workload))
    return 0
