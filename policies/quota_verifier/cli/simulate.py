"""`quota-shares simulate`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import (
    add_assumptions,
    add_json,
    add_prices,
    add_queue,
    add_report,
    add_timing,
    assumptions_of,
    duration,
    prices_of,
    queue_of,
    timing_of,
)
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import add_trace, read

if TYPE_CHECKING:
    from quota_verifier.cost import Costs, Prices
    from quota_verifier.figures import Figures
    from quota_verifier.model import Queue
    from quota_verifier.scheduler import Run
    from quota_verifier.workload import Workload

USAGE = "TEMPLATE --workload FILE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument("--workload", metavar="FILE", required=True, help="Workload file (JSON, YAML, CSV) or trace.")
    parser.add_argument("--until", metavar="TIME", type=checked(duration), help="Stop after this instant, such as 4h.")
    parser.add_argument(
        "--timeline", metavar="TIME", type=checked(duration), help="Add what happened around this instant, and why."
    )
    add_timing(parser)
    add_assumptions(parser)
    add_prices(parser)
    add_json(parser)
    add_report(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Simulate a workload and print what happened."""
    from quota_verifier.figures import summarize
    from quota_verifier.workload.load import offered_load

    queue = queue_of(args)
    workload = read(args, args.workload, queue)
    warn(workload.warnings)
    prices = prices_of(args)
    outcome = _simulated(args, queue, workload)
    figures, loads = summarize(outcome), offered_load(workload, queue)
    costs = _costs(prices, outcome, figures)
    if args.report:
        from quota_verifier.report.files import write_report
        from quota_verifier.report.record import Report, ReportedRun

        report = Report(args.template, (ReportedRun(outcome, figures, workload, loads, args.until, costs=costs),))
        for path in args.report:
            write_report(report, path)
    if args.json:
        from quota_verifier.report.simulate_document import simulate_document

        print_json(simulate_document(outcome, figures, workload, loads, args.until, args.timeline, costs=costs))
    else:
        from quota_verifier.report.simulate_text import simulate_report

        print_report(simulate_report(outcome, figures, workload, loads, args.timeline, costs=costs))
    return 0


def _costs(prices: Prices | None, outcome: Run, figures: Figures) -> Costs | None:
    if prices is None:
        return None
    from quota_verifier.cost import costs_of
    from quota_verifier.figures import columns

    return costs_of(figures, columns(outcome), prices)


def _simulated(args: Namespace, queue: Queue, workload: Workload) -> Run:
    from quota_verifier.cli.progress import progress
    from quota_verifier.scheduler import simulate

    total = len(workload.jobs)
    with progress("simulating") as done:
        return simulate(
            queue,
            workload,
            assumptions=assumptions_of(args),
            timing=timing_of(args),
            until_ms=args.until,
            progress=None if done is None else lambda count: done(count, total),
        )
