"""Each rule's folder is complete: its failing template fails it and nothing else, its passing one passes all."""

from __future__ import annotations

import re

import pytest
from lint_builders import ROOT, RULES, loaded

from quota_verifier.lint import Outcome, Severity, lint, lint_template, outcome, shipped_rules
from quota_verifier.lint.pack import rule_folders

FOLDERS = rule_folders()
by_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def rule_of(folder):
    return RULES[folder.name[:5].upper()]


def every_row_of_the_rules_folder():
    keep = {"__init__.py", "cfn_lint.py", "__pycache__"}
    return sorted(path.name for path in (ROOT / "policies/quota_verifier/rules").iterdir() if path.name not in keep)


def test_everything_in_the_rules_folder_is_the_folder_of_a_rule():
    assert every_row_of_the_rules_folder() == [folder.name for folder in FOLDERS]


@by_folder
def test_a_rule_has_a_failing_and_a_passing_template_and_nothing_else(folder):
    found = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    assert found == {"rule.py", "bad.yaml", "good.yaml"}


@by_folder
def test_the_failing_template_fails_its_rule_and_no_other(folder):
    report = lint(folder / "bad.yaml")
    assert {finding.rule for finding in report.findings} == {rule_of(folder).id}
    assert outcome(rule_of(folder), loaded(folder / "bad.yaml")) is Outcome.FAILS


@by_folder
def test_the_passing_template_passes_every_rule(folder):
    report = lint(folder / "good.yaml")
    assert (report.findings, report.not_checked) == ((), ())
    assert outcome(rule_of(folder), loaded(folder / "good.yaml")) is Outcome.PASSES


@by_folder
def test_a_finding_is_about_a_property_that_the_rule_declares_and_says_what_to_do(folder):
    rule, report = rule_of(folder), lint_template(loaded(folder / "bad.yaml"))
    for finding in report.findings:
        kind = loaded(folder / "bad.yaml").resources[finding.logical_id].type
        path = re.sub(r"\[\d+\]", "[]", finding.where)
        assert path in rule.properties[kind]
        assert finding.message
        assert finding.fix
        assert finding.severity is rule.severity
        assert finding.message[-1] != "."


@by_folder
def test_a_finding_is_placed_in_the_resource_that_it_is_about(folder):
    lines = (folder / "bad.yaml").read_text().splitlines()
    for finding in lint(folder / "bad.yaml").findings:
        above = [line for line in lines[: finding.line] if re.match(r"  \w+:", line)]
        assert above[-1].strip() == f"{finding.logical_id}:"
        assert 1 <= finding.column <= len(lines[finding.line - 1])


@by_folder
def test_a_rule_says_what_holds_why_and_where_aws_says_so(folder):
    rule = rule_of(folder)
    assert rule.source.startswith("https://docs.aws.amazon.com/")
    assert rule.page == f"docs/rules.md#{rule.id.lower()}"
    assert rule.title[0].isupper()
    assert rule.title[-1] != "."
    assert rule.why[-1] == "."


def test_the_rules_come_errors_first_and_by_number():
    ids = [rule.id for rule in shipped_rules()]
    assert ids == sorted(ids, key=lambda rule_id: ("EWI".index(rule_id[0]), rule_id))
    assert {rule.severity for rule in shipped_rules()} == set(Severity)


def test_titles_are_distinct():
    titles = [rule.title for rule in shipped_rules()]
    assert len(set(titles)) == len(titles)
