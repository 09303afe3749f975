"""R20: what changes while jobs run, and what a DISABLED part of a queue does."""

from __future__ import annotations

import pytest
from world import case, play, world

from quota_verifier.scheduler.events import Reason

LENT = "A 1 L&B; B 2 LEND"


@pytest.mark.parametrize(
    ("row", "options", "then"),
    [
        case(
            "R20 a lowered environment stops nobody and places nobody beyond it",
            "g5 2",
            "S 2 RESERVE",
            "a S 0 10 1; b S 0 20 1; c S 6 5 1",
            updates="5 env 1",
            then={"a": "0-10", "b": "0-20", "c": "20-25"},
        ),
        case(
            "R20 a raised environment is used at once",
            "g5 1",
            "S 2 RESERVE",
            "a S 0 100 1; b S 1 10 1",
            updates="5 env 2",
            then={"b": "5-15"},
        ),
        case(
            "R20 a DISABLED environment places nobody and lets jobs run on",
            "g5 2",
            "S 2 RESERVE",
            "a S 0 10 1; b S 1 10 1",
            updates="0.5 env disabled; 30 env enabled",
            then={"a": "0-10", "b": "30-40"},
        ),
        case(
            "R20 a DISABLED environment preempts nobody",
            "g5 2",
            "A 1 L&B; B 1 LEND",
            "a1 A 0 long 1; a2 A 0 long 1; b B 5 10 1",
            updates="4 env disabled; 8 env enabled",
            preemptions=["8 a2 by b"],
            then={"b": "8-18"},
        ),
        case(
            "R20 a lowered limit stops nobody by itself",
            "g5 2",
            "S 2 RESERVE",
            "a S 0 20 1; b S 0 20 1; c S 6 10 1",
            updates="5 S 1",
            preemptions=[],
            then={"a": "0-20", "b": "0-20", "c": "20-30"},
        ),
        case(
            "R20 jobs over a lowered limit are candidates even in a RESERVE share",
            "g5 2",
            "S 2 RESERVE; T 0 RESERVE",
            "a S 0 long 1; b S 0 long 1; t T 10 10 1",
            updates="5 S 1; 5 T 1",
            preemptions=["10 b by t"],
            then={"a": "0-", "b": "0-10 reclaimed by t, waits", "t": "10-20"},
        ),
        case(
            "R20 a raised limit is used at once",
            "g5 2",
            "S 1 RESERVE",
            "a S 0 long 1; b S 1 10 1",
            updates="5 S 2",
            then={"b": "5-15"},
        ),
        case(
            "R20 a limit can go away with its unit",
            "g5 1, p5 1",
            "S g5=1,p5=1 RESERVE",
            "a S 0 10 p5=1; b S 1 10 p5=1",
            updates="5 S g5=1",
            then={"a": "0-10", "b": "waits"},
        ),
        case(
            "R20 a lender that becomes RESERVE lends no more but does not take back at once",
            "g5 3",
            LENT,
            "a1 A 0 20 1; a2 A 0 10 1; a3 A 6 5 1",
            updates="5 B RESERVE",
            preemptions=[],
            then={"a1": "0-20", "a2": "0-10", "a3": "20-25"},
        ),
        case(
            "R20 a lender that became RESERVE takes back what it needs",
            "g5 3",
            LENT,
            "a1 A 0 long 1; a2 A 0 long 1; b B 6 10 2",
            updates="5 B RESERVE",
            preemptions=["6 a2 by b"],
            then={"b": "6-16"},
        ),
        case(
            "R20 a RESERVE share that becomes LEND lends at once",
            "g5 2",
            "A 1 L&B; B 1 RESERVE",
            "a1 A 0 20 1; a2 A 0 10 1",
            updates="5 B LEND",
            then={"a2": "5-15"},
        ),
        case(
            "R20 a borrower that becomes LEND keeps what runs and borrows no more",
            "g5 3",
            LENT,
            "a1 A 0 30 1; a2 A 0 20 1; a3 A 6 5 1",
            updates="5 A LEND",
            then={"a2": "0-20", "a3": "30-35"},
        ),
        case(
            "R20 a borrow limit alone keeps the strategy",
            "g5 3",
            LENT,
            "a1 A 0 20 1; a2 A 6 5 1",
            updates="5 A percent=0",
            then={"a2": "20-25"},
        ),
        case(
            "R20 a new strategy without a borrow limit drops the old one",
            "g5 3",
            "A 1 L&B 0; B 2 LEND",
            "a1 A 0 20 1; a2 A 1 10 1",
            updates="5 A L&B",
            then={"a2": "5-15"},
        ),
        case(
            "R20 in-share preemption works from the moment on that it is enabled",
            "g5 1",
            "S 1 RESERVE",
            "a S 0 100 1; b S 1 10 1 p5",
            updates="5 S in-share",
            preemptions=["5 a by b"],
            then={"b": "5-15"},
        ),
        case(
            "R20 a DISABLED share refuses new jobs and goes on with those it has",
            "g5 1",
            "S 1 RESERVE",
            "a S 0 10 1; b S 1 10 1; c S 6 10 1; d S 16 10 1",
            updates="5 S disabled; 15 S enabled",
            then={"a": "0-10", "b": "10-20", "c": "REJECTED", "d": "20-30"},
        ),
        case(
            "R20 a DISABLED queue refuses every job",
            "g5 1",
            "S 1 RESERVE",
            "a S 0 10 1",
            enabled=False,
            then={"a": "REJECTED"},
        ),
    ],
)
def test_rule(row, options, then):
    play(row, options, then)


def test_a_rejected_job_tells_what_was_disabled():
    share = world("g5 1", "S 1 RESERVE disabled", "a S 0 10 1").outcome("a")
    assert (share.reason, share.detail) == (Reason.SHARE_DISABLED, "quota share S is DISABLED")
    queue = world("g5 1", "S 1 RESERVE", "a S 0 10 1", enabled=False).outcome("a")
    assert (queue.reason, queue.detail) == (Reason.QUEUE_DISABLED, "job queue queue is DISABLED")


def test_an_environment_that_was_lowered_during_a_stop_keeps_the_preemptor_waiting():
    # a2 is released at 25, but the environment has one instance less by then. b starts when a1 has ended, too.
    played = world(
        "g5 2",
        "A 1 L&B; B 1 LEND",
        "a1 A 0 60 1; a2 A 0 10 1; b B 5 10 1",
        updates="10 env 1",
        stop=20,
    )
    played.expect(a1="0-60", a2="0-5..25 reclaimed by b, 60-70", b="70-80")
