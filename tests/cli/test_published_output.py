"""The reference page and the examples' output are what the command says now."""

from __future__ import annotations

import pytest
from tools.refresh_docs import EXAMPLES, REFERENCE, recorded_commands, reference, replayed

REFRESH = "run python tools/refresh_docs.py and read the difference"


def test_the_reference_page_is_made_from_the_help_of_now():
    assert REFERENCE.read_text(encoding="utf-8") == reference(), REFRESH


@pytest.mark.parametrize("record", recorded_commands(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_example_prints_what_its_record_says(record):
    assert record.read_text(encoding="utf-8") == replayed(record), REFRESH


def test_there_are_examples_to_run():
    assert len(list((EXAMPLES / "three_shares").glob("*.out"))) >= 5
