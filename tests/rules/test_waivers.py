"""Findings that a template waives the way cfn-lint knows."""

from __future__ import annotations

import pytest
from lint_builders import clean, put, template

from quota_verifier.lint import lint_template


def over_promised():
    of = put(clean(), 1, "E", "CapacityLimits", 0, "MaxCapacity")
    return put(of, "lend", "B", "ResourceSharingConfiguration", "Strategy") and put(of, "Q-1", "Q", "JobQueueName")


def ignoring(*ids):
    return {"cfn-lint": {"config": {"ignore_checks": [*ids]}}}


def rules(report):
    return [found.rule for found in report.findings], [found.rule for found in report.waived]


def test_nothing_is_waived_unasked():
    assert rules(lint_template(template(over_promised()))) == (["E9516", "I9505"], [])


def test_a_resource_waives_a_rule_for_itself():
    of = over_promised()
    of["E"]["Metadata"] = ignoring("E9516")
    report = lint_template(template(of))
    assert rules(report) == (["I9505"], ["E9516"])
    assert not report.failed


def test_a_waiver_on_another_resource_does_not_count():
    of = over_promised()
    of["A"]["Metadata"] = ignoring("E9516")
    assert rules(lint_template(template(of))) == (["E9516", "I9505"], [])


@pytest.mark.parametrize(
    ("ids", "left"),
    [
        (["E9516"], ["I9505"]),
        (["E95"], ["I9505"]),
        (["I"], ["E9516"]),
        (["E9516", "I9505"], []),
        ([""], ["E9516", "I9505"]),
        (["e9516"], ["E9516", "I9505"]),
    ],
)
def test_a_template_waives_rules_by_the_beginning_of_their_ids(ids, left):
    assert rules(lint_template(template(over_promised(), Metadata=ignoring(*ids))))[0] == left


@pytest.mark.parametrize("ids", [["E95"], ["E"]])
def test_a_resource_waives_whole_ids_only(ids):
    of = over_promised()
    of["E"]["Metadata"] = ignoring(*ids)
    assert rules(lint_template(template(of)))[0] == ["E9516", "I9505"]


@pytest.mark.parametrize(
    "metadata", [None, [], {"cfn-lint": None}, {"cfn-lint": {"config": {"ignore_checks": "E9516"}}}]
)
def test_metadata_in_another_form_waives_nothing(metadata):
    of = over_promised()
    of["E"]["Metadata"] = metadata
    assert rules(lint_template(template(of, Metadata=metadata)))[0] == ["E9516", "I9505"]
