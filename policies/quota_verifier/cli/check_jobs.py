"""`quota-shares check-jobs`."""

from __future__ import annotations

from argparse import Namespace

from quota_verifier.cli.arguments import add_json, add_queue, queue_of
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser
from quota_verifier.cli.trace_arguments import add_trace, read

USAGE = "TEMPLATE --workload FILE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_queue(parser)
    parser.add_argument("--workload", metavar="FILE", required=True, help="Workload file (JSON, YAML, CSV) or trace.")
    add_json(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Check how classes of jobs are set up; 1 where one of them cannot work."""
    from quota_verifier.job_classes import check_job_classes
    from quota_verifier.report.job_classes_document import job_classes_document, job_classes_report

    queue = queue_of(args)
    workload = read(args, args.workload, queue)
    warn(workload.warnings)
    findings = check_job_classes(queue, workload.jobs, workload.updates)
    document = job_classes_document(queue.name, args.workload, len(workload.jobs), findings)
    if args.json:
        print_json(document)
    else:
        print_report(job_classes_report(document))
    return int(any(finding.severity == "error" for finding in findings))
