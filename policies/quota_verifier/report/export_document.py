"""The document of `export`: the files, with their text."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from quota_verifier.aws.export.files import ExportedFile
from quota_verifier.template.declaration import Declaration


class FileDocument(TypedDict):
    """A file; `executable` marks a script that is run by its name."""

    name: str
    text: str
    executable: bool


class ExportDocument(TypedDict):
    """What `quota-shares export --json` prints."""

    format: str
    queue: str
    files: list[FileDocument]


def export_document(declaration: Declaration, form: str, files: Sequence[ExportedFile]) -> ExportDocument:
    """The document about the files that write `declaration` down."""
    return {
        "format": form,
        "queue": declaration.queue.name,
        "files": [{"name": file.name, "text": file.text, "executable": file.executable} for file in files],
    }
