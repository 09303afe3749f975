"""argparse with our manners: one line for a mistake, the same help text on every Python version.

argparse because `--policy A B C` is part of the contract, and because it starts in milliseconds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from quota_verifier.errors import InputError
from quota_verifier.words import did_you_mean

HELP_WIDTH = 100


class Parser(argparse.ArgumentParser):
    """A parser that raises InputError for bad arguments, guesses what was meant, and takes no abbreviations."""

    def __init__(self, prog: str, *, usage: str, description: str) -> None:
        super().__init__(
            prog=prog,
            usage=f"{prog} {usage}",
            description=description,
            formatter_class=_Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.color = False  # argparse colours help from Python 3.14 on
        self.add_argument("-h", "--help", action="help", help="Show this text.")

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments. Raises InputError."""
        argument, colon, told = message.removeprefix("argument ").partition(": ")
        see = f"see {self.prog} --help"
        if message.startswith("argument ") and colon:
            raise InputError(told, source=self.prog, where=argument, remedy="" if "; " in told else see)
        raise InputError(message, source=self.prog, remedy=f"usage: {self.usage}" if "required" in message else see)

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """The arguments. Raises InputError for the first mistake in them."""
        try:
            args, unknown = self.parse_known_args(argv)
        except InputError as error:
            self._guess(word for word in argv if word.startswith("--"))
            raise error from None
        if unknown:
            self._guess(unknown)
            self.error(f"unexpected argument {unknown[0]!r}")
        return args

    def _guess(self, words: Iterable[str]) -> None:
        """Refuse the first of `words` that looks like an option and is none."""
        known = [name for action in self._actions for name in action.option_strings]
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("-") and option.strip("-") and option not in known:
                guess = did_you_mean(option, sorted(known))
                raise InputError(f"unknown option {option}", source=self.prog, remedy=guess)


class _Formatter(argparse.HelpFormatter):
    """Help of a fixed width in a fixed form, so that the reference page is the help itself."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=HELP_WIDTH)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """`--map, --shares GROUP=SHARE`, as Python 3.13 writes it."""
        if not action.option_strings:
            return super()._format_action_invocation(action)
        value = "" if action.nargs == 0 else " " + self._format_args(action, action.dest.upper())
        return ", ".join(action.option_strings) + value


def checked(read: Callable[[str], object]) -> Callable[[str], object]:
    """`read` as an argument's type: its InputError becomes the message about that argument."""

    def value(text: str) -> object:
        try:
            return read(text)
        except InputError as error:
            told = f"{error.problem}; {error.remedy}" if error.remedy else error.problem
            raise argparse.ArgumentTypeError(told) from None

    return value


def one_of(*words: str) -> Callable[[str], object]:
    """An argument that takes one of `words`."""

    def read(text: str) -> str:
        if text not in words:
            raise InputError(f"{text!r} is not known", remedy=f"write one of {', '.join(words)}")
        return text

    return checked(read)
