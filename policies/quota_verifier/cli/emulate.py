"""`quota-shares emulate`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from quota_verifier.cli.arguments import (
    TEMPLATE_HELP,
    add_assumptions,
    add_json,
    add_queue_choice,
    add_timing,
    assumptions_of,
    duration,
    timing_of,
)
from quota_verifier.cli.parser import Parser, checked
from quota_verifier.cli.trace_arguments import whole
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.aws.emulator.account import EventSink
    from quota_verifier.aws.emulator.start import Start

USAGE = "[TEMPLATE] [OPTIONS]"
STOP = "20s"
"""What AWS's own event of a preemption shows."""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("template", metavar="TEMPLATE", nargs="?", help=f"Deployed at the start. {TEMPLATE_HELP}")
    add_queue_choice(parser)
    parser.add_argument("--port", metavar="N", type=checked(_port), default=4510, help="Port, 0 for any. Default 4510.")
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="Address to listen on. Default 127.0.0.1: this computer."
    )
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--speed", metavar="N", type=checked(whole), default=1, help="N times as fast as real time.")
    clock.add_argument(
        "--stepped", action="store_true", help="Let time stand still until POST /_emulator/advance moves it."
    )
    parser.add_argument(
        "--work",
        metavar="TIME",
        type=checked(duration),
        default=600_000,
        help="How long a job works that does not tell by its tag quota-shares:work. Default 10m.",
    )
    parser.add_argument("--state", metavar="FILE", help="Keep the state in this file (SQLite), and go on from it.")
    parser.add_argument("--events", metavar="FILE", help="Append events as JSON lines; - is standard output.")
    parser.add_argument("--region", metavar="NAME", default="us-east-1", help="Region in ARNs. Default us-east-1.")
    parser.add_argument(
        "--account", metavar="ID", default="123456789012", help="Account in ARNs. Default 123456789012."
    )
    add_timing(parser)
    add_assumptions(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Serve until interrupted."""
    try:
        from quota_verifier.aws.emulator.server import listen, serve
        from quota_verifier.aws.emulator.start import start
    except ImportError as error:
        raise InputError(
            f"the emulator needs {error.name}", source="emulate", remedy="pip install 'quota-shares[emulator]'"
        ) from None

    emulator = start(_start(args), _events(args))
    listening = listen(args.host, args.port)

    def prepare(url: str) -> None:
        if args.template:
            raise InputError("deploying a template is not there yet", source="emulate", remedy="leave it out")

    def ready(url: str) -> None:
        text = json.dumps({"url": url}) if args.json else f"quota-shares emulate: serving AWS Batch at {url}"
        print(text, flush=True)

    try:
        serve(emulator, listening, prepare, ready)
    finally:
        emulator.close()
    return 0


def _start(args: Namespace) -> Start:
    from quota_verifier.aws.emulator.account import Settings
    from quota_verifier.aws.emulator.identity import Identity
    from quota_verifier.aws.emulator.start import STEPPED, Start

    args.stop = args.stop or [("", duration(STOP))]
    identity = Identity(args.region, args.account)
    settings = Settings(assumptions_of(args), timing_of(args), args.work, identity)
    return Start(settings, STEPPED if args.stepped else args.speed, args.state)


def _events(args: Namespace) -> EventSink | None:
    if args.events is None:
        return None
    out = sys.stdout if args.events == "-" else open(args.events, "a", encoding="utf-8")  # noqa: SIM115

    def deliver(event: dict[str, object]) -> None:
        print(json.dumps(event), file=out, flush=True)

    return deliver


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > 65535:
        raise InputError(f"{text!r} is not a port", remedy="write a number such as 4510, or 0 for any")
    return int(text)
