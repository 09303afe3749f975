from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from template_examples import FIXTURES, queues

from quota_verifier.template import queue_document, queue_file_schema
from quota_verifier.template.schema import schema_text

PUBLISHED = Path(__file__).parents[2] / "docs" / "schemas" / "queue-file.schema.json"
VALIDATOR = Draft202012Validator(queue_file_schema())
REWRITE = "python tools/refresh_docs.py"
# What a schema cannot say, or not yet: names that must differ, limits of strategies, lengths of time.
BEYOND_A_SCHEMA = {"name_twice", "borrow_limit_on_lend", "time_limit_short"}


def test_the_published_schema_is_current():
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), f"rewrite it: {REWRITE}"


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(json.loads(schema_text()))


@settings(deadline=None)
@given(queue=queues())
def test_every_queue_that_is_written_keeps_to_the_schema(queue):
    assert not list(VALIDATOR.iter_errors(queue_document(queue)))


@pytest.mark.parametrize("file", sorted((FIXTURES / "bad").glob("queue_file_*.yaml")), ids=lambda file: file.stem)
def test_an_editor_sees_most_mistakes_by_the_schema(file):
    name = file.stem.removeprefix("queue_file_")
    if name == "key_twice":
        pytest.skip("no data to check: the file is malformed")
    found = list(VALIDATOR.iter_errors(yaml.safe_load(file.read_text())))
    assert bool(found) is (name not in BEYOND_A_SCHEMA)
