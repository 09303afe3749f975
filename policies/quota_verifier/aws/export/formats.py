"""The table of formats. To add one: a module beside this one, and a row here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from quota_verifier.aws.export.files import ExportedFile
    from quota_verifier.template.declaration import Declaration

FORMATS: Mapping[str, str] = {
    "aws-cli": "aws_cli",
    "console": "console",
    "boto3": "boto3_code",
    "cloudformation": "cloudformation",
}
"""Formats, and the module of each; loaded only when it is asked for, so that help stays fast."""


class FormatModule(Protocol):
    """What the module of a format provides."""

    def export(self, declaration: Declaration) -> tuple[ExportedFile, ...]:
        """The files that write `declaration` down."""
        ...


def exported(declaration: Declaration, form: str) -> tuple[ExportedFile, ...]:
    """The files that write `declaration` down in a format of FORMATS."""
    return cast("FormatModule", import_module(f"{__package__}.{FORMATS[form]}")).export(declaration)
