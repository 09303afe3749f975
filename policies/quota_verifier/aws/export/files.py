"""Files that an export consists of, and how they get into a directory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from quota_verifier.errors import InputError


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file: its name in the directory, its text, and whether it is a script to be run by its name."""

    name: str
    text: str
    executable: bool = False


def write_files(files: Iterable[ExportedFile], directory: str) -> tuple[Path, ...]:
    """Write `files` into `directory`, over older ones of the same names; make it where it is not there.

    Raises InputError for what cannot be written.
    """
    folder = Path(directory)
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            path = folder / file.name
            path.write_text(file.text, encoding="utf-8", newline="\n")
            if file.executable:
                path.chmod(path.stat().st_mode | 0o111)
            written.append(path)
    except OSError as error:
        place = str(error.filename or directory)
        raise InputError(f"cannot be written: {error.strerror}", source=place, remedy="name a directory") from None
    return tuple(written)
