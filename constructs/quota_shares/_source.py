"""The line of the user's program that made a construct: reports of the CDK have none for Python."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import jsii
from constructs import Construct, IConstruct

SOURCE_METADATA = "quota-shares:source"
"""Key of the construct metadata that holds `file:line`."""

_OURS = tuple(f"{Path(module).parent}{os.sep}" for module in (__file__, jsii.__file__))


def caller() -> str:
    """`file:line` of the nearest frame outside this package, relative to the working directory."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    if frame is None:
        return "unknown"
    file = Path(frame.f_code.co_filename)
    here = Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    return f"{shown.as_posix()}:{frame.f_lineno}"


def record_source(construct: Construct) -> None:
    """Keep the caller's line in the construct's metadata, where `source_of` finds it."""
    construct.node.add_metadata(SOURCE_METADATA, caller())


def source_of(construct: IConstruct) -> str | None:
    """`file:line` of the user's code that made this construct or the nearest of ours around it, else None.

    Takes any construct, so the L1 resource that a validation report names leads to the line too.
    """
    for node in reversed(construct.node.scopes):
        for entry in node.node.metadata:
            if entry.type == SOURCE_METADATA:
                return str(entry.data)
    return None
