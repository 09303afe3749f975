"""`quota-shares try`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import (
    TEMPLATE_HELP,
    add_assumptions,
    add_json,
    add_param,
    add_timing,
    add_under,
    assumptions_of,
    duration,
    queue_of,
    timing_of,
)
from quota_verifier.cli.live_arguments import add_connection, client_of, refuse_connection
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import add_trace, read
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.model import Job, Queue
    from quota_verifier.workload import Workload

USAGE = "TEMPLATE | --queue NAME  --job JOB [--workload FILE] [--at TIME] [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "template",
        metavar="TEMPLATE",
        nargs="?",
        help=f"{TEMPLATE_HELP} Without it, --queue names a deployed queue, and the job is tried on what that runs now.",
    )
    parser.add_argument(
        "--queue", metavar="NAME", help="The queue, where the template has more than one; or the deployed one."
    )
    add_param(parser)
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
    parser.add_argument(
        "--expect",
        metavar="TIME",
        type=checked(duration),
        help="How long each job of a deployed queue works in all. By default the median of its share's ended jobs.",
    )
    add_under(parser, "By default its start is told under each single alternative.")
    add_timing(parser)
    add_assumptions(parser)
    add_json(parser)
    add_connection(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Try one job and print what becomes of it."""
    from quota_verifier.explain.trial import try_job

    queue, workload, job = _simulated(args) if args.template else _deployed(args)
    warn(workload.warnings)
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


def _simulated(args: Namespace) -> tuple[Queue, Workload, Job]:
    """The queue of a template, its workload, and the job at its instant. Raises InputError."""
    from quota_verifier.explain.trial_job import read_job
    from quota_verifier.workload import Workload

    refuse_connection(args, "a template asks nobody")
    if args.expect is not None:
        raise InputError("the workload says how long jobs work", source="--expect", remedy="leave it out")
    queue = queue_of(args)
    workload = read(args, args.workload, queue) if args.workload else Workload(())
    return queue, workload, read_job(args.job, queue, workload, args.at, args.unit)


def _deployed(args: Namespace) -> tuple[Queue, Workload, Job]:
    """A deployed queue, what it runs now as a workload, and the job that comes now. Raises InputError."""
    from dataclasses import replace

    from quota_verifier.aws.live.deployed import deployed_queue
    from quota_verifier.aws.live.present import differences, present, state_of
    from quota_verifier.explain.trial_job import read_job

    if args.queue is None:
        raise InputError("which queue?", source="try", remedy="name a template, or a deployed queue with --queue")
    for option in ("workload", "at", "format"):
        if getattr(args, option) is not None:
            raise InputError("a deployed queue has its own", source=f"--{option}", remedy="leave it out")
    if args.expect == 0:
        raise InputError("a job works longer than 0s", source="--expect", remedy="write a duration such as 2h")
    client, timing = client_of(args), timing_of(args)
    here = present(client, deployed_queue(client, args.queue))
    workload, at_ms = state_of(here, timing, args.expect)
    warnings = tuple(differences(here, workload, timing, assumptions_of(args)))
    workload = replace(workload, warnings=warnings)
    return here.queue, workload, read_job(args.job, here.queue, workload, at_ms, args.unit)
