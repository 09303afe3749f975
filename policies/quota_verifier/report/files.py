"""Report files by their ending: one row of WRITERS for each form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_verifier.report.record import Report

Writer = Callable[["Report", BinaryIO], None]
"""Writes a report to a file. It imports what is heavy only when it is called."""


def _json(report: Report, file: BinaryIO) -> None:
    from quota_verifier.report.json_file import write_json

    write_json(report, file)


def _html(report: Report, file: BinaryIO) -> None:
    from quota_verifier.report.html.write import write_html

    write_html(report, file)


WRITERS: dict[str, Writer] = {
    ".html": _html,
    ".json": _json,
}
"""The writer for each ending, in lower case; of two that fit a name the longer one decides."""


def check_report(path: str) -> str:
    """`path`, if a report can be written there. Raises InputError for an ending or a folder that is not known."""
    _writer(path)
    if Path(path).is_dir():
        raise InputError(f"{path} is a directory", remedy="name a file in it")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"{path}: no such directory", remedy="make it first")
    return path


def write_report(report: Report, path: str) -> None:
    """Write `report` in the form that the ending of `path` names. Raises InputError where it cannot be written.

    Whatever happens, the file holds what it held before, or the whole report.
    """
    write = _writer(path)
    target = Path(path)
    new = target.with_name(f".{target.name}.new")
    try:
        with new.open("wb") as file:
            write(report, file)
        new.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=path) from None
    finally:
        new.unlink(missing_ok=True)


def _writer(path: str) -> Writer:
    name = Path(path).name.lower()
    for ending in sorted(WRITERS, key=len, reverse=True):
        if name.endswith(ending) and name != ending:
            return WRITERS[ending]
    raise InputError(f"{path}: no form of report has this ending", remedy=f"end the name in {', '.join(WRITERS)}")
