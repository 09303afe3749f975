"""The one error that bad input raises, whatever the input was."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used: what is wrong, where, and what would be right.

    The command line prints it as one line and exits with code 2. `where` names the place inside the
    source: a line (`line 12`), a logical id, a field path such as `shares[1].limits`.
    """

    def __init__(self, problem: str, *, source: str = "", where: str = "", remedy: str = "") -> None:
        self.problem = problem
        self.source = source
        self.where = where
        self.remedy = remedy
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        head = ": ".join(part for part in (self.source, self.where) if part)
        text = f"{head}: {self.problem}" if head else self.problem
        return f"{text}; {self.remedy}" if self.remedy else text

    def within(self, source: str) -> InputError:
        """The same error, with the file or argument it came from where none was known yet."""
        if self.source:
            return self
        return InputError(self.problem, source=source, where=self.where, remedy=self.remedy)
