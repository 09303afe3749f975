"""Reading a workload from any file that a format is known for."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.validation import did_you_mean
from quota_verifier.workload.options import TraceOptions, TraceSpec
from quota_verifier.workload.readers.reader import Reader
from quota_verifier.workload.readers.table_of_formats import FORMATS
from quota_verifier.workload.rescale import rescale
from quota_verifier.workload.sources import plain_suffix
from quota_verifier.workload.workload import Workload

_DEFAULTS = TraceOptions()


def read_workload(
    path: str | Path,
    *,
    queue: Queue | None = None,
    format: str | None = None,  # noqa: A002 (the word of policy files and of the command)
    options: TraceOptions = _DEFAULTS,
) -> Workload:
    """The workload in a file: a workload file (JSON, YAML, CSV) or a trace in one of `FORMATS`.

    Without `format` the file's ending decides, `.gz` and `.zip` aside. With `queue` the names of shares and
    units are checked, and its only unit is the one that traces and `instances` mean. Raises InputError for
    the first mistake, with file, line and remedy.
    """
    reader = reader_of(path, format)
    reader.check_options(options, str(path))
    with _collector_paused():
        return reader.read(Path(path), options, queue)


@contextmanager
def _collector_paused() -> Generator[None]:
    """No search for reference cycles meanwhile: many jobs are made, none in a cycle, and it takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_trace(spec: TraceSpec, *, base: Path, queue: Queue | None = None) -> Workload:
    """The workload that a policy file's `trace` names; its path is relative to `base`. Raises InputError."""
    workload = read_workload(base / spec.file, queue=queue, format=spec.format, options=spec)
    return workload if spec.scale is None else rescale(workload, spec.scale)


def reader_of(path: str | Path, name: str | None = None) -> Reader:
    """The format called `name`, else the one that the file's ending tells. Raises InputError."""
    if name is not None:
        if name not in FORMATS:
            raise InputError(f"no format is called {name!r}", source=str(path), remedy=did_you_mean(name, FORMATS))
        return FORMATS[name]
    ending = plain_suffix(path)
    for reader in FORMATS.values():
        if ending in reader.endings:
            return reader
    raise InputError(
        f"the ending {ending!r} does not tell the format" if ending else "the name has no ending",
        source=str(path),
        remedy=f"name the format: {', '.join(FORMATS)}",
    )
