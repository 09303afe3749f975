"""docs/diff.md lists the rules over changes as they are, and their ids keep clear of other rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quota_verifier.diff import CHANGE_RULES
from quota_verifier.lint import shipped_rules

PAGE = Path(__file__).parents[2] / "docs" / "diff.md"


def test_the_page_lists_every_rule_over_changes_in_order():
    rows = [f"| {rule.id} | {rule.title} | {rule.why} |" for rule in CHANGE_RULES]
    listed = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| [EWI]94", line)]
    assert listed == rows


@pytest.mark.parametrize("rule", CHANGE_RULES, ids=lambda rule: rule.id)
def test_a_rule_over_changes_has_an_id_of_its_own_and_a_page_of_aws(rule):
    assert re.fullmatch(r"[EWI]94(?!00)\d\d", rule.id)
    assert rule.id not in {other.id for other in shipped_rules()}
    assert rule.source.startswith("https://docs.aws.amazon.com/")
    assert sum(other.id == rule.id for other in CHANGE_RULES) == 1
