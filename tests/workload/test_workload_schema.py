"""The published JSON schema of workload files."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from test_workload_rows import FULL

from quota_verifier.documents import parse_document
from quota_verifier.workload import workload_file_schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "schemas" / "workload-file.schema.json"
REFRESH = "python tools/refresh_docs.py"
VALIDATOR = jsonschema.Draft202012Validator(workload_file_schema())


def test_the_published_schema_is_current() -> None:
    assert json.loads(PUBLISHED.read_text("utf-8")) == workload_file_schema(), f"refresh it: {REFRESH}"


def test_the_schema_is_a_valid_schema_that_describes_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(workload_file_schema())
    definitions = workload_file_schema()["$defs"]
    assert isinstance(definitions, dict)
    bare = [
        f"{name}.{field}"
        for name, model in definitions.items()
        for field, schema in model.get("properties", {}).items()
        if "description" not in json.dumps(schema)
    ]
    assert bare == []


def test_the_schema_accepts_what_the_reader_accepts() -> None:
    # Editors propose AWS's spelling; the reader takes any case.
    text = (
        FULL.replace("retry,", "RETRY,").replace("lend_and_borrow", "LEND_AND_BORROW").replace("disabled", "DISABLED")
    )
    assert [error.message for error in VALIDATOR.iter_errors(parse_document(text, source="w.yaml").data)] == []


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "share": "s"},
        {"id": "a", "share": "s", "work": "soon"},
        {"id": "a", "share": "s", "work": -1},
        {"id": "a", "share": "s", "work": 1, "wrok": 1},
        {"id": "a", "share": "s", "work": 1, "priority": 10_000},
        {"id": "a", "share": "s", "work": 1, "demand": {"x": 0}},
        {"id": "a", "share": "s", "work": 1, "attempts": 11},
        {"id": "a", "share": "s", "work": 1, "submit": "noon"},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(row: dict[str, object]) -> None:
    assert list(VALIDATOR.iter_errors({"jobs": [row]}))


@pytest.mark.parametrize(
    "row",
    [{"at": 1, "state": "DISABLED"}, {"at": 1, "job": "a", "terminate": False}, {"share": "a", "borrow_limit": 1}],
)
def test_the_schema_refuses_the_same_updates(row: dict[str, object]) -> None:
    job = {"id": "a", "share": "s", "work": 1, "instances": 1}
    assert list(VALIDATOR.iter_errors({"jobs": [job], "updates": [row]}))
