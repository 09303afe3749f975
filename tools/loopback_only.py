"""Runs a Python program that cannot reach anything but this computer.

    python tools/loopback_only.py SCRIPT ARGUMENTS
    python tools/loopback_only.py -m MODULE ARGUMENTS

Refused before any of its own code runs: each connection, datagram and look-up that leads elsewhere. Because programs
may swallow the OSError, each refusal is also a line on standard error that begins with REFUSED.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

REFUSED = "loopback_only refused "

_HERE = frozenset({"127.0.0.1", "::1", "localhost", "", "None"})
_NAMED_FIRST = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
_ADDRESSED = frozenset({"socket.connect", "socket.sendto"})


def _host(event: str, arguments: tuple[object, ...]) -> object:
    """What host a socket event is about; None where it is about none."""
    if event in _NAMED_FIRST:
        return arguments[0]
    if event in _ADDRESSED and isinstance(arguments[1], tuple):  # a Unix socket's address is a path
        return arguments[1][0]
    return None


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    host = _host(event, arguments)
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name not in _HERE:
        print(f"{REFUSED}{name}", file=sys.stderr, flush=True)
        raise OSError(f"{name} is not this computer")


def main() -> None:
    """Run what the command line names, as Python would."""
    sys.addaudithook(_watch)
    del sys.argv[0]
    if sys.argv[0] == "-m":
        del sys.argv[0]
        sys.path[0] = str(Path.cwd())
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
