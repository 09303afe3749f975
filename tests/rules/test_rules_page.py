"""What is made from the rules is current."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from lint_builders import ROOT, RULES
from tools.render_rules import MANIFEST, PAGE, SCHEMA, manifest_text, page, schema_text

RENDER = "run python tools/render_rules.py"


@pytest.mark.parametrize(
    ("file", "text"),
    [(PAGE, page), (MANIFEST, manifest_text), (SCHEMA, schema_text)],
    ids=[PAGE.name, MANIFEST.name, SCHEMA.name],
)
def test_what_is_made_from_the_rules_is_current(file, text):
    assert file.read_text(encoding="utf-8") == text(), RENDER


def test_every_rule_is_documented_with_both_of_its_templates():
    text = PAGE.read_text(encoding="utf-8")
    for rule in RULES.values():
        section = text.partition(f"### {rule.id}\n")[2].partition("\n### ")[0]
        assert section.count("```yaml") == 2
        assert rule.why in section
        assert rule.source in section
    assert "### E9501" in text


def test_the_schema_of_rule_files_is_a_schema():
    Draft202012Validator.check_schema(json.loads(schema_text()))


def test_the_page_links_to_files_that_are_there():
    links = [part.partition(")")[0] for part in PAGE.read_text().split("](../")[1:]]
    assert len(links) == 2 * len(RULES)
    assert all((ROOT / link).is_file() for link in links)
