"""Running a CDK app for its templates, as the CDK's command line does, but without Node's command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from quota_verifier.documents import as_map, load_document
from quota_verifier.errors import InputError

_VIOLATED = "ValidationFailed"
"""What the CDK raises where a validation plugin finds an error, once the templates are written."""


def synthesise(app: Path, folder: Path) -> Path:
    """Run the Python file `app` so that it writes its cloud assembly to `folder`; that folder.

    The context of the cdk.json beside the app counts. An app whose own validation fails has templates all the
    same, and the tests say what is wrong with them. Raises InputError for an app that cannot be run.
    """
    if not app.is_file():
        raise InputError("there is no such app", source=str(app), remedy="set quota_app to the Python file of the app")
    if find_spec("aws_cdk") is None:
        raise InputError(
            "an app needs the CDK, which is not installed",
            source=str(app),
            remedy="pip install 'quota-shares[cdk]', or set quota_template to a template",
        )
    outdir = folder / "cdk.out"
    done = subprocess.run(  # noqa: S603 (the user's own app, with this Python)
        [sys.executable, app.name],
        cwd=app.parent,
        env={
            **os.environ,
            "CDK_OUTDIR": str(outdir),
            "CDK_CONTEXT_JSON": json.dumps(_context(app.parent / "cdk.json")),
            "CDK_VALIDATION": "false",  # the CDK's own checks take seconds and change no template
        },
        capture_output=True,
        text=True,
        check=False,
    )
    written = (outdir / "manifest.json").is_file()
    if done.returncode and not (written and _VIOLATED in done.stderr):
        raise InputError(
            f"the app exits with {done.returncode}: {_last_line(done.stderr)}",
            source=str(app),
            remedy=f"see `{Path(sys.executable).name} {app.name}`",
        )
    if not written:
        raise InputError("the app writes no templates", source=str(app), remedy="call app.synth() at its end")
    return outdir


def _context(file: Path) -> object:
    if not file.is_file():
        return {}
    return (as_map(load_document(file).data) or {}).get("context", {})


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"
