"""R12-R18: one scheduling pass."""

from __future__ import annotations

import pytest
from world import case, play, world

from quota_verifier.scheduler.events import Reason


@pytest.mark.parametrize(
    ("row", "options", "then"),
    [
        case(
            "R12 a share under its limit comes before a borrower that was there first",
            "g5 2",
            "B 1 L&B; A 1 LEND",
            "b0 B 0 long 1; b1 B 0 10 1; a A 0 10 1",
            preemptions=[],
            then={"b0": "0-", "b1": "10-20", "a": "0-10"},
        ),
        case(
            "R12 a share without anything to lend uses its own only",
            "g5 3",
            "A 1 LEND; B 2 RESERVE",
            "a1 A 0 10 1; a2 A 0 10 1",
            then={"a1": "0-10", "a2": "10-20"},
        ),
        case(
            "R12 every unit of the demand must fit",
            "g5 2, p5 2",
            "A g5=2,p5=1 RESERVE; B p5=1 RESERVE",
            "a A 0 10 g5=1,p5=1; b A 0 10 g5=1,p5=1",
            then={"a": "0-10", "b": "10-20"},
        ),
        case(
            "R13 the owner takes back what was lent",
            "g5 2",
            "A 1 L&B; B 1 LEND",
            "a1 A 0 long 1; a2 A 0 long 1; b B 5 10 1",
            preemptions=["5 a2 by b"],
            then={"a1": "0-", "a2": "0-5 reclaimed by b, 15-", "b": "5-15"},
        ),
        case(
            "R13 the owner takes idle capacity before it evicts anybody",
            "g5 3",
            "A 1 L&B; B 1 LEND; C 1 LEND",
            "a1 A 0 long 1; a2 A 0 long 1; b B 5 10 1",
            preemptions=[],
            then={"b": "5-15"},
        ),
        case(
            "R13 a borrowing job goes whole even where only a part of it is borrowed",
            "g5 4",
            "A 2 L&B; B 2 LEND",
            "a A 0 long 4; b B 5 10 1",
            preemptions=["5 a by b"],
            then={"a": "0-5 reclaimed by b, 15-", "b": "5-15"},
        ),
        case(
            "R13 owners take turns at one borrower only as long as it is over its limit",
            "g5 3",
            "A 1 L&B; B 1 LEND; C 1 LEND",
            "a1 A 0 long 1; a2 A 0 long 1; a3 A 0 long 1; b B 5 10 1; c C 6 10 1",
            preemptions=["5 a3 by b", "6 a2 by c"],
            then={"a1": "0-", "b": "5-15", "c": "6-16"},
        ),
        case(
            "R13 a demand on two units can take one victim for each",
            "g5 2, p5 2",
            "A g5=1,p5=1 L&B; B g5=1,p5=1 LEND",
            "a1 A 0 long g5=1,p5=1; a2 A 0 long g5=1; a3 A 0 long p5=1; b B 5 10 g5=1,p5=1",
            preemptions=["5 a3 by b", "5 a2 by b"],
            then={"a1": "0-", "b": "5-15"},
        ),
        case(
            "R13 over the limit on one unit is no reason to lose another one",
            "g5 2, p5 2",
            "A g5=2,p5=1 L&B; B g5=2,p5=1 LEND",
            "a1 A 0 20 g5=2; a2 A 0 long p5=2; b B 5 10 g5=1",
            preemptions=[],
            then={"a1": "0-20", "a2": "0-", "b": "20-30"},
        ),
        case(
            "R13 nobody is evicted for a job that needs more than its share's limit",
            "g5 4",
            "A 1 L&B; B 2 L&B; C 1 LEND",
            "a1 A 0 long 1; a2 A 0 long 3; b B 5 10 3",
            preemptions=[],
            then={"a2": "0-", "b": "waits"},
        ),
        case(
            "R13 no priority shields a borrower from the owner",
            "g5 2",
            "A 1 L&B in-share; B 1 LEND",
            "a1 A 0 long 1 p9; a2 A 0 long 1 p8; b B 5 10 1",
            preemptions=["5 a2 by b"],
            then={"b": "5-15"},
        ),
        case(
            "R15 idle capacity goes to borrowers first in first out",
            "g5 3",
            "A 1 L&B; B 1 L&B; C 1 LEND",
            "a0 A 0 long 1; b0 B 0 long 1; c C 0 5 1; b1 B 1 10 1; a1 A 2 10 1",
            then={"b1": "5-15", "a1": "15-25"},
        ),
        case(
            "R15 first in first out has no regard for priorities",
            "g5 3",
            "A 1 L&B; B 1 L&B; C 1 LEND",
            "a0 A 0 long 1 p9; b0 B 0 long 1; c C 0 5 1; b1 B 1 10 1; a1 A 2 10 1 p9",
            then={"b1": "5-15", "a1": "15-25"},
        ),
        case(
            "R15 a borrower that does not fit does not block the next one",
            "g5 4",
            "A 1 L&B; B 1 L&B; C 2 LEND",
            "a0 A 0 long 1; b0 B 0 long 1; c C 0 20 1; a1 A 1 10 2; b1 B 2 10 1",
            then={"a1": "20-30", "b1": "2-12"},
        ),
        case(
            "R15 a borrower stays within its limit and its borrow limit together",
            "g5 4",
            "A 1 L&B 100; C 3 LEND",
            "a1 A 0 10 1; a2 A 0 20 1; a3 A 0 10 1",
            then={"a1": "0-10", "a2": "0-20", "a3": "10-20"},
        ),
        case(
            "R15 one job can use own and borrowed capacity",
            "g5 3",
            "A 1 L&B; C 2 LEND",
            "a A 0 10 3",
            then={"a": "0-10"},
        ),
        case(
            "R15 a share that borrows lends as well",
            "g5 2",
            "A 1 L&B; B 1 L&B",
            "a1 A 0 10 1; a2 A 0 10 1",
            then={"a1": "0-10", "a2": "0-10"},
        ),
        case(
            "R15 what is lent to one borrower is not there for the next",
            "g5 3",
            "A 1 L&B; B 1 L&B; C 1 LEND",
            "a1 A 0 10 2; b1 B 1 20 2",
            then={"a1": "0-10", "b1": "10-30"},
        ),
        case(
            "R16 a higher priority takes the place of a lower one",
            "g5 1",
            "S 1 RESERVE in-share",
            "a S 0 100 1 p1; b S 5 10 1 p2",
            preemptions=["5 a by b"],
            then={"a": "0-5 ousted by b, 15-115", "b": "5-15"},
        ),
        case(
            "R16 the same priority does not",
            "g5 1",
            "S 1 RESERVE in-share",
            "a S 0 20 1 p1; b S 5 10 1 p1",
            then={"a": "0-20", "b": "20-30"},
        ),
        case(
            "R16 not where it is disabled",
            "g5 1",
            "S 1 RESERVE",
            "a S 0 20 1 p1; b S 5 10 1 p2",
            then={"a": "0-20", "b": "20-30"},
        ),
        case(
            "R16 only jobs of the same share",
            "g5 2",
            "S 1 RESERVE in-share; T 1 RESERVE in-share",
            "s S 0 20 1 p5; t T 0 20 1 p1; b S 5 10 1 p3",
            then={"s": "0-20", "t": "0-20", "b": "20-30"},
        ),
        case(
            "R16 nobody is evicted for a job that would still wait",
            "g5 3",
            "S 3 RESERVE in-share",
            "a S 0 20 2 p5; b S 0 20 1 p1; h S 5 10 2 p3",
            preemptions=[],
            then={"a": "0-20", "b": "0-20", "h": "20-30"},
        ),
        case(
            "R16 a head that borrows takes the place of one that borrows",
            "g5 2",
            "A 1 L&B 100 in-share; C 1 LEND",
            "a1 A 0 100 1 p1; a2 A 0 100 1 p1; h A 5 10 1 p5",
            preemptions=["5 a2 by h"],
            then={"a1": "0-100", "a2": "0-5 ousted by h, 15-115", "h": "5-15"},
        ),
        case(
            "R16 a job that can borrow evicts nobody",
            "g5 3",
            "A 1 L&B in-share; C 2 LEND",
            "a1 A 0 100 1 p1; h A 5 10 2 p5",
            preemptions=[],
            then={"h": "5-15"},
        ),
        case(
            "R16 an owner reclaims before it evicts its own",
            "g5 4",
            "A 2 LEND in-share; B 2 L&B",
            "b1 B 0 long 2; a1 A 0 long 1 p1; b2 B 1 long 1; h A 5 10 1 p9",
            preemptions=["5 b2 by h"],
            then={"a1": "0-", "h": "5-15"},
        ),
        case(
            "R17 only as many as are needed go and the lowest priority first",
            "g5 4",
            "S 4 RESERVE in-share",
            "a S 0 100 1 p3; b S 0 100 1 p1; c S 0 100 1 p2; d S 0 100 1 p4; h S 5 10 2 p9",
            preemptions=["5 b by h", "5 c by h"],
            then={"a": "0-100", "d": "0-100", "h": "5-15"},
        ),
        case(
            "R17 of equals the latest dispatched goes",
            "g5 2",
            "S 2 RESERVE in-share",
            "a S 0 100 1; b S 1 100 1; h S 5 10 1 p9",
            preemptions=["5 b by h"],
            then={"a": "0-100"},
        ),
        case(
            "R17 a victim that a later one makes needless is spared",
            "g5 4",
            "S 4 RESERVE in-share",
            "x S 0 100 1; z S 0 100 3 p1; h S 5 10 3 p9",
            preemptions=["5 z by h"],
            then={"x": "0-100", "h": "5-15"},
        ),
        case(
            "R17 a job without the contested unit is passed over",
            "g5 1, p5 1",
            "S g5=1,p5=1 RESERVE in-share",
            "x S 0 100 g5=1; y S 0 100 p5=1 p1; h S 5 10 p5=1 p9",
            preemptions=["5 y by h"],
            then={"x": "0-100", "h": "5-15"},
        ),
        case(
            "R18 a victim comes back with its priority",
            "g5 2",
            "A 1 L&B; B 1 LEND",
            "a1 A 0 long 1 p9; a2 A 1 10 1 p5; a3 A 2 10 1 p1; b B 5 10 1",
            then={"a2": "1-5 reclaimed by b, 15-25", "a3": "25-35"},
        ),
    ],
)
def test_rule(row, options, then):
    play(row, options, then)


def test_the_log_says_on_what_capacity_a_job_started():
    played = world("g5 2", "A 1 L&B; B 1 LEND", "a1 A 0 long 1; a2 A 0 20 1; b B 5 10 1")
    assert played.reasons("a1") == [Reason.OWN_CAPACITY]
    assert played.reasons("a2") == [Reason.BORROWED_CAPACITY, Reason.BORROWED_CAPACITY]
    assert played.reasons("b") == [Reason.OWN_CAPACITY]


def test_nobody_is_evicted_in_a_share_so_that_it_borrows_while_an_owner_waits():
    # More is promised than there is, so that j16 must wait as an owner. If j23 took the place of j9 and j27 and
    # borrowed one instance, j16 would reclaim it at once, and so on without end.
    played = world(
        "g5 10",
        "S 5 L&B in-share; T 3 L&B; U 3 L&B in-share",
        "j9 S 3 100 2; j12 U 3.5 100 4 p2; j23 S 4 100 6 p2; j16 U 14 100 3; j5 T 16.5 100 3; j27 S 17 100 3",
        assuming="A1=skip",
    )
    assert played.preemptions == ["4 j9 by j23", "16.5 j23 by j5", "17 j12 by j27"]
    played.expect(
        j9="3-4 ousted by j23, 16.5-116.5",
        j5="16.5-116.5",
        j27="17-117",
        j16="116.5-216.5",
        j12="3.5-17 reclaimed by j27, 116.5-216.5",
        j23="4-16.5 reclaimed by j5, 216.5-316.5",
    )
