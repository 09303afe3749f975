"""`quota-shares`: find the command, run it, and turn whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

from quota_verifier.cli.commands import COMMANDS, Command
from quota_verifier.errors import InputError

HOLDS: Final = 0
VIOLATED: Final = 1
BAD_INPUT: Final = 2
A_BUG: Final = 70
"""EX_SOFTWARE of sysexits.h: an exception that nobody foresaw, shown with its traceback."""
CANNOT_WRITE: Final = 74
"""EX_IOERR of sysexits.h: standard output does not take what is written to it."""
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141
"""What a shell reports for a program that SIGPIPE ended, as in `quota-shares simulate ... | head`."""

SUMMARY = "Check AWS Batch quota shares against workloads and policies, before they are deployed."
USAGE = "quota-shares COMMAND [ARGUMENTS]"
EXIT_CODES = "Exit codes: 0 holds or clean, 1 a claim does not hold or an error was found, 2 bad input."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line, `sys.argv` where none is given, and return its exit code.

    Bad input gives one line on standard error and 2; a bug its traceback and 70.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character gets its escape
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _dispatch(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except InputError as error:
        code = _complain(str(error), BAD_INPUT)
    except SystemExit as stop:  # argparse, once it has printed help
        code = int(stop.code or HOLDS)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        code = NOBODY_READS
    except OSError as error:
        code = _unwritable(error)
    except Exception:  # noqa: BLE001 (the outermost frame: a bug must not look like a violated policy)
        traceback.print_exc()
        code = _complain("this is a bug in quota-shares, not in its input; please report the lines above", A_BUG)
    return code


def overview() -> str:
    """The help of `quota-shares` itself."""
    width = max(len(command.name) for command in COMMANDS)
    rows = "\n".join(f"  {command.name:<{width}}  {command.summary}" for command in COMMANDS)
    see = "quota-shares COMMAND --help tells what a command takes."
    return f"Usage: {USAGE}\n\n{SUMMARY}\n\nCommands:\n{rows}\n\n{see}\n{EXIT_CODES}\n"


def _dispatch(words: list[str]) -> int:
    if not words:
        raise InputError("no command given", source="quota-shares", remedy="see quota-shares --help")
    name, rest = words[0], words[1:]
    if name in ("--help", "-h", "help"):
        sys.stdout.write(overview())
        return HOLDS
    command = _command("version" if name == "--version" else name)
    return command.load().run(command.parser().parse(rest))


def _command(name: str) -> Command:
    for command in COMMANDS:
        if command.name == name:
            return command
    from quota_verifier.words import did_you_mean

    what = "option" if name.startswith("-") else "command"
    remedy = did_you_mean(name, [command.name for command in COMMANDS])
    raise InputError(f"unknown {what} {name!r}", source="quota-shares", remedy=remedy)


def _complain(text: str, code: int) -> int:
    print(f"error: {' '.join(text.splitlines())}", file=sys.stderr)
    return code


def _unwritable(error: OSError) -> int:
    """A file that no reader foresaw as bad, or standard output that takes nothing more."""
    if error.filename is not None:
        return _complain(f"{error.filename}: {error.strerror}", BAD_INPUT)
    _abandon_stdout()
    return _complain(f"cannot write the output: {error.strerror or error}", CANNOT_WRITE)


def _abandon_stdout() -> None:
    """Let the interpreter's last flush go nowhere instead of failing once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
