"""R9-R11: who comes first, and what happens first at one instant."""

from __future__ import annotations

import pytest
from world import case, play, world

ONE = ("g5 1", "S 1 RESERVE")


@pytest.mark.parametrize(
    ("row", "options", "then"),
    [
        case(
            "R9 higher priority first then earlier submission then the order of ids",
            *ONE,
            "x S 0 10 1; d S 2 10 1; c S 2 10 1; b S 1 10 1; a S 3 10 1 p5",
            then={"x": "0-10", "a": "10-20", "b": "20-30", "c": "30-40", "d": "40-50"},
        ),
        case(
            "R9 the head of a share blocks the jobs behind it",
            "g5 2",
            "S 2 RESERVE",
            "x S 0 10 1; a S 1 10 2; b S 2 10 1",
            then={"a": "10-20", "b": "20-30"},
        ),
        case(
            "R9 the head of a share does not block other shares",
            "g5 3",
            "S 2 RESERVE; T 1 RESERVE",
            "x S 0 10 1; a S 1 10 2; t T 2 10 1",
            then={"a": "10-20", "t": "2-12"},
        ),
        case(
            "R9 a preempted job goes back to the place of its submission",
            "g5 2",
            "A 1 L&B; B 1 LEND",
            "a1 A 0 long 1; a2 A 0 10 1; b1 B 5 10 1; a3 A 6 10 1",
            then={"a2": "0-5 reclaimed by b1, 15-25", "a3": "25-35"},
        ),
        case(
            "R10 a new priority moves a waiting job",
            *ONE,
            "x S 0 10 1; a S 1 10 1; b S 2 10 1",
            updates="5 b p9",
            then={"b": "10-20", "a": "20-30"},
        ),
        case(
            "R10 a lower priority exposes a running job to its own share",
            "g5 1",
            "S 1 RESERVE in-share",
            "a S 0 100 1 p5; b S 1 10 1 p3",
            updates="20 a p1",
            then={"a": "0-20 ousted by b, 30-130", "b": "20-30"},
        ),
        case(
            "R10 a higher priority lets a waiting job preempt in its share",
            "g5 1",
            "S 1 RESERVE in-share",
            "a S 0 100 1 p5; b S 1 10 1 p3",
            updates="20 b p6",
            then={"a": "0-20 ousted by b, 30-130", "b": "20-30"},
        ),
        case(
            "R10 a victim keeps the priority that it was given while it ran",
            "g5 1",
            "S 1 RESERVE in-share",
            "a S 0 100 1 p5; b S 10 10 1 p9; c S 11 10 1 p6",
            updates="5 a p7",
            then={"a": "0-10 ousted by b, 20-120", "b": "10-20", "c": "120-130"},
        ),
        case(
            "R10 an update of a job that is over changes nothing",
            *ONE,
            "a S 0 10 1; b S 1 10 1",
            updates="15 a p9; 15 a terminate",
            then={"a": "0-10", "b": "10-20"},
        ),
        case(
            "R11 what ends at an instant is free for what is submitted then",
            *ONE,
            "a S 0 10 1; b S 10 10 1",
            then={"a": "0-10", "b": "10-20"},
        ),
        case(
            "R11 a job that ends at an instant cannot be terminated then",
            *ONE,
            "a S 0 10 1",
            updates="10 a terminate",
            then={"a": "0-10"},
        ),
        case(
            "R11 configuration changes come before submissions",
            "g5 2",
            "S 1 RESERVE",
            "a S 0 100 1; b S 10 10 1; c S 20 10 1",
            updates="10 S 2; 20 S disabled",
            then={"b": "10-20", "c": "REJECTED"},
        ),
        case(
            "R11 an update of a job at its submission applies to the submitted job",
            *ONE,
            "a S 10 10 1; b S 10 10 1",
            updates="10 b p9",
            then={"b": "10-20", "a": "20-30"},
        ),
        case(
            "R11 one pass sees all submissions of an instant",
            *ONE,
            "a S 0 10 1; b S 0 10 1 p5",
            then={"b": "0-10", "a": "10-20"},
        ),
        case(
            "R11 a stop that ends is a release like any other",
            "g5 2",
            "A 1 L&B; B 1 LEND",
            "a1 A 0 long 1; a2 A 0 10 1; b1 B 5 10 1; b2 B 25 10 1 p9",
            stop=20,
            then={"a2": "0-5..25 reclaimed by b1, 45-55", "b2": "25-35", "b1": "35-45"},
        ),
    ],
)
def test_rule(row, options, then):
    play(row, options, then)


def test_the_run_ends_with_its_last_event_and_not_with_a_clock_that_came_to_nothing():
    # h is blocked for ever, its time would be up at 600, but it is terminated at 100.
    played = world(
        "g5 1",
        "S 1 RESERVE",
        "h S 0 10 2",
        updates="100 h terminate",
        time_limits="SERVICE_ENVIRONMENT_MAX_RESOURCE 600",
    )
    played.expect(h="FAILED")
    assert played.run.end_ms == 100_000
