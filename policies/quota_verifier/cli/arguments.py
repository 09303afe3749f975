"""Arguments that several commands share, and what they mean."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from quota_verifier.cli.parser import Parser, checked, one_of
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.cost.prices import Prices
    from quota_verifier.model import Queue
    from quota_verifier.scheduler import Assumptions, Delay, Timing

V = TypeVar("V")

TEMPLATE_HELP = "CloudFormation template (JSON or YAML), directory written by cdk synth, or queue file."
FORMATS = ("text", "json", "sarif", "github")


def add_json(parser: Parser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="Print one JSON document instead of the report.")


def add_format(parser: Parser) -> None:
    """`--json` and `--format`: the form of what a check prints."""
    add_json(parser)
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=one_of(*FORMATS),
        help="What to print: text (the report), json, sarif (SARIF 2.1.0) or github (annotations).",
    )


def add_prices(parser: Parser) -> None:
    """`--prices`: what an instance-hour costs."""
    parser.add_argument(
        "--prices", metavar="FILE", help="Prices of an instance-hour by unit; without them nothing is said of money."
    )


def prices_of(args: Namespace) -> Prices | None:
    """The prices in the file that the arguments name. Raises InputError."""
    if args.prices is None:
        return None
    from quota_verifier.cost.prices import read_prices

    return read_prices(args.prices)


def add_report(parser: Parser) -> None:
    """`--report`: files to write a full report to."""
    from quota_verifier.report.files import WRITERS, check_report

    parser.add_argument(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        type=checked(check_report),
        help=f"Write a full report there, in the form of its ending ({', '.join(WRITERS)}); may be repeated.",
    )


def format_of(args: Namespace) -> str:
    """The one of FORMATS that the arguments choose. Raises InputError for `--json` beside another."""
    if args.json and args.format not in (None, "json"):
        raise InputError(f"--json and --format {args.format}", source="--format", remedy="give one of the two")
    return "json" if args.json else args.format or "text"


def add_queue(parser: Parser) -> None:
    """`TEMPLATE`, `--queue` and `--param`: which queue a command is about."""
    parser.add_argument("template", metavar="TEMPLATE", help=TEMPLATE_HELP)
    add_queue_choice(parser)


def add_queue_choice(parser: Parser) -> None:
    """`--queue` and `--param`."""
    parser.add_argument("--queue", metavar="NAME", help="The queue, where the template has more than one.")
    add_param(parser)


def add_param(parser: Parser) -> None:
    """`--param`."""
    parser.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=checked(pair),
        help="Value of a template parameter; may be repeated.",
    )


def add_assumptions(parser: Parser) -> None:
    """`--assume`: another answer to a question that AWS leaves open."""
    parser.add_argument(
        "--assume",
        metavar="ID=CHOICE",
        action="append",
        default=[],
        help="An answer to one of the open questions A1..A10, such as A1=skip; may be repeated.",
    )


def add_timing(parser: Parser) -> None:
    """`--startup`, `--stop` and `--restore`."""
    for name, what in (
        ("startup", "From dispatch to RUNNING"),
        ("stop", "How long a stopped job keeps its capacity"),
        ("restore", "Before the work of a run that resumes from a checkpoint"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="[UNIT=]TIME",
            action="append",
            default=[],
            type=checked(_delay),
            help=f"{what}, such as 90s, or ml.p5.48xlarge=10m for one unit; may be repeated. Default 0s.",
        )


def add_under(parser: Parser, default: str) -> None:
    """`--under`: the assumption profiles to judge under."""
    parser.add_argument(
        "--under",
        metavar="PROFILES",
        type=one_of("default", "one-at-a-time", "all"),
        help=f"Assumption profiles to judge under: default, one-at-a-time or all. {default}",
    )


def queue_of(args: Namespace) -> Queue:
    """The queue that the arguments name. Raises InputError where there is none."""
    from quota_verifier.template.reader import read_queue

    return read_queue(args.template, parameters=parameters_of(args), queue=args.queue)


def parameters_of(args: Namespace) -> dict[str, str]:
    """The template parameters that the arguments give. Raises InputError for one given twice."""
    return pairs(args.param, "--param")


def assumptions_of(args: Namespace) -> Assumptions:
    """The assumptions that the arguments choose. Raises InputError for an unknown one."""
    from quota_verifier.scheduler import assume

    return assume(args.assume)


def timing_of(args: Namespace) -> Timing:
    """The delays that the arguments choose."""
    from quota_verifier.scheduler import Timing

    return Timing(*(_delays(getattr(args, name), f"--{name}") for name in ("startup", "stop", "restore")))


def pairs(given: Iterable[tuple[str, V]], option: str) -> dict[str, V]:
    """NAME=VALUE arguments as a map. Raises InputError for a name given twice."""
    found: dict[str, V] = {}
    for name, value in given:
        if name in found:
            raise InputError(f"{name!r} is given twice", source=option, remedy="give it once")
        found[name] = value
    return found


def duration(text: str) -> int:
    """A duration argument in milliseconds. Raises InputError."""
    from quota_verifier.durations import parse_duration

    return parse_duration(text)


def day(text: str) -> date:
    """A date argument. Raises InputError."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is not a date", remedy="write it as 2026-12-31") from None


def pair(text: str) -> tuple[str, str]:
    """NAME=VALUE as two texts. Raises InputError."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InputError(f"{text!r} is not NAME=VALUE", remedy="write the name, an equals sign, and the value")
    return name, value


def _delay(text: str) -> tuple[str, int]:
    unit, equals, time = text.rpartition("=")
    if equals and not unit:
        raise InputError(f"{text!r} names no unit", remedy="write 90s, or ml.p5.48xlarge=10m")
    return unit, duration(time)


def _delays(given: Iterable[tuple[str, int]], option: str) -> Delay:
    from quota_verifier.scheduler import Delay

    by_unit: dict[str, int] = {}
    for unit, ms in given:
        if unit in by_unit:
            what = f"the time for {unit}" if unit else "the time for all units"
            raise InputError(f"{what} is given twice", source=option, remedy="give it once")
        by_unit[unit] = ms
    return Delay(by_unit.pop("", 0), by_unit)
