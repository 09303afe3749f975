from __future__ import annotations

import pytest
from report_queues import BORROW, G5, LEND, P5, RESERVE, queue, share, three_shares

from quota_verifier.model import TimeLimitAction, TimeLimitReason
from quota_verifier.report.show_document import guaranteed, show_document
from quota_verifier.report.show_text import show_report
from quota_verifier.report.text import rendered


def shown(of, rounding="floor") -> str:
    return rendered(show_report(show_document(of, rounding)))


def unit_of(document, name, unit=G5):
    (sheet,) = [sheet for sheet in document["shares"] if sheet["name"] == name]
    (row,) = [row for row in sheet["units"] if row["unit"] == unit]
    return row


def notes(of, rounding="floor") -> list[tuple[str, str]]:
    return [(note["kind"], note["text"]) for note in show_document(of, rounding)["notes"]]


def test_a_queue_reads_in_absolute_numbers(snapshot):
    limit = TimeLimitAction(TimeLimitReason.QUOTA_MANAGEMENT_LIMIT_EXCEEDED, 600_000)
    both = queue(
        {G5: 14, P5: 3},
        share("vision", {G5: 8, P5: 1}, BORROW, 25, in_share_preemption=True),
        share("speech", 4, BORROW),
        share("nightly", 1, LEND),
        share("release", {P5: 1}, RESERVE, enabled=False),
        time_limits=(limit,),
    )
    assert shown(both) == snapshot
    assert shown(three_shares()) == snapshot


@pytest.mark.parametrize(
    ("strategy", "percent", "words"),
    [
        (BORROW, None, "unlimited (default)"),
        (BORROW, -1, "unlimited"),
        (BORROW, 0, "0"),
        (BORROW, 200, "200 %"),
        (LEND, None, "does not borrow"),
        (RESERVE, None, "does not borrow"),
    ],
)
def test_an_absent_borrow_limit_minus_one_and_zero_read_differently(strategy, percent, words):
    """C03, C30."""
    of = queue(8, share("A", 4, strategy, percent), share("B", 4, LEND))
    assert show_document(of)["shares"][0]["borrow_limit_words"] == words
    assert show_document(of)["shares"][0]["borrow_limit"] == percent
    assert words in shown(of)


@pytest.mark.parametrize(
    ("percent", "may_borrow", "hard_cap", "largest"), [(None, None, None, 8), (-1, None, None, 8), (0, 0, 4, 4)]
)
def test_unlimited_borrowing_is_null_in_json_and_none_is_zero(percent, may_borrow, hard_cap, largest):
    """C03: a share of 4 beside a lender of 4."""
    row = unit_of(show_document(queue(8, share("A", 4, BORROW, percent), share("B", 4, LEND))), "A")
    assert (row["may_borrow"], row["hard_cap"], row["largest_job"]) == (may_borrow, hard_cap, largest)


@pytest.mark.parametrize(
    ("limit", "percent", "expected", "note"),
    [
        (10, 50, 5, None),
        (3, 50, 1, f"A: 50 % of 3 {G5} is 1.5, rounded down to 1 (A4)"),
        (1, 50, 0, f"A: 50 % of 1 {G5} is 0.5, rounded down to 0 (A4); borrowing is switched off"),
    ],
)
def test_a_borrow_limit_is_a_part_of_the_shares_own_capacity(limit, percent, expected, note):
    """C20: not of what is idle elsewhere."""
    of = queue(limit + 40, share("A", limit, BORROW, percent), share("B", 40, LEND))
    assert unit_of(show_document(of), "A")["may_borrow"] == expected
    assert notes(of) == ([("fractional-borrow-cap", note)] if note else [])


def test_each_unit_has_a_borrow_cap_of_its_own():
    """C20 (d)."""
    of = queue({G5: 16, P5: 2}, share("A", {G5: 8, P5: 1}, BORROW, 25), share("B", {G5: 8, P5: 1}, LEND))
    document = show_document(of)
    assert [unit_of(document, "A", unit)["may_borrow"] for unit in (G5, P5)] == [2, 0]
    assert [note["kind"] for note in document["notes"]] == ["fractional-borrow-cap"]


def test_a_fraction_is_rounded_as_a4_says():
    of = queue(43, share("A", 3, BORROW, 50), share("B", 40, LEND))
    assert unit_of(show_document(of, "ceil"), "A")["may_borrow"] == 2
    assert notes(of, "ceil") == [("fractional-borrow-cap", f"A: 50 % of 3 {G5} is 1.5, rounded up to 2 (A4)")]


def test_promises_above_and_below_the_environment_are_noted():
    """C19."""
    assert notes(queue(7, share("A", 6, LEND), share("B", 4, LEND))) == [("over-promised", f"{G5}: 10 > 7 (over by 3)")]
    assert notes(queue(11, share("A", 5, LEND), share("B", 5, LEND))) == [("unassigned", f"{G5}: 1 unassigned")]


def test_an_over_promise_comes_out_of_the_guarantees():
    """C19: 6 + 4 promised of 7; whatever the others use, 3 and 1 are left."""
    of = queue(7, share("A", 6, LEND), share("B", 4, LEND))
    assert [guaranteed(of, each, G5) for each in of.shares] == [3, 1]
    assert guaranteed(three_shares(), three_shares().shares[0], G5) == 1


@pytest.mark.parametrize(
    ("of", "name", "largest"),
    [
        (queue(10, share("A", 4, LEND), share("B", 10, LEND)), "A", 4),
        (queue(10, share("A", 2, BORROW, 100), share("B", 8, LEND)), "A", 4),
        (queue(20, share("A", 4, BORROW, 200), share("B", 4, BORROW, 200)), "A", 8),
        (queue(12, share("A", 2, BORROW, -1), share("B", 3, LEND), share("C", 5, RESERVE)), "A", 5),
    ],
)
def test_the_largest_job_is_the_one_that_aws_documents(of, name, largest):
    """C02, R21."""
    assert unit_of(show_document(of), name)["largest_job"] == largest


def test_a_unit_that_the_environment_lacks_is_noted():
    of = queue(2, share("A", {G5: 2, P5: 1}, LEND))
    assert notes(of) == [("not-in-environment", f"A: the environment has no {P5}, so 1 of it can never be used")]
    assert unit_of(show_document(of), "A", P5)["guaranteed"] == 0


def test_what_is_disabled_is_noted():
    of = queue(1, share("A", 1, LEND, enabled=False), enabled=False)
    assert notes(of) == [
        ("disabled", "A is DISABLED: it takes no new jobs"),
        ("disabled", "the queue is DISABLED: nothing new starts"),
    ]


def test_a_long_source_stays_on_one_line():
    from dataclasses import replace

    source = "/".join(["a-long-folder-name"] * 10) + "/queue.yaml"
    assert source in shown(replace(three_shares(), source=source)).splitlines()[0]


def test_names_are_printed_as_they_are_whatever_they_look_like():
    text = shown(queue(2, share("[bold]a[/bold]", 1, LEND), share(":smile:", 1, LEND)))
    assert "[bold]a[/bold]" in text
    assert ":smile:" in text
