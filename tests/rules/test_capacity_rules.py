"""Capacity limits, and what the shares promise of the environment (cases C19, C39)."""

from __future__ import annotations

import pytest
from lint_builders import G5, G6, P5, clean, environment, put, queue, resources, share, template, violations

from quota_verifier.lint import lint_template

SIX = {f"ml.g5.{size}xlarge": 1 for size in ("", 2, 4, 8, 12, 16)}
FIVE = dict(list(SIX.items())[:5])


def rules(of):
    return {finding.rule for finding in lint_template(template(of)).findings}


@pytest.mark.parametrize(
    ("capacities", "message"), [({}, "no capacity limits"), (SIX, "6 capacity limits"), (FIVE, None), ({G5: 1}, None)]
)
def test_shares_and_environments_have_one_to_five_limits(capacities, message):
    of = resources(capacities, A=share("a", capacities))
    found = violations("E9510", of)
    assert found == ([] if message is None else [(i, ("CapacityLimits",), message) for i in ("E", "A")])


def test_a_type_is_limited_once():
    of = put(clean(), [*clean()["B"]["Properties"]["CapacityLimits"]] * 2, "B", "CapacityLimits")
    assert violations("E9511", of) == [
        ("B", ("CapacityLimits", 1, "CapacityUnit"), f"{G5} is limited twice, to 2 and to 2")
    ]


def test_the_same_parameter_twice_is_the_same_type_twice():
    entry = {"CapacityUnit": {"Ref": "T"}, "MaxCapacity": 1}
    of = put(clean(), [entry, entry], "B", "CapacityLimits")
    assert len(violations("E9511", of, Parameters={"T": {"Type": "String"}})) == 1


@pytest.mark.parametrize(
    ("unit", "rule"),
    [
        ("NUM_INSTANCES", "E9512"),
        ("g5.xlarge", "E9512"),
        ("ML.G5.XLARGE", "E9512"),
        ("ml-g5-xlarge", "E9512"),
        ("ml.g5.xlrage", "W9501"),
        ("ml.inf1.xlarge", "W9501"),
        (G5, None),
        (P5, None),
    ],
)
def test_units_are_training_instance_types(unit, rule):
    """ml.inf1.xlarge is a type of endpoints, which training does not take."""
    of = resources({unit: 1}, A=share("a", {unit: 1}))
    assert rules(of) == (set() if rule is None else {rule})


def test_the_type_that_was_meant_is_named():
    of = resources({"g5.xlarge": 1}, A=share("a", {G5: 1}))
    (finding,) = [f for f in lint_template(template(of)).findings if f.rule == "E9512"]
    assert finding.fix == f"write {G5}"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "a limit without CapacityUnit and MaxCapacity"),
        ({"CapacityUnit": G5}, "a limit without MaxCapacity"),
        ({"MaxCapacity": 1}, "a limit without CapacityUnit"),
        ({"CapacityUnit": G5, "MaxCapacity": -5}, "MaxCapacity -5 is below 0"),
        ({"CapacityUnit": G5, "MaxCapacity": "-5"}, "MaxCapacity -5 is below 0"),
        ({"CapacityUnit": G5, "MaxCapacity": None}, "a limit without MaxCapacity"),
        ({"CapacityUnit": G5, "MaxCapacity": 0}, None),
    ],
)
def test_a_limit_of_the_environment_is_complete(entry, message):
    found = violations("E9513", put(clean(), entry, "E", "CapacityLimits", 0))
    assert [text for *_, text in found] == ([] if message is None else [message])


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("A", "ResourceSharingConfiguration", "BorrowLimit"), 0.5, "BorrowLimit 0.5 is not a whole number"),
        (("A", "ResourceSharingConfiguration", "BorrowLimit"), 50.0, None),
        (("A", "ResourceSharingConfiguration", "BorrowLimit"), 2**31, "BorrowLimit 2147483648 is above 2147483647"),
        (("A", "CapacityLimits", 0, "MaxCapacity"), 2.5, "MaxCapacity 2.5 is not a whole number"),
        (("E", "CapacityLimits", 0, "MaxCapacity"), 6.5, "MaxCapacity 6.5 is not a whole number"),
        (("Q", "Priority"), 1.5, "Priority 1.5 is not a whole number"),
        (("Q", "ServiceEnvironmentOrder", 0, "Order"), 1.5, "Order 1.5 is not a whole number"),
        (("Q", "JobStateTimeLimitActions", 1, "MaxTimeSeconds"), 700.5, "MaxTimeSeconds 700.5 is not a whole number"),
        (("A", "CapacityLimits", 0, "MaxCapacity"), "abc", None),
    ],
)
def test_numbers_are_whole(path, value, message):
    """Texts that are no number are left to cfn-lint."""
    found = violations("E9514", put(clean(), value, *path))
    assert found == ([] if message is None else [(path[0], path[1:], message)])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("50", "BorrowLimit is the text '50'"),
        (" 50 ", "BorrowLimit is the text ' 50 '"),
        (50, None),
        ("fifty", None),
        ({"Ref": "Limit"}, None),
        ({"Fn::Sub": "${Limit}"}, None),
    ],
)
def test_numbers_are_not_text(value, message):
    """The value of a parameter is text by nature, whoever wrote it."""
    of = put(clean(), value, "A", "ResourceSharingConfiguration", "BorrowLimit")
    found = violations("W9502", of, Parameters={"Limit": {"Type": "Number", "Default": "50"}})
    assert [text for *_, text in found] == ([] if message is None else [message])


def test_the_texts_of_a_loop_are_no_texts_that_somebody_wrote():
    body = put(clean(), "${N}", "B", "CapacityLimits", 0, "MaxCapacity")["B"]
    of = {**clean(), "Fn::ForEach::Size": ["N", ["1", "2"], {"Share${N}": body}]}
    assert violations("W9502", of) == []


def test_a_share_lists_what_its_environment_has():
    of = resources({G5: 1, G6: 1}, A=share("a", {G5: 1, P5: 1}), B=share("b", {G6: 1}))
    assert violations("E9515", of) == [
        ("A", ("CapacityLimits", 1, "CapacityUnit"), f"environment E has no {P5}; it has {G5}, {G6}")
    ]


def test_one_wrong_unit_is_one_error():
    """NUM_INSTANCES on one side is not also a type that is missing on the other."""
    for of in (
        resources({"NUM_INSTANCES": 4}, A=share("a", 1)),
        resources({G5: 4}, A=share("a", {"NUM_INSTANCES": 1})),
    ):
        assert {rule for rule in rules(of) if rule[0] == "E"} == {"E9512"}


@pytest.mark.parametrize(
    ("capacity", "own", "error", "note"),
    [
        (7, (6, 4), f"{G5}: 10 > 7 (over by 3): s0 6 + s1 4", None),
        (11, (5, 5), None, f"{G5}: 1 unassigned"),
        (10, (6, 4), None, None),
        (0, (6, 4), f"{G5}: 10 > 0 (over by 10): s0 6 + s1 4", None),
    ],
)
def test_promises_are_kept_and_capacity_is_given_away(capacity, own, error, note):
    """Case C19."""
    of = resources({G5: capacity}, **{f"S{i}": share(f"s{i}", limit) for i, limit in enumerate(own)})
    path = ("CapacityLimits", 0, "MaxCapacity")
    assert violations("E9516", of) == ([] if error is None else [("E", path, error)])
    assert violations("I9501", of) == ([] if note is None else [("E", path, note)])


def test_types_are_reckoned_one_by_one():
    of = resources({G5: 4, G6: 4}, A=share("a", {G5: 5, G6: 1}), B=share("b", {G6: 2}))
    assert [message for *_, message in violations("E9516", of)] == [f"{G5}: 5 > 4 (over by 1): a 5"]
    assert [message for *_, message in violations("I9501", of)] == [f"{G6}: 1 unassigned"]


def test_queues_are_reckoned_one_by_one():
    of = {**clean(), "E2": environment({G5: 1}), "Q2": queue("E2"), "C": share("c", 2, queue="Q2")}
    assert [(logical_id, message) for logical_id, _, message in violations("E9516", of)] == [
        ("E2", f"{G5}: 2 > 1 (over by 1): c 2")
    ]


def test_capacity_may_be_for_shares_in_another_stack():
    of = resources({G5: 8}, A=share("a", 1))
    assert len(violations("I9501", of)) == 1
    exported = {"Outputs": {"Q": {"Value": {"Ref": "Q"}, "Export": {"Name": "q"}}}}
    assert violations("I9501", of, **exported) == []


def test_a_type_that_no_share_has_is_better_removed():
    of = resources({G5: 1, G6: 2}, A=share("a", 1))
    (finding,) = [f for f in lint_template(template(of)).findings if f.rule == "I9501"]
    assert (finding.message, finding.fix) == (f"{G6}: 2 unassigned", "raise the shares' limits, or remove the type")


def test_equal_names_are_added_up_all_the_same():
    of = resources({G5: 3}, A=share("a", 2), B=share("a", 2))
    assert [message for *_, message in violations("E9516", of)] == [f"{G5}: 4 > 3 (over by 1): a 2 + a 2"]
