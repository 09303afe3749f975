"""Runs examples/three_shares.ipynb in .venv-sagemaker and keeps its outputs.

Run `python tools/run_notebook.py` after a change of the notebook or of what it shows, and read the difference: a test
compares the outputs kept in it with those of a run.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "three_shares.ipynb"
PYTHON = ROOT / ".venv-sagemaker" / "bin" / "python"
GUARD = ROOT / "tools" / "loopback_only.py"
KERNEL = "quota-shares-sagemaker"


def run_notebook() -> Any:  # noqa: ANN401 (nbformat's notebooks have no type)
    """The notebook with the outputs of a run of now, which cannot reach anything but this computer.

    Raises CellExecutionError where a cell fails.
    """
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        kernel = Path(folder, "kernels", KERNEL)
        kernel.mkdir(parents=True)
        argv = [str(PYTHON), str(GUARD), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        (kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": KERNEL, "language": "python"}))
        before = os.environ.get("JUPYTER_PATH")
        os.environ["JUPYTER_PATH"] = folder
        try:
            place = {"metadata": {"path": str(NOTEBOOK.parent)}}
            NotebookClient(
                notebook, timeout=180, kernel_name=KERNEL, resources=place, record_timing=False, coalesce_streams=True
            ).execute()
        finally:
            os.environ.pop("JUPYTER_PATH")
            if before is not None:
                os.environ["JUPYTER_PATH"] = before
    return notebook


def main() -> None:
    """Run it and write it back."""
    notebook = run_notebook()
    notebook.metadata.pop("language_info", None)  # the kernel's version is not the notebook's
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    main()
