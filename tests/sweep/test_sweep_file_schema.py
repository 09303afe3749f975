"""The published JSON schema of sweep files."""

from __future__ import annotations

import json

import pytest
import yaml
from jsonschema import Draft202012Validator
from sweep_helpers import ROOT

from quota_verifier.sweep.sweep_file import schema_text, sweep_file_schema

PUBLISHED = ROOT / "docs" / "schemas" / "sweep-file.schema.json"
VALIDATOR = Draft202012Validator(sweep_file_schema())
REWRITE = (
    'python -c "from quota_verifier.sweep.sweep_file import schema_text; print(schema_text(), end=str())"'
    " > docs/schemas/sweep-file.schema.json"
)


def test_the_published_schema_is_current():
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), f"rewrite it: {REWRITE}"


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(json.loads(schema_text()))


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "grid: {shares.A.borrow_limit: [0, null, 100], shares.A.in_share_preemption: [true, false]}",
        "variants: [{name: a, set: {shares.A.strategy: LEND}}]",
        "seeds: 4",
        "seeds: [3, 5]",
        "objectives: [capacity, wait_p95.A]",
    ],
)
def test_the_schema_takes_what_the_reader_takes(text):
    assert not list(VALIDATOR.iter_errors(yaml.safe_load(text)))


@pytest.mark.parametrize(
    "text",
    [
        "gird: {}",
        "grid: {a: []}",
        "grid: {a: [0.5]}",
        "variants: [{name: a}]",
        "variants: [{name: a, set: {}}]",
        "seeds: 0",
        "seeds: []",
        "objectives: []",
    ],
)
def test_an_editor_sees_mistakes_by_the_schema(text):
    assert list(VALIDATOR.iter_errors(yaml.safe_load(text)))
