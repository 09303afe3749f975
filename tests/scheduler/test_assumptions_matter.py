"""A1-A10: for every alternative a world in which it makes a difference, against the default."""

from __future__ import annotations

import pytest
from world import world

from quota_verifier.scheduler import QUESTIONS

# Six borrowers, of which any one would do for b: by size, dispatch, priority and checkpoint each is somebody's choice.
VICTIMS = (
    "g5 12",
    "A 1 L&B; B 11 LEND",
    "x A 0 long 2 p5; w A 1 long 2 p1; v A 2 long 1 p5; u A 3 long 2 p5 cp=17; y A 4 long 3 p5; z A 5 long 2 p5; "
    "b B 20 10 1",
)

HEADS = ("g5 2", "S 2 RESERVE", "a S 0 10 1; b S 1 10 2; c S 2 10 1")
TWO_UNITS = ("g5 1, p5 1", "S g5=1,p5=1 RESERVE", "a S 0 10 g5=1; b S 1 10 g5=1; c S 2 10 p5=1")
# Two shares are promised one instance, which is busy until 10. b waits longer than a.
CONTESTED = ("g5 1", "A 1 LEND; B 1 LEND", "x B 0 10 1; b B 3 10 1; a A 5 10 1")
# A has one of two and B none of one when an instance gets free at 10. a waits longer than b.
UNEVEN = ("g5 2", "A 2 LEND; B 1 LEND", "y A 0 long 1; x A 0 10 1; a A 3 10 1; b B 5 10 1")
# a1 was submitted before b1, but is the head of A only since 15, when a9 is terminated.
FIFO = (
    "g5 3",
    "A 1 L&B; B 1 L&B; C 1 LEND",
    "a0 A 0 long 1; b0 B 0 long 1; c C 0 20 1; a9 A 1 long 1 p9; a1 A 2 10 1; b1 B 5 10 1",
)
HALF = ("g5 2", "A 1 L&B 50; C 1 LEND", "a1 A 0 10 1; a2 A 0 10 1")
WAITING = ("g5 3", "G 2 LEND; BE 1 L&B", "b0 BE 0 1000 1; g1 G 0 100 1; g2 G 1 100 2; b1 BE 2 300 1")
SPARE = ("g5 3", "A 1 L&B; B 1 RESERVE", "a1 A 0 10 1; a2 A 0 10 1")
REQUEUED = ("g5 2", "A 1 L&B; B 1 LEND", "a1 A 0 long 1; v A 0 10 1; o A 3 10 1; b B 5 10 1")
MEANS = ("g5 2", "A 1 L&B in-share; B 1 LEND", "a1 A 0 10 1 p1; h A 5 10 1 p9")
DISABLED = ("g5 2", "A 1 L&B; B 1 LEND", "a1 A 0 20 1; a2 A 6 10 1")

ROWS = [
    ("A1=per-unit", TWO_UNITS, {}, {"b": "10-20", "c": "10-20"}, {"b": "10-20", "c": "2-12"}),
    ("A1=skip", HEADS, {}, {"b": "10-20", "c": "20-30"}, {"b": "12-22", "c": "2-12"}),
    ("A2=declaration", CONTESTED, {}, {"b": "10-20", "a": "20-30"}, {"a": "10-20", "b": "20-30"}),
    ("A2=round-robin", CONTESTED, {}, {"b": "10-20", "a": "20-30"}, {"a": "10-20", "b": "20-30"}),
    ("A2=least-used", UNEVEN, {}, {"a": "10-20", "b": "20-30"}, {"b": "10-20", "a": "20-30"}),
    (
        "A3=head-since",
        FIFO,
        {"updates": "15 a9 terminate"},
        {"a1": "20-30", "b1": "30-40"},
        {"b1": "20-30", "a1": "30-40"},
    ),
    ("A4=ceil", HALF, {}, {"a2": "10-20"}, {"a2": "0-10"}),
    ("A5=hold", WAITING, {}, {"b1": "2-100 reclaimed by g2, 200-500"}, {"b1": "200-500"}),
    ("A6=borrowable", SPARE, {}, {"a2": "10-20"}, {"a2": "0-10"}),
    ("A7=latest", VICTIMS, {}, {"w": "1-20 reclaimed by b, 30-"}, {"z": "5-20 reclaimed by b, 30-"}),
    ("A7=oldest", VICTIMS, {}, {"x": "0-"}, {"x": "0-20 reclaimed by b, 30-"}),
    ("A7=most-borrowed", VICTIMS, {}, {"y": "4-"}, {"y": "4-20 reclaimed by b, 30-"}),
    ("A7=least-work-lost", VICTIMS, {}, {"u": "3-"}, {"u": "3-20 reclaimed by b, 30-"}),
    ("A7=smallest", VICTIMS, {}, {"v": "2-"}, {"v": "2-20 reclaimed by b, 30-"}),
    (
        "A8=back",
        REQUEUED,
        {},
        {"v": "0-5 reclaimed by b, 15-25", "o": "25-35"},
        {"o": "15-25", "v": "0-5 reclaimed by b, 25-35"},
    ),
    ("A9=preempt-first", MEANS, {}, {"a1": "0-10", "h": "5-15"}, {"a1": "0-5 ousted by h, 5-15", "h": "5-15"}),
    ("A10=withheld", DISABLED, {"updates": "5 B disabled"}, {"a2": "6-16"}, {"a2": "20-30"}),
]


@pytest.mark.parametrize(("answer", "row", "options", "default", "then"), ROWS, ids=[row[0] for row in ROWS])
def test_the_answer_makes_a_difference(answer, row, options, default, then):
    world(*row, **options).expect(**default)
    world(*row, **options, assuming=answer).expect(**then)


def test_every_alternative_is_shown():
    alternatives = {f"{question.id}={choice}" for question in QUESTIONS for choice in question.choices[1:]}
    assert alternatives == {row[0] for row in ROWS}


def test_a1_per_unit_a_job_on_two_units_blocks_both():
    played = world(
        "g5 1, p5 1",
        "S g5=1,p5=1 RESERVE",
        "a S 0 10 g5=1; b S 1 10 g5=1,p5=1; c S 2 10 p5=1",
        assuming="A1=per-unit",
    )
    played.expect(b="10-20", c="20-30")


def test_a3_heads_are_known_while_the_environment_is_disabled():
    # a1 is the head of A since 5, b1 that of B since 3; nothing is placed before 20. One of the two can borrow then.
    played = world(
        "g5 3",
        "A 1 L&B; B 1 L&B; C 1 LEND",
        "a0 A 0 10 1 p9; a1 A 0 10 2; b0 B 0 10 1 p9; b1 B 1 10 2",
        updates="0 env disabled; 3 b0 terminate; 5 a0 terminate; 20 env enabled",
        assuming="A3=head-since",
    )
    played.expect(b1="20-30", a1="30-40")


def test_a5_hold_a_share_that_waits_for_nothing_still_lends():
    played = world("g5 3", "G 2 LEND; BE 1 L&B", "g1 G 0 100 1; b0 BE 0 10 1; b1 BE 2 10 1", assuming="A5=hold")
    played.expect(b1="2-12")


def test_a5_hold_a_victim_that_will_not_come_back_makes_its_share_hold_nothing():
    # v fails when it is preempted, so that nobody waits in A and A's idle instance is there for b.
    played = world(
        "g5 4",
        "A 2 L&B; B 2 L&B",
        "v A 0 long 3 retries=0; b B 5 10 2",
        assuming="A5=hold",
    )
    played.expect(v="0-5 reclaimed by b, FAILED", b="5-15")


def test_a6_capacity_that_no_share_owns_does_not_make_larger_jobs_possible():
    world("g5 3", "A 1 L&B; B 1 RESERVE", "a A 0 10 2", assuming="A6=borrowable").expect(a="waits")


def test_a8_back_is_the_time_of_the_preemption_and_not_of_the_stop():
    # v is preempted at 5, n submitted at 10, v has stopped at 25: v comes before n.
    played = world(
        "g5 2",
        "A 1 L&B; B 1 LEND",
        "a1 A 0 long 1; v A 0 10 1; n A 10 10 1; b B 5 10 1",
        assuming="A8=back",
        stop=20,
    )
    played.expect(v="0-5..25 reclaimed by b, 35-45", b="25-35", n="45-55")


def test_a9_preempt_first_waits_for_its_victim_instead_of_borrowing_meanwhile():
    played = world(
        "g5 2",
        "A 1 L&B in-share; B 1 LEND",
        "a1 A 0 10 1 p1; h A 5 10 1 p9",
        assuming="A9=preempt-first",
        stop=20,
    )
    played.expect(a1="0-5..25 ousted by h, 25-35", h="25-35")


def test_a9_preempt_first_borrows_where_nobody_of_lower_priority_is_left():
    played = world("g5 2", "A 1 L&B in-share; B 1 LEND", "a1 A 0 10 1 p9; h A 5 10 1 p9", assuming="A9=preempt-first")
    played.expect(a1="0-10", h="5-15")
