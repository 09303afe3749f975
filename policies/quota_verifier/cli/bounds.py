"""`quota-shares bounds`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import (
    add_assumptions,
    add_json,
    add_queue,
    add_timing,
    assumptions_of,
    pair,
    pairs,
    queue_of,
    timing_of,
)
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import add_trace, read, whole
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.bounds import Bounds, KnownJobs
    from quota_verifier.model import Queue
    from quota_verifier.workload import Workload

USAGE = "TEMPLATE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    for which, what in (("largest", "most"), ("smallest", "fewest")):
        parser.add_argument(
            f"--{which}-job",
            metavar="SHARE=N",
            action="append",
            default=[],
            type=checked(_size),
            help=f"The {what} instances of a unit in one job of a share, such as QS1=4; '*' is every other share. "
            "May be repeated.",
        )
    parser.add_argument(
        "--workload", metavar="FILE", help="Sizes of jobs from a workload file (JSON, YAML, CSV) or trace."
    )
    parser.add_argument("--policy", metavar="FILE", help="Sizes of jobs and timing from a policy file's workload.")
    parser.add_argument("--why", action="store_true", help="Tell how each number comes about and what it rests on.")
    add_timing(parser)
    add_assumptions(parser)
    add_json(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Print what holds of the queue's shares whatever jobs come."""
    bounds = _bounds(args, queue_of(args))
    if args.json:
        from quota_verifier.report.bounds_document import bounds_document

        print_json(bounds_document(bounds))
    else:
        from quota_verifier.report.bounds_text import bounds_report

        print_report(bounds_report(bounds, why=args.why))
    return 0


def _bounds(args: Namespace, queue: Queue) -> Bounds:
    from quota_verifier.bounds import bounds_of

    if args.workload and args.policy:
        problem = "--workload and --policy both tell the jobs"
        raise InputError(problem, source="quota-shares bounds", remedy="give one of them")
    assumptions, timing = assumptions_of(args), timing_of(args)
    workload = read(args, args.workload, queue) if args.workload else None
    if args.policy:
        from quota_verifier.policy import read_policy
        from quota_verifier.policy.policy import WorkloadPlan
        from quota_verifier.scheduler import assume

        policy = read_policy(args.policy)
        planned = policy.workload
        workload = planned.load(queue) if isinstance(planned, WorkloadPlan) else planned
        assumptions = assume(args.assume, policy.assumptions)
        timing = timing if args.startup or args.stop or args.restore else policy.timing
    return bounds_of(queue, assumptions=assumptions, timing=timing, known=_known(args, workload))


def _known(args: Namespace, workload: Workload | None) -> KnownJobs:
    """What the arguments tell of the jobs that will come."""
    from quota_verifier.bounds import KnownJobs, demands_of
    from quota_verifier.model import JobUpdate

    largest, smallest = (
        {name: int(size) for name, size in pairs(given, option).items()}
        for given, option in ((args.largest_job, "--largest-job"), (args.smallest_job, "--smallest-job"))
    )
    if workload is None:
        return KnownJobs(largest=largest, smallest=smallest)
    warn(workload.warnings)
    if any(not isinstance(update, JobUpdate) for update in workload.updates):
        warn((f"{workload.source} changes the configuration; the bounds are those of the queue as it is declared",))
    return KnownJobs(demands_of(workload.jobs), largest, smallest, workload.source)


def _size(text: str) -> tuple[str, str]:
    share, size = pair(text)
    return share, str(whole(size))
