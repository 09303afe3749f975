"""The notebook runs with the SageMaker Python SDK, and the outputs kept in it are those of a run."""

from __future__ import annotations

import base64
from typing import Any

import nbformat
import pytest
from sdk_environment import need_sdk
from tools.run_notebook import NOTEBOOK, run_notebook

REFRESH = "run python tools/run_notebook.py and read the difference"
PNG = b"\x89PNG\r\n\x1a\n"

pytestmark = pytest.mark.xdist_group("sagemaker notebook")


@pytest.fixture(scope="module")
def kept() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def ran() -> Any:
    need_sdk()
    return run_notebook()


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def told(notebook: Any) -> list[tuple[str, str]]:
    """Each output as text, with the stream it went to; a picture is told by its size."""
    return [
        (
            output.get("name", output["output_type"]),
            output["text"] if "text" in output else output["data"]["text/plain"],
        )
        for output in outputs(notebook)
    ]


def shown(notebook: Any) -> list[str]:
    """What the steps of the scenario print of the jobs."""
    return [text for _, text in told(notebook) if "priority" in text and "preempted" in text]


def statuses(step: str) -> dict[str, str]:
    return {line.split()[0]: line.split()[4] for line in step.splitlines()}


def test_the_outputs_kept_in_the_notebook_are_those_of_a_run(kept: Any, ran: Any) -> None:
    assert told(kept) == told(ran), REFRESH


def test_every_cell_has_run_in_order_and_has_nothing_to_complain_of(kept: Any, ran: Any) -> None:
    for notebook in (kept, ran):
        counts = [cell["execution_count"] for cell in notebook.cells if cell["cell_type"] == "code"]
        assert counts == list(range(1, len(counts) + 1))
        assert {stream for stream, _ in told(notebook)} == {"stdout", "display_data"}


def test_there_is_a_picture_in_it(kept: Any, ran: Any) -> None:
    for notebook in (kept, ran):
        pictures = [
            output["data"]["image/png"] for output in outputs(notebook) if "image/png" in output.get("data", {})
        ]
        assert [base64.b64decode(picture)[:8] for picture in pictures] == [PNG]


def test_each_step_ends_as_aws_says(ran: Any) -> None:
    waits, runs = "RUNNABLE", "RUNNING"
    assert [statuses(step) for step in shown(ran)] == [
        {"high": runs, "med": runs, "low": waits},
        {"high": runs, "med": waits, "low": waits, "qs2_job_1": runs},
        {"high": waits, "med": waits, "low": runs, "qs2_job_1": runs},
    ]


def test_the_run_through_the_sdk_is_the_one_predicted(ran: Any) -> None:
    texts = [text for _, text in told(ran)]
    assert "the same runs: True\n" in texts
    assert any("med           0s to  10s  Cross-share preemption" in text for text in texts)
    assert any("high          0s to  20s  In-share preemption" in text for text in texts)
