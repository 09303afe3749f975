from __future__ import annotations

import pytest

from quota_verifier.documents import parse_document

YAML = """\
environment: {ml.g5.xlarge: 3}
shares:
  - name: QS1
    limits:
      ml.g5.xlarge: 1
  - {name: QS2, strategy: LEND}
"""
JSON = '{"environment": {"ml.g5.xlarge": 3},\n  "shares": [{"name": "QS1"}, {"name": "QS2", "strategy": "LEND"}]}'


@pytest.mark.parametrize(
    ("text", "source", "path", "column"),
    [
        (YAML, "q.yaml", (), 1),
        (YAML, "q.yaml", ("environment", "ml.g5.xlarge"), 15),
        (YAML, "q.yaml", ("shares", 0), 5),
        (YAML, "q.yaml", ("shares", 0, "limits", "ml.g5.xlarge"), 7),
        (YAML, "q.yaml", ("shares", 1, "strategy"), 17),
        (YAML, "q.yaml", ("shares", 1, "borrow_limit"), 5),
        (JSON, "q.json", ("environment", "ml.g5.xlarge"), 18),
        (JSON, "q.json", ("shares",), 3),
        (JSON, "q.json", ("shares", 1, "strategy"), 47),
        (JSON, "q.json", ("shares", 1, "borrow_limit"), 31),
    ],
)
def test_a_value_knows_its_column_in_its_line_or_that_of_what_encloses_it(text, source, path, column):
    assert parse_document(text, source=source).column_of(path) == column
