"""Arguments that say how a trace or workload file is read, in the words of policy files."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import pair, pairs
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.model import Queue
    from quota_verifier.workload import Workload
    from quota_verifier.workload.options import TraceOptions

_PLAIN = (
    ("timezone", "ZONE", "Zone of dates that name none: an IANA name, UTC, or an offset such as +01:00."),
    ("unit", "UNIT", "Instance type of jobs that name none; by default the queue's only one."),
    ("group_by", "FIELD", "Field that is the group, where a format has several: user, account, queue, type, ..."),
    ("recording_start", "TIME", "Submit time that means 'before the recording'; such jobs are skipped."),
    ("capacity_file", "FILE", "CSV of GPUs by day and virtual cluster (Helios)."),
    ("checkpoint", "TIME", "Checkpoint interval of every job."),
    ("submitted_since", "TIME", "Take jobs submitted from here on: a duration after the first job, or a date."),
    ("submitted_until", "TIME", "Take jobs submitted before this."),
)
_COUNTS = (
    ("gpus_per_instance", "GPUs of one instance, where the trace counts GPUs."),
    ("processors_per_instance", "Processors of one instance, where the trace counts processors."),
)
_MAPS = (
    (("--map", "--shares"), "GROUP=SHARE", "Share of a group of the trace; '*' is every other group."),
    (("--units",), "MODEL=UNIT", "Instance type of a GPU model of the trace; '*' is every other model."),
    (("--priorities",), "RANK=N", "Priority of a job type or QoS of the trace; '*' is every other one."),
    (("--columns",), "OURS=THEIRS", "Our column and the heading it has in a CSV, such as submit=arrival."),
)


def add_trace(parser: Parser) -> None:
    """`--format` and the choices that formats leave open."""
    group = parser.add_argument_group("how the file is read")
    group.add_argument("--format", metavar="F", help="Format of the file, where its ending does not tell.")
    for names, metavar, text in _MAPS:
        group.add_argument(
            *names, metavar=metavar, nargs="+", action="extend", default=[], type=checked(pair), help=text
        )
    for name, metavar, text in _PLAIN:
        group.add_argument(f"--{name.replace('_', '-')}", metavar=metavar, help=text)
    for name, text in _COUNTS:
        group.add_argument(f"--{name.replace('_', '-')}", metavar="N", type=checked(whole), help=text)
    group.add_argument(
        "--scale",
        metavar="WHAT=FACTOR",
        nargs="+",
        action="extend",
        default=[],
        type=checked(_factor),
        help="More or fewer jobs, or faster arrivals: load=1.2, time=2 or thin=0.5; and seed=N for other draws.",
    )


def trace_options(args: Namespace, source: str) -> TraceOptions:
    """The options that the arguments choose. Raises InputError, about the file `source`."""
    from quota_verifier.validation import validate_file
    from quota_verifier.workload.options import TraceOptions

    names = [*(name for name, _, _ in _PLAIN), *(name for name, _ in _COUNTS)]
    given = {name.removeprefix("submitted_"): getattr(args, name) for name in names}
    given["shares"] = pairs(args.map, "--map") or None
    given["columns"] = pairs(args.columns, "--columns") or None
    given["units"] = pairs(args.units, "--units") or None
    ranks = pairs(args.priorities, "--priorities")
    given["priorities"] = {rank: int(text) if text.isdecimal() else text for rank, text in ranks.items()} or None
    return validate_file(TraceOptions, {name: value for name, value in given.items() if value is not None}, source)


def read(args: Namespace, path: str, queue: Queue | None) -> Workload:
    """The workload in `path`, read as the arguments say. Raises InputError."""
    from quota_verifier.workload.files import read_workload

    options = trace_options(args, path)
    return scaled(args, read_workload(path, queue=queue, format=args.format, options=options))


def scaled(args: Namespace, workload: Workload) -> Workload:
    """`workload` as `--scale` changes it. Raises InputError."""
    factors = pairs(args.scale, "--scale")
    if not factors:
        return workload
    from quota_verifier.validation import validate_file
    from quota_verifier.workload.rescale import rescale
    from quota_verifier.workload.scale_spec import ScaleSpec

    return rescale(workload, validate_file(ScaleSpec, factors, "--scale"))


def _factor(text: str) -> tuple[str, float]:
    name, value = pair(text)
    try:
        return name, int(value) if value.isdecimal() else float(value)
    except ValueError:
        raise InputError(f"{value!r} is not a number", remedy="write a factor such as load=1.2") from None


def whole(text: str) -> int:
    """A whole number from 1 on. Raises InputError."""
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise InputError(f"{text!r} is not a whole number of 1 or more", remedy="write a number such as 8")
    return int(text)
