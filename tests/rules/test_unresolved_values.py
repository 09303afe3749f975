"""What the deployment decides is never an error, and a malformed template never a crash (case C35)."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lint_builders import G5, RULES, clean, put, share, template, unknowns, violations

from quota_verifier.lint import Outcome, Severity, lint_template, outcome
from quota_verifier.lint.pack import rule_folders
from quota_verifier.template import load_template

OPEN = {"Parameters": {"Open": {"Type": "Number"}, "Stage": {"Type": "String"}}}
UNDECIDED = {**OPEN, "Conditions": {"Prod": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}}}


def places(value, path=()):
    """The path of everything in the properties of a template."""
    yield path
    if isinstance(value, dict) and not any(key.startswith("Fn::") or key == "Ref" for key in value):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


PLACES = [
    (logical_id, *path)
    for logical_id, resource in clean().items()
    for path in places(resource["Properties"])
    if path and path != ("JobQueueType",)
]


def replaced(place, value):
    return put(clean(), value, *place)


def test_the_template_without_findings_has_none():
    assert lint_template(template(clean())).findings == ()


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
def test_a_parameter_in_any_place_makes_no_finding(place):
    """A queue whose policy is open is known by its shares; shares whose queue is open may be any queue's."""
    report = lint_template(template(replaced(place, {"Ref": "Open"}), **OPEN))
    assert [(f.rule, f.sentence) for f in report.findings] == []


@pytest.mark.parametrize("logical_id", ["A", "B", "E", "P", "Q"])
def test_a_resource_that_may_not_be_there_makes_no_error(logical_id):
    of = clean()
    of[logical_id]["Condition"] = "Prod"
    report = lint_template(template(of, **UNDECIDED))
    assert [f.rule for f in report.findings if f.severity is Severity.ERROR] == []


def test_shares_of_two_stages_are_not_added_up():
    """Only one of the two exists in any deployment."""
    of = clean()
    of["A2"] = share("research", 6)
    of["A"]["Condition"], of["A2"]["Condition"] = "Prod", "Test"
    conditions = {**UNDECIDED["Conditions"], "Test": {"Fn::Not": [{"Condition": "Prod"}]}}
    sections = {**OPEN, "Conditions": conditions}
    assert violations("E9516", of, **sections) == []
    assert violations("E9521", of, **sections) == []
    assert [logical_id for logical_id, *_ in unknowns("E9516", of, **sections)] == ["A", "A2"]


def test_what_is_known_to_be_too_much_is_an_error_whatever_the_rest():
    of = replaced(("B", "CapacityLimits", 0, "MaxCapacity"), {"Ref": "Open"})
    put(of, 7, "A", "CapacityLimits", 0, "MaxCapacity")
    ((_, _, message),) = violations("E9516", of, **OPEN)
    assert message == f"{G5}: 7 > 6 (over by 1): research 7"


def test_what_is_not_known_is_noted_with_the_parameter_that_would_tell():
    of = replaced(("B", "CapacityLimits", 0, "MaxCapacity"), {"Ref": "Open"})
    report = lint_template(template(of, **OPEN))
    note = next(note for note in report.not_checked if note.rule == "E9516")
    assert (note.logical_id, note.remedy) == ("B", "give --param Open=VALUE")
    assert outcome(RULES["E9516"], template(of, **OPEN)) is Outcome.NOT_APPLICABLE


def test_a_value_that_is_given_is_judged():
    sections = {"Parameters": {"Open": {"Type": "Number", "Default": 3}}}
    of = replaced(("B", "CapacityLimits", 0, "MaxCapacity"), {"Ref": "Open"})
    assert [message for *_, message in violations("E9516", of, **sections)] == [
        f"{G5}: 7 > 6 (over by 1): research 4 + vision 3"
    ]


def test_a_rule_without_a_subject_does_not_apply():
    of = {"Bucket": {"Type": "AWS::S3::Bucket"}}
    assert {outcome(rule, template(of)) for rule in RULES.values()} == {Outcome.NOT_APPLICABLE}


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["Ref", "Fn::If", "x"]), inner),
    max_leaves=3,
)


@settings(deadline=None, max_examples=300)
@given(place=st.sampled_from(PLACES), junk=JUNK)
def test_no_value_in_any_place_makes_a_rule_break(place, junk):
    of = json.loads(json.dumps(replaced(place, junk)))
    lint_template(template(of))


@pytest.mark.parametrize("folder", rule_folders(), ids=lambda folder: folder.name)
def test_no_rule_changes_the_template(folder):
    loaded = load_template(folder / "bad.yaml")
    before = copy.deepcopy(loaded.document.data)
    lint_template(loaded)
    assert loaded.document.data == before
