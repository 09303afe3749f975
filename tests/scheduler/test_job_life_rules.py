"""R1-R7: the life of a job. E is the environment's capacity, times are seconds."""

from __future__ import annotations

import pytest
from world import case, play, world

from quota_verifier.scheduler.events import Reason

ONE = ("g5 1", "S 1 RESERVE")
"""One share with one instance."""

LENT = ("g5 2", "A 1 L&B; B 1 LEND")
"""A runs a1 on its own instance and a2 on B's; B takes it back with b1 at 5 and has it until 15."""

BUSY, BACK = "a1 A 0 long 1", "b1 B 5 10 1"


@pytest.mark.parametrize(
    ("row", "options", "then"),
    [
        case(
            "R1 a job waits for its own unit however idle another one is",
            "g5 1, p5 1",
            "S g5=1,p5=1 RESERVE",
            "a S 0 10 g5=1; b S 1 10 g5=1",
            then={"a": "0-10", "b": "10-20"},
        ),
        case(
            "R1 a job on two units starts when it has both",
            "g5 1, p5 2",
            "S g5=1,p5=2 RESERVE",
            "a S 0 10 g5=1; b S 0 20 p5=1; c S 1 5 g5=1,p5=2",
            then={"a": "0-10", "b": "0-20", "c": "20-25"},
        ),
        case(
            "R2 capacity is held from dispatch on and work begins after the startup",
            *ONE,
            "a S 0 10 1; b S 0 10 1",
            startup=3,
            then={"a": "0(3)-13", "b": "13(16)-26"},
        ),
        case(
            "R2 a job on two units takes the longer of their startups",
            "g5 2, p5 1",
            "S g5=2,p5=1 RESERVE",
            "a S 0 10 g5=1; b S 0 10 g5=1,p5=1",
            startup={"g5": 2, "p5": 5},
            then={"a": "0(2)-12", "b": "0(5)-15"},
        ),
        case(
            "R2 work of no length ends at the instant at which it starts",
            *ONE,
            "a S 0 0 1; b S 0 10 1",
            then={"a": "0-0", "b": "0-10"},
        ),
        case(
            "R3 a terminated job keeps its capacity while it stops",
            *ONE,
            "a S 0 100 1; b S 5 10 1",
            updates="10 a terminate",
            stop=20,
            then={"a": "0-10..30 terminated, FAILED", "b": "30-40"},
        ),
        case(
            "R3 a waiting job that is terminated fails at once",
            *ONE,
            "a S 0 20 1; b S 5 10 1; c S 6 10 1",
            updates="10 b terminate",
            stop=20,
            then={"a": "0-20", "b": "FAILED", "c": "20-30"},
        ),
        case(
            "R3 a job that is still SCHEDULED stops at once",
            *ONE,
            "a S 0 100 1; b S 5 10 1",
            updates="10 a terminate",
            startup=11,
            stop=20,
            then={"a": "0-10 terminated, FAILED", "b": "10(21)-31"},
        ),
        case(
            "R3 a job is RUNNING from the instant at which its startup is over",
            *ONE,
            "a S 0 100 1; b S 5 10 1",
            updates="10 a terminate",
            startup=10,
            stop=20,
            then={"a": "0(10)-10..30 terminated, FAILED", "b": "30(40)-50"},
        ),
        case(
            "R3 stop times can differ by unit",
            "g5 1, p5 1",
            "S g5=1,p5=1 RESERVE",
            "a S 0 100 g5=1; b S 0 100 p5=1",
            updates="10 a terminate; 10 b terminate",
            stop={"p5": 20},
            then={"a": "0-10 terminated, FAILED", "b": "0-10..30 terminated, FAILED"},
        ),
        case(
            "R3 a job makes no progress while it stops",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 cp=1; {BACK}",
            stop=20,
            then={"a2": "0-5..25 reclaimed by b1, 35-60", "b1": "25-35"},
        ),
        case(
            "R3 a job that is terminated while it stops for a preemptor does not come back",
            *LENT,
            f"{BUSY}; a2 A 0 30 1; {BACK}",
            updates="10 a2 terminate",
            stop=20,
            then={"a2": "0-5..25 terminated, FAILED", "b1": "25-35"},
        ),
        case(
            "R4 without checkpoints a preempted job starts all over",
            *LENT,
            f"{BUSY}; a2 A 0 30 1; {BACK}",
            then={"a2": "0-5 reclaimed by b1, 15-45"},
        ),
        case(
            "R4 with checkpoints it goes on from the last one",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 cp=3; {BACK}",
            then={"a2": "0-5 reclaimed by b1, 15-42"},
        ),
        case(
            "R4 a checkpoint at the very instant counts",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 cp=5; {BACK}",
            then={"a2": "0-5 reclaimed by b1, 15-40"},
        ),
        case(
            "R4 restoring comes before the work of a run that resumes",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 cp=5; {BACK}",
            restore=4,
            then={"a2": "0-5 reclaimed by b1, 15-44"},
        ),
        case(
            "R4 there is nothing to restore before the first checkpoint",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 cp=10; {BACK}",
            restore=4,
            then={"a2": "0-5 reclaimed by b1, 15-45"},
        ),
        case(
            "R5 without retries left a preempted job fails",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 retries=0; {BACK}",
            then={"a2": "0-5 reclaimed by b1, FAILED"},
        ),
        case(
            "R5 with n retries it fails at preemption n+1",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 retries=1; {BACK}; b2 B 18 10 1",
            then={"a2": "0-5 reclaimed by b1, 15-18 reclaimed by b2, FAILED"},
        ),
        case(
            "R5 a preemption uses no attempt",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 attempts=2 fails=10; {BACK}",
            then={"a2": "0-5 reclaimed by b1, 15-25 failed, 25-55"},
        ),
        case(
            "R5 a preemption in the share counts like one across shares",
            "g5 1",
            "S 1 RESERVE in-share",
            "a S 0 30 1 retries=0; b S 5 10 1 p1",
            then={"a": "0-5 ousted by b, FAILED", "b": "5-15"},
        ),
        case("R6 one attempt is the default", *ONE, "a S 0 10 1 fails=4", then={"a": "0-4 failed, FAILED"}),
        case(
            "R6 a failed run is tried again while attempts are left",
            *ONE,
            "a S 0 10 1 attempts=3 fails=4 fails=5",
            then={"a": "0-4 failed, 4-9 failed, 9-19"},
        ),
        case(
            "R6 attempts count all runs, the first one too",
            *ONE,
            "a S 0 10 1 attempts=2 fails=4 fails=5",
            then={"a": "0-4 failed, 4-9 failed, FAILED"},
        ),
        case(
            "R6 a failure that a run does not reach stays for the next run",
            *LENT,
            f"{BUSY}; a2 A 0 30 1 attempts=2 fails=6; {BACK}",
            then={"a2": "0-5 reclaimed by b1, 15-21 failed, 21-51"},
        ),
        case(
            "R6 evaluateOnExit can say EXIT",
            *ONE,
            "a S 0 10 1 attempts=3 fails=4:Bad_image exit=Bad*",
            then={"a": "0-4 failed, FAILED"},
        ),
        case(
            "R6 the first rule that matches decides",
            *ONE,
            "a S 0 10 1 attempts=3 fails=4:Bad_image retry=Bad_image exit=*",
            then={"a": "0-4 failed, 4-14"},
        ),
        case(
            "R6 no rule that matches means another try",
            *ONE,
            "a S 0 10 1 attempts=3 fails=4:Bad_image exit=Good*",
            then={"a": "0-4 failed, 4-14"},
        ),
        case(
            "R6 only an asterisk at the end stands for more text",
            *ONE,
            "a S 0 10 1 attempts=3 fails=4:Bad_image exit=*image",
            then={"a": "0-4 failed, 4-14"},
        ),
        case(
            "R6 a rule without an asterisk matches the whole reason only",
            *ONE,
            "a S 0 10 1 attempts=3 fails=4:Bad_image exit=Bad",
            then={"a": "0-4 failed, 4-14"},
        ),
        case(
            "R6 a failed run goes back to its old place",
            *ONE,
            "a S 0 10 1 attempts=2 fails=4; b S 1 10 1",
            then={"a": "0-4 failed, 4-14", "b": "14-24"},
        ),
        case(
            "R6 capacity errors use no attempt, hold capacity and may come again and again",
            *ONE,
            "a S 0 10 1 fails=5:CapacityError fails=6:CapacityError fails=7:CapacityError; b S 1 10 1",
            then={"a": "0-5 no machines, 5-11 no machines, 11-18 no machines, 18-28", "b": "28-38"},
        ),
        case(
            "R6 no retry rule applies to a capacity error",
            *ONE,
            "a S 0 10 1 fails=5:CapacityError exit=*",
            then={"a": "0-5 no machines, 5-15"},
        ),
        case(
            "R7 a run ends when it has been RUNNING for the timeout",
            *ONE,
            "a S 0 10 1 timeout=6",
            startup=3,
            then={"a": "0(3)-9 timed out, FAILED"},
        ),
        case("R7 work as long as the timeout gets done", *ONE, "a S 0 6 1 timeout=6", then={"a": "0-6"}),
        case(
            "R7 a timeout counts as a failed run",
            *ONE,
            "a S 0 10 1 timeout=6 attempts=2",
            then={"a": "0-6 timed out, 6-12 timed out, FAILED"},
        ),
        case(
            "R7 every run has its own clock",
            *LENT,
            f"{BUSY}; a2 A 0 6 1 timeout=6; {BACK}",
            then={"a2": "0-5 reclaimed by b1, 15-21"},
        ),
        case(
            "R7 what a checkpoint kept need not be done again after a timeout",
            *ONE,
            "a S 0 10 1 timeout=6 attempts=2 cp=2",
            then={"a": "0-6 timed out, 6-10"},
        ),
    ],
)
def test_rule(row, options, then):
    play(row, options, then)


def test_r4_lost_work_adds_up_over_preemptions():
    # 5 s done, 4 kept; then 3 s more, 7 done, 4 kept: 1 + 3 s lost.
    played = world(*LENT, f"{BUSY}; a2 A 0 30 1 cp=4; {BACK}; b2 B 18 10 1")
    played.expect(a2="0-5 reclaimed by b1, 15-18 reclaimed by b2, 28-54")
    assert played.outcome("a2").lost_ms == 4_000
    assert played.outcome("a2").preemptions == 2


def test_r4_a_preemption_while_restoring_loses_nothing_more():
    played = world(*LENT, f"{BUSY}; a2 A 0 30 1 cp=5; {BACK}; b2 B 20 10 1", restore=10)
    played.expect(a2="0-5 reclaimed by b1, 15-20 reclaimed by b2, 30-65")
    assert played.outcome("a2").lost_ms == 0


@pytest.mark.parametrize(
    ("shares", "text"),
    [
        ("A 1 L&B; B 1 LEND", "Cross-share preemption triggered to reclaim borrowed capacity"),
        ("A 2 L&B in-share; B 0 LEND", "In-share preemption triggered by a higher priority job"),
    ],
)
def test_r5_a_job_without_retries_tells_which_preemption_ended_it(shares, text):
    by = "b1 B 5 10 1" if "B 1" in shares else "b1 A 5 10 1 p9"
    played = world("g5 2", shares, f"a1 A 0 long 1 p1; a2 A 0 30 1 retries=0; {by}")
    assert played.outcome("a2").detail == text
    assert played.outcome("a2").reason is Reason.PREEMPTION_RETRIES_EXHAUSTED


def test_r6_a_failed_job_tells_the_status_reason_of_its_last_run():
    played = world(*ONE, "a S 0 10 1 attempts=2 fails=4:First fails=4:Second")
    assert played.outcome("a").detail == "Second"
