"""A progress bar on standard error, for runs that take long and somebody who watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic

PATIENCE_S = 1.0
"""A run that is over sooner shows no bar."""


@contextmanager
def progress(what: str) -> Generator[Callable[[int, int], None] | None]:
    """A function to tell how many are done and of how many; None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    started = monotonic()
    with Progress(
        console=Console(file=sys.stderr), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task(what, total=None, visible=False)

        def done(count: int, total: int) -> None:
            bar.update(task, completed=count, total=total, visible=monotonic() - started > PATIENCE_S)

        yield done
