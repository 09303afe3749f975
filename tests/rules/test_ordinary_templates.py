"""Templates about other things have no findings: container queues, fair share, FIFO, no Batch at all."""

from __future__ import annotations

import pytest
from lint_builders import FIXTURES, RULES, loaded
from lint_cfn import by_cfn_lint, by_our_rules

from quota_verifier.lint import lint, results

ORDINARY = sorted((FIXTURES / "ordinary").glob("*.yaml"))
each = pytest.mark.parametrize("path", ORDINARY, ids=lambda path: path.stem)


def test_there_are_templates_to_look_at():
    assert len(ORDINARY) >= 6


@each
def test_no_rule_has_anything_to_say(path):
    report = lint(path)
    assert (report.findings, report.waived, report.not_checked) == ((), (), ())


@each
def test_nor_in_cfn_lint(path):
    assert by_our_rules(path) == []


@each
def test_the_templates_are_good_ones(path):
    assert [match for match in by_cfn_lint(path) if match[0].startswith("E")] == []


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_each_rule_is_silent_on_all_of_them(rule):
    assert [results(rule, loaded(path)) for path in ORDINARY] == [()] * len(ORDINARY)
