from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.report.json_text import json_text

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values, max_size=4))
def test_a_document_reads_back_the_same_with_its_keys_in_order(document):
    read = json.loads(json_text(document))
    assert read == document
    assert list(read) == list(document)


def test_items_of_a_top_level_list_stand_on_lines_of_their_own():
    document = {"a": 1, "jobs": [{"id": "x", "spans": [1, 2]}, {"id": "y", "spans": []}], "none": []}
    assert json_text(document) == (
        '{\n  "a": 1,\n  "jobs": [\n    {"id": "x", "spans": [1, 2]},\n    {"id": "y", "spans": []}\n  ],\n'
        '  "none": []\n}\n'
    )


def test_a_document_is_ascii_so_that_no_terminal_or_pipe_can_spoil_it():
    assert json_text({"name": "équipe"}).isascii()


def test_what_json_cannot_say_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"a": float("nan")})
