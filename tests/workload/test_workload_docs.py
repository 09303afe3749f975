"""The examples of docs/workloads.md are read as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quota_verifier.documents import parse_document
from quota_verifier.validation import FileModel, validate_document
from quota_verifier.workload import (
    FORMATS,
    GenerateSpec,
    TraceSpec,
    WorkloadFile,
    generate_workload,
    workload_from_data,
)
from quota_verifier.workload.generate_spec import JobClass
from quota_verifier.workload.schema import JobRow

PAGE = (Path(__file__).parents[2] / "docs" / "workloads.md").read_text("utf-8")
KINDS: dict[str, type[FileModel]] = {"workload": WorkloadFile, "trace": TraceSpec, "generate": GenerateSpec}
EXAMPLES = re.findall(r"```yaml\n# (\w+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("kind", "text"), EXAMPLES, ids=[kind for kind, _ in EXAMPLES])
def test_an_example_of_the_page_is_read_as_it_stands(kind: str, text: str) -> None:
    document = parse_document(text, source="docs/workloads.md")
    model = validate_document(KINDS[kind], document)
    if kind == "workload":
        assert len(workload_from_data(document.data).jobs) == 2
    if isinstance(model, GenerateSpec):
        unit = {"unit": "ml.g5.xlarge"}
        classes = tuple(kind.model_copy(update=unit) for kind in model.classes)
        jobs = generate_workload(model.model_copy(update={"classes": classes})).jobs
        assert {job.labels["class"] for job in jobs} == {"urgent", "training", "nightly"}


def test_every_example_is_checked_and_every_kind_has_one() -> None:
    assert len(EXAMPLES) == PAGE.count("```yaml")
    assert {kind for kind, _ in EXAMPLES} == set(KINDS)


@pytest.mark.parametrize("name", [*FORMATS, *JobRow.model_fields, *JobClass.model_fields])
def test_the_page_names_every_format_and_field(name: str) -> None:
    assert f"`{name}`" in PAGE
