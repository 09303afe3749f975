"""Names, numbers and strategies of shares, and what they may borrow of each other (cases C03, C20, C22, C28, C30)."""

from __future__ import annotations

import pytest
from lint_builders import G5, G6, P5, REASONS, action, clean, put, resources, share, template, unknowns, violations

from quota_verifier.lint import lint_template

LAB, LEND, RESERVE = "LEND_AND_BORROW", "LEND", "RESERVE"
BORROW_LIMIT = ("ResourceSharingConfiguration", "BorrowLimit")


def shares(*given, capacity=100):
    return resources({G5: capacity}, **{f"S{i}": share(f"s{i}", *words) for i, words in enumerate(given)})


def messages(rule, of):
    return [message for *_, message in violations(rule, of)]


@pytest.mark.parametrize(("count", "number"), [(20, 0), (21, 1), (25, 1)])
def test_a_queue_has_at_most_twenty_shares(count, number):
    of = shares(*[(1,)] * count)
    assert [(logical_id, path) for logical_id, path, _ in violations("E9520", of)] == [("S20", ("JobQueue",))] * number


def test_shares_that_may_not_be_there_are_not_one_too_many():
    of = shares(*[(1,)] * 21)
    of["S3"]["Condition"] = "C"
    sections = {"Parameters": {"X": {"Type": "String"}}, "Conditions": {"C": {"Fn::Equals": [{"Ref": "X"}, "1"]}}}
    assert violations("E9520", of, **sections) == []
    assert [logical_id for logical_id, *_ in unknowns("E9520", of, **sections)] == ["S3"]


def test_shares_of_a_queue_have_different_names():
    of = {**clean(), "C": share("vision", 1), "D": share("vision", 1, queue="Other")}
    of["D"]["Properties"]["JobQueue"] = "another-queue"
    assert violations("E9521", of) == [("C", ("QuotaShareName",), "'vision' is also the name of B")]


def test_shares_of_a_queue_elsewhere_have_different_names_too():
    of = {i: share("same", 1, JobQueue={"Fn::ImportValue": "q"}) for i in "AB"}
    assert [logical_id for logical_id, *_ in violations("E9521", of)] == ["B"]


def test_names_from_the_same_parameter_are_the_same():
    of = {**clean(), "C": share({"Ref": "N"}, 1), "D": share({"Ref": "N"}, 1)}
    found = violations("E9521", of, Parameters={"N": {"Type": "String"}})
    assert [message for *_, message in found] == ["'${N}' is also the name of C"]


@pytest.mark.parametrize(
    ("strategy", "limit", "number"),
    [
        (LAB, 100, 0),
        ("lend_and_borrow", 100, 0),
        (LEND, 100, 1),
        ("Reserve", 100, 1),
        (RESERVE, 0, 1),
        (RESERVE, -1, 1),
        (RESERVE, None, 0),
    ],
)
def test_only_borrowers_have_a_borrow_limit(strategy, limit, number):
    of = shares((4, strategy, limit))
    assert [path for _, path, _ in violations("E9522", of)] == [BORROW_LIMIT] * number


@pytest.mark.parametrize(
    ("capacities", "limit", "warnings"),
    [
        ({G5: 10}, 50, []),
        ({G5: 3}, 50, [("W9506", f"50 % of 3 {G5} is 1.5, a fraction: taken for 1, but AWS may take 2")]),
        ({G5: 1}, 50, [("W9505", f"50 % of 1 {G5} is 0.5, rounded to 0: borrowing switched off")]),
        ({G5: 8, P5: 1}, 25, [("W9505", f"25 % of 1 {P5} is 0.25, rounded to 0: borrowing switched off")]),
        ({G5: 3}, 67, [("W9506", f"67 % of 3 {G5} is 2.01, a fraction: taken for 2, but AWS may take 3")]),
        ({G5: 1}, 0, []),
        ({G5: 1}, -1, []),
        ({G5: 1}, None, []),
        ({G5: 1}, 100, []),
    ],
)
def test_a_percentage_comes_to_whole_instances(capacities, limit, warnings):
    """Case C20: a percentage of the share's own limit, for each type, whatever is idle elsewhere."""
    of = resources({G5: 100, P5: 8}, A=share("a", capacities, LAB, limit), B=share("b", {G5: 40}, LEND))
    assert [(rule, text) for rule in ("W9505", "W9506") for text in messages(rule, of)] == warnings


def test_the_advice_is_the_smallest_limit_that_is_worth_something():
    of = shares((3, LAB, 1))
    (finding,) = [f for f in lint_template(template(of)).findings if f.rule == "W9505"]
    assert finding.fix == "raise BorrowLimit to 34 or more, or use LEND"
    assert messages("W9505", shares((3, LAB, 34))) == []


@pytest.mark.parametrize(
    ("others", "number"),
    [
        ([], 1),
        ([(4, RESERVE)], 1),
        ([(4, LEND)], 0),
        ([(4, LAB, 0)], 0),
        ([({G6: 4}, LEND)], 1),
        ([(4, RESERVE), (1, "lend")], 0),
    ],
)
def test_a_borrower_needs_a_lender_of_its_type(others, number):
    of = shares((4, LAB, 100), *others)
    assert messages("W9507", of) == [f"nobody lends {G5} to this share"] * number


@pytest.mark.parametrize(("strategy", "limit"), [(LEND, None), (RESERVE, None), (LAB, 0)])
def test_a_share_that_never_borrows_needs_no_lender(strategy, limit):
    assert messages("W9507", shares((4, strategy, limit))) == []


def test_several_types_without_a_lender_are_one_warning():
    of = shares(({G5: 1, G6: 1}, LAB, 100))
    assert messages("W9507", of) == [f"nobody lends {G5}, {G6} to this share"]


def test_a_lender_may_be_in_another_stack():
    exported = {"Outputs": {"Q": {"Value": {"Ref": "Q"}, "Export": {"Name": "q"}}}}
    of = shares((4, LAB, 100))
    assert violations("W9507", of, **exported) == []
    assert unknowns("W9507", of, **exported) == [("Q", (), "may have more shares in another stack")]


def test_a_share_has_one_instance_type():
    """Case C10."""
    assert messages("W9508", shares(({G5: 1}, RESERVE))) == []
    assert messages("W9508", shares(({G5: 1, G6: 1}, RESERVE)))[0].startswith(f"2 instance types ({G5}, {G6}): ")


@pytest.mark.parametrize(
    ("strategy", "limit", "stated", "zero"),
    [(LAB, None, 1, 0), (LAB, -1, 0, 0), (LAB, 0, 0, 1), (LAB, 100, 0, 0), (LEND, None, 0, 0), (RESERVE, 0, 0, 0)],
)
def test_absent_unlimited_and_none_stay_three_things(strategy, limit, stated, zero):
    """Cases C03 and C30."""
    of = shares((4, strategy, limit))
    assert [path for _, path, _ in violations("I9502", of)] == [BORROW_LIMIT] * stated
    assert [path for _, path, _ in violations("I9507", of)] == [BORROW_LIMIT] * zero


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([(1, LAB, 200), (1, LEND), (1, RESERVE)], f"200 % of 1 {G5} is 2, but the others lend at most 1"),
        ([(1, LAB, 100), (1, LEND), (1, RESERVE)], None),
        ([(4, LAB, 200), (4, LAB, 0)], f"200 % of 4 {G5} is 8, but the others lend at most 4"),
        ([(2, LAB, -1), (3, LEND), (5, RESERVE)], None),
        ([(4, LAB, 200), (4, RESERVE)], None),
        ([(1, LAB, 50), (1, LEND)], None),
    ],
)
def test_a_borrow_limit_beyond_what_is_lent_is_never_used_up(given, message):
    """AWS's example in case C02 (d); where nobody lends at all, W9507 says so."""
    assert messages("I9503", shares(*given)) == ([] if message is None else [message])


def test_the_advice_on_a_limit_out_of_reach_is_enough_for_all_that_is_lent():
    (finding,) = [f for f in lint_template(template(shares((3, LAB, 200), (2, LEND)))).findings if f.rule == "I9503"]
    assert finding.fix == "lower BorrowLimit to 67, or lend more"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ([(4, LAB, -1), (4, LAB, -1)], "s0, s1"),
        ([(4, LAB), (4, LAB, 100)], "s0, s1"),
        ([(4, LAB, 100), (4, LAB, 50)], None),
        ([(4, LAB, -1), (4, LEND)], None),
        ([(4, LAB, 100), (8, LAB, 100)], None),
        ([(4, LAB, 200), (8, LAB, 50)], "s0, s1"),
        ([(4, LAB, -1), (4, LAB, -1), (4, RESERVE), (4, LAB, 0)], "s0, s1"),
        ([({G5: 4}, LAB, -1), ({G6: 4}, LAB, -1)], None),
    ],
)
def test_shares_that_may_take_all_of_each_other_are_prone_to_thrash(given, names):
    expected = [] if names is None else [f"{G5}: {names} may each borrow all that another of them owns"]
    assert messages("I9504", shares(*given)) == expected


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("nlp-v1", "nlpv1"), ["'nlpv1' and 'nlp-v1' differ in punctuation alone"]),
        (("nlp-v1", "nlp_v1", "nlp-v2"), ["'nlp_v1' and 'nlp-v1' differ in punctuation alone"]),
        (("NLP", "nlp"), []),
        (("nlp", "nlp"), []),
    ],
)
def test_names_that_only_punctuation_tells_apart(names, found):
    """Case C28. Logical ids keep the case; equal names are an error of their own."""
    of = resources({G5: 9}, **{f"S{i}": share(name, 1) for i, name in enumerate(names)})
    assert messages("I9508", of) == found


@pytest.mark.parametrize(
    ("reasons", "message"),
    [
        (REASONS, None),
        (REASONS[1:], f"one reason not covered by a time limit: {REASONS[0]}"),
        (REASONS[2:], f"two reasons not covered by a time limit: {', '.join(REASONS[:2])}"),
        ((), f"three reasons not covered by a time limit: {', '.join(REASONS)}"),
    ],
)
def test_whatever_blocks_a_job_has_a_time_limit(reasons, message):
    """Cases C22 and C54."""
    of = put(clean(), [action(reason) for reason in reasons], "Q", "JobStateTimeLimitActions")
    assert messages("W9504", of) == ([] if message is None else [message])
    if not reasons:
        assert messages("W9504", put(clean(), ..., "Q", "JobStateTimeLimitActions")) == [message]


@pytest.mark.parametrize(
    ("word", "number"), [("TERMINATE", 0), ("terminate", 0), ("CANCEL", 1), ("cancel", 1), ("STOP", 0)]
)
def test_a_time_limit_terminates(word, number):
    """STOP is no action at all, which cfn-lint reports."""
    of = put(clean(), word, "Q", "JobStateTimeLimitActions", 1, "Action")
    found = violations("E9530", of)
    assert [path for _, path, _ in found] == [("JobStateTimeLimitActions", 1, "Action")] * number


@pytest.mark.parametrize(
    "reason", ["QUOTA_LIMIT", "", "CAPACITY:SOMETHING", "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT"]
)
def test_a_time_limit_has_a_reason_that_there_is(reason):
    of = put(clean(), reason, "Q", "JobStateTimeLimitActions", 0, "Reason")
    assert messages("E9531", of) == [f"no service job is ever blocked for {reason!r}"]
