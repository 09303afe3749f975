"""`quota-shares diff`."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import (
    TEMPLATE_HELP,
    add_assumptions,
    add_json,
    add_timing,
    duration,
    pair,
    pairs,
    timing_of,
)
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import add_trace, read, trace_options
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.diff import ChangeReport
    from quota_verifier.diff.subject import Subject
    from quota_verifier.diff.trial import Experiment
    from quota_verifier.scheduler import Assumptions, Timing
    from quota_verifier.workload import Workload

USAGE = "OLD NEW [--workload FILE | --policy FILE] [--at TIME] [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("old", metavar="OLD", help=f"What is deployed. {TEMPLATE_HELP}")
    parser.add_argument("new", metavar="NEW", help="What is to be deployed over it, of the same kind.")
    parser.add_argument("--workload", metavar="FILE", help="Workload file or trace, to run under both.")
    parser.add_argument("--policy", metavar="FILE", help="Policy file whose workload and timing are run under both.")
    parser.add_argument(
        "--at",
        metavar="TIME",
        type=checked(duration),
        help="Run the workload also under OLD that becomes NEW at this instant, such as 4h.",
    )
    parser.add_argument("--queue", metavar="NAME", help="The queue to run, where OLD has more than one.")
    for option, what in (("", "both sides"), ("old-", "OLD alone"), ("new-", "NEW alone")):
        parser.add_argument(
            f"--{option}param",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            type=checked(pair),
            help=f"Value of a template parameter, for {what}; may be repeated.",
        )
    parser.add_argument("--until", metavar="TIME", type=checked(duration), help="Stop after this instant, such as 4h.")
    add_timing(parser)
    add_assumptions(parser)
    add_json(parser)
    parser.add_argument("--markdown", action="store_true", help="Print Markdown for a pull request.")
    add_trace(parser)


def run(args: Namespace) -> int:
    """Compare two sides and run a workload under both; 1 where a rule finds an error."""
    from quota_verifier.diff import diff
    from quota_verifier.diff.sides import share_parameters

    _refuse_what_does_not_go_together(args)
    old, new = share_parameters(args.old, args.new, pairs(args.param, "--param"))
    report = diff(
        args.old,
        args.new,
        old_parameters={**old, **pairs(args.old_param, "--old-param")},
        new_parameters={**new, **pairs(args.new_param, "--new-param")},
    )
    _show(args, report, _tried(args, report))
    return 1 if report.failed else 0


def _refuse_what_does_not_go_together(args: Namespace) -> None:
    if args.json and args.markdown:
        raise InputError("--json and --markdown", source="--markdown", remedy="give one of the two")
    if args.workload and args.policy:
        raise InputError("--workload and --policy", source="--policy", remedy="give one of the two")
    if not args.workload and not args.policy:
        for option in ("at", "until", "queue"):
            if getattr(args, option) is not None:
                raise InputError("there is nothing to run", source=f"--{option}", remedy="give --workload or --policy")
    if args.policy:
        for option in ("until", "startup", "stop", "restore"):
            if getattr(args, option):
                raise InputError("the policy file says it", source=f"--{option}", remedy="change the policy file")


def _show(args: Namespace, report: ChangeReport, tried: Experiment | None) -> None:
    if args.json:
        from quota_verifier.report.diff_document import diff_document

        print_json(diff_document(report, tried))
    elif args.markdown:
        from quota_verifier.report.diff_markdown import diff_markdown

        sys.stdout.write(diff_markdown(report, tried))
    else:
        from quota_verifier.report.diff_text import diff_report

        print_report(diff_report(report, tried))


def _tried(args: Namespace, report: ChangeReport) -> Experiment | None:
    if not args.workload and not args.policy:
        return None
    plan = _from_policy(args, report) if args.policy else _from_workload(args, report)
    if args.at is not None and plan.until_ms is not None and args.at > plan.until_ms:
        raise InputError("is after the end of the run", source="--at", remedy="change an instant before --until")
    warn(plan.workload.warnings)
    return _run(args, plan)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to run on which queue."""

    subject: Subject
    workload: Workload
    timing: Timing
    assumptions: Assumptions
    until_ms: int | None


def _from_workload(args: Namespace, report: ChangeReport) -> _Plan:
    from quota_verifier.diff.subject import reading_queue, subject_of
    from quota_verifier.scheduler import assume

    subject = subject_of(report, args.queue)
    workload = read(args, args.workload, reading_queue(subject))
    return _Plan(subject, workload, timing_of(args), assume(args.assume), args.until)


def _from_policy(args: Namespace, report: ChangeReport) -> _Plan:
    from quota_verifier.diff.subject import reading_queue, subject_of
    from quota_verifier.policy.policy import WorkloadPlan, read_policy
    from quota_verifier.scheduler import assume
    from quota_verifier.workload.options import TraceOptions

    if args.format is not None or trace_options(args, args.policy) != TraceOptions():
        raise InputError("the policy file says how its workload is read", source=args.policy, remedy="change it there")
    policy = read_policy(args.policy)
    subject = subject_of(report, args.queue or policy.queue)
    workload = policy.workload
    if isinstance(workload, WorkloadPlan):
        if workload.absent is not None:
            raise InputError(f"there is no {workload.absent}", source=policy.source, remedy="fetch the trace")
        workload = workload.load(reading_queue(subject))
    return _Plan(subject, workload, policy.timing, assume(args.assume, policy.assumptions), policy.until_ms)


def _run(args: Namespace, plan: _Plan) -> Experiment:
    from quota_verifier.cli.progress import progress
    from quota_verifier.diff.trial import experiment

    with progress("simulating") as done:
        return experiment(
            plan.subject,
            plan.workload,
            at_ms=args.at,
            timing=plan.timing,
            assumptions=plan.assumptions,
            until_ms=plan.until_ms,
            progress=done,
        )
