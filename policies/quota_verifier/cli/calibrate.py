"""`quota-shares calibrate`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import add_json, add_timing, duration, timing_of
from quota_verifier.cli.live_arguments import LIVE_QUEUE_HELP, add_connection, client_of, jobs_of, refuse_connection
from quota_verifier.cli.output import print_json, print_report
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.aws.live.past_jobs import History
    from quota_verifier.model import Queue, Update
    from quota_verifier.scheduler import Timing
    from quota_verifier.workload import Workload

_PROFILES = 18
"""The least that are tried: the default one, and each single alternative."""

USAGE = "--queue NAME | --history FILE --queue-file FILE [OPTIONS]"


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("--queue", metavar="NAME", help=LIVE_QUEUE_HELP)
    parser.add_argument("--history", metavar="FILE", help="Jobs that quota-shares import wrote (history.json).")
    parser.add_argument("--queue-file", metavar="FILE", help="The queue that they ran in: queue file or template.")
    parser.add_argument(
        "--updates",
        metavar="FILE",
        help="Workload file with the updates that were made meanwhile, timed from the first submission: AWS keeps"
        " neither former priorities nor former limits.",
    )
    parser.add_argument(
        "--tolerance",
        metavar="TIME",
        type=checked(duration),
        help="By how much a start may be off and still be told right. By default 1s and the spread of the startups.",
    )
    add_timing(parser)
    add_connection(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Replay a history, and tell which assumptions fit it best."""
    from quota_verifier.aws.live.calibrate import calibrate
    from quota_verifier.cli.progress import progress

    queue, history = _saved(args) if args.history else _live(args)
    with progress("replaying") as done:
        found = calibrate(
            queue,
            history,
            updates=_updates(args, queue),
            timing=_timing(args, history),
            tolerance_ms=args.tolerance,
            progress=None if done is None else lambda count: done(count, max(count, _PROFILES)),
        )
    if args.json:
        from quota_verifier.report.calibrate_document import calibrate_document

        print_json(calibrate_document(found))
    else:
        from quota_verifier.report.calibrate_text import calibrate_report

        print_report(calibrate_report(found))
    return 0


def _saved(args: Namespace) -> tuple[Queue, History]:
    from quota_verifier.aws.live.past_jobs import history_of, read_history
    from quota_verifier.template.reader import read_queue

    if args.queue is not None:
        raise InputError("--queue and --history", source="--queue", remedy="give one of the two")
    if args.queue_file is None:
        raise InputError("which queue did these jobs run in?", source="--history", remedy="give --queue-file")
    refuse_connection(args, "a history from a file asks nobody")
    return read_queue(args.queue_file), history_of(read_history(args.history), args.history)


def _live(args: Namespace) -> tuple[Queue, History]:
    from quota_verifier.aws.live.deployed import deployed_queue
    from quota_verifier.aws.live.past_jobs import history_of

    if args.queue is None:
        raise InputError("which history?", source="calibrate", remedy="give --queue, or --history and --queue-file")
    if args.queue_file is not None:
        raise InputError("--queue and --queue-file", source="--queue-file", remedy="give it with --history alone")
    client = client_of(args)
    queue = deployed_queue(client, args.queue)
    return queue, history_of(jobs_of(client, queue), queue.source)


def _timing(args: Namespace, history: History) -> Timing | None:
    """What the arguments say, and what was measured for the rest; None where they say nothing."""
    if not (args.startup or args.stop or args.restore):
        return None
    from quota_verifier.aws.live.measured import measured_timing
    from quota_verifier.scheduler import Timing

    given, measured = timing_of(args), measured_timing(history).timing
    return Timing(given.startup if args.startup else measured.startup, given.stop if args.stop else measured.stop)


def _updates(args: Namespace, queue: Queue) -> Callable[[Workload], Sequence[Update]] | None:
    if args.updates is None:
        return None
    from quota_verifier.aws.live.changes import read_updates

    return lambda workload: read_updates(args.updates, workload, queue)
