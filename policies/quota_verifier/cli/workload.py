"""`quota-shares workload`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import TEMPLATE_HELP, add_json, add_queue_choice, duration, queue_of
from quota_verifier.cli.output import print_json, print_report, warn
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import add_trace, scaled, trace_options, whole
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.model import Queue
    from quota_verifier.workload import Workload
    from quota_verifier.workload.options import TraceOptions

USAGE = "FILE [--format F] [OPTIONS]"

_GUESSES: dict[str, tuple[object, str]] = {
    "timezone": ("UTC", "no --timezone: dates are read as UTC"),
    "shares": ({"*": "all"}, "no --map: all jobs count as those of one share"),
    "gpus_per_instance": (1, "no --gpus-per-instance: GPUs are counted, not instances"),
    "processors_per_instance": (1, "no --processors-per-instance: processors are counted, not instances"),
}
"""What an account of a trace may assume where nobody chose. A file to simulate may not."""


_COUNTED = (("gpus_per_instance", "GPU"), ("processors_per_instance", "processor"))


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="Trace or workload file; .gz and .zip are unpacked.")
    parser.add_argument(
        "--out", metavar="FILE", help="Write the jobs as a workload file; .json, .yaml or .csv decides the form."
    )
    parser.add_argument("--template", metavar="TEMPLATE", help=f"Check names and load against it. {TEMPLATE_HELP}")
    add_queue_choice(parser)
    parser.add_argument(
        "--capacity",
        metavar="UNIT=N",
        action="append",
        default=[],
        type=checked(_capacity),
        help="Instances of a unit, to state the offered load without a template; may be repeated.",
    )
    parser.add_argument(
        "--span", metavar="TIME", type=checked(duration), help="How long the jobs stand for; by default their arrivals."
    )
    add_json(parser)
    add_trace(parser)


def run(args: Namespace) -> int:
    """Read a trace, account for its rows, and write it where asked to."""
    from quota_verifier.report.workload_document import workload_document
    from quota_verifier.workload.load import offered_load

    queue = queue_of(args) if args.template else None
    environment = queue or _environment(args)
    workload, assumed = _read(args, queue)
    workload = scaled(args, workload)
    loads = offered_load(workload, environment, args.span)
    document = workload_document(workload, loads, args.span, assumed)
    warn(document["warnings"])
    if args.out:
        _write(workload, args.out)
    if args.json:
        print_json(document)
    else:
        from quota_verifier.report.workload_text import workload_report

        print_report(workload_report(document, loads))
    return 0


def _read(args: Namespace, queue: Queue | None) -> tuple[Workload, tuple[str, ...]]:
    """The workload, and what was assumed for an account of it because nobody chose."""
    from quota_verifier.workload.files import read_workload, reader_of

    options = trace_options(args, args.file)
    units = [unit for unit, _ in args.capacity]
    if options.unit is None and len(units) == 1:
        options = options.model_copy(update={"unit": units[0]})
    needs = [] if args.out else [name for name, _ in reader_of(args.file, args.format).needs]
    missing = [name for name in needs if name in _GUESSES and getattr(options, name) is None]
    guesses: dict[str, object] = {name: _GUESSES[name][0] for name in missing}
    counted = next((unit for name, unit in _COUNTED if name in missing), None)
    if counted and queue is None and options.unit is None and options.units is None:
        guesses["unit"] = counted
    options = options.model_copy(update=guesses)
    assumed = tuple(_GUESSES[name][1] for name in missing)
    try:
        return read_workload(args.file, queue=queue, format=args.format, options=options), assumed
    except InputError as error:
        if args.out or queue or options.unit is not None:
            raise
        return _read_again(args, options.model_copy(update={"unit": "instance"}), error), assumed


def _read_again(args: Namespace, options: TraceOptions, first: InputError) -> Workload:
    """The workload with a unit made up. Raises the first error where that was not what is wrong."""
    from quota_verifier.workload.files import read_workload

    try:
        return read_workload(args.file, format=args.format, options=options)
    except InputError:
        raise first from None


def _environment(args: Namespace) -> Queue:
    """A queue of which nothing but the capacity is known. Raises InputError for a unit given twice."""
    from quota_verifier.model import Environment, Queue

    limits = dict(args.capacity)
    if len(limits) < len(args.capacity):
        raise InputError("a unit is given twice", source="--capacity", remedy="give each once")
    return Queue(Environment(limits), ())


def _write(workload: Workload, path: str) -> None:
    from quota_verifier.workload.write import write_workload

    write_workload(workload, path)


def _capacity(text: str) -> tuple[str, int]:
    unit, equals, count = text.rpartition("=")
    if not equals or not unit:
        raise InputError(f"{text!r} is not UNIT=N", remedy="write ml.g5.xlarge=10")
    return unit, whole(count)
