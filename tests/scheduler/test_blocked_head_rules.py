"""R21 and R8: jobs that can never start block their share, and time limits end them."""

from __future__ import annotations

import pytest
from world import case, play, world

from quota_verifier.scheduler.events import Reason
from quota_verifier.scheduler.run import State

MAX, EXCEEDED = "SERVICE_ENVIRONMENT_MAX_RESOURCE 600", "QUOTA_MANAGEMENT_LIMIT_EXCEEDED 600"


@pytest.mark.parametrize(
    ("row", "options", "then"),
    [
        case(
            "R21 own 2 with limit 100 runs at most 4",
            "g5 10",
            "A 2 L&B 100; B 8 LEND",
            "a A 0 10 4; b A 1 10 5",
            then={"a": "0-10", "b": "waits"},
        ),
        case(
            "R21 own 4 with limit 200 and a neighbour of 4 runs at most 8",
            "g5 12",
            "A 4 L&B 200; B 4 LEND; R 4 RESERVE",
            "a A 0 10 8; b A 1 10 9",
            then={"a": "0-10", "b": "waits"},
        ),
        case(
            "R21 a share that does not borrow runs at most its limit",
            "g5 10",
            "A 2 LEND; B 8 LEND",
            "a A 0 10 2; b A 1 10 3",
            then={"a": "0-10", "b": "waits"},
        ),
        case(
            "R21 nobody runs more than the environment has",
            "g5 3",
            "A 4 RESERVE",
            "a A 0 10 3; b A 1 10 4",
            then={"a": "0-10", "b": "waits"},
        ),
        case(
            "R21 a unit that the share does not list is never borrowed",
            "g5 1, p5 1",
            "A g5=1 L&B -1; B p5=1 LEND",
            "a A 0 10 p5=1",
            then={"a": "waits"},
        ),
        case(
            "R21 configured limits count and not current idleness",
            "g5 4",
            "A 2 L&B; B 2 LEND",
            "b B 0 1000 2; a A 1 10 4",
            time_limits=EXCEEDED,
            then={"a": "1000-1010"},
        ),
        case(
            "R21 a job that is too large blocks its share and not the others",
            "g5 4",
            "A 2 RESERVE; B 2 RESERVE",
            "h A 0 10 3; a A 1 10 1; b B 1 10 1",
            then={"h": "waits", "a": "waits", "b": "1-11"},
        ),
        case(
            "R21 a higher limit makes it fit",
            "g5 4",
            "A 2 RESERVE; B 2 RESERVE",
            "h A 0 10 3; a A 1 10 1",
            updates="20 A 3; 20 B 1",
            then={"h": "20-30", "a": "30-40"},
        ),
        case(
            "R21 a job that is too large evicts nobody of its own share",
            "g5 4",
            "A 2 L&B 50 in-share; B 2 LEND",
            "a A 0 10 2; h A 1 10 4 p9",
            preemptions=[],
            then={"a": "0-10", "h": "waits"},
        ),
        case(
            "R8 a head above the environment is ended after its time limit",
            "g5 2",
            "S 2 RESERVE",
            "h S 0 10 3; a S 1 10 1",
            time_limits=MAX,
            then={"h": "FAILED", "a": "600-610"},
        ),
        case(
            "R8 a head above its share's limits is ended after its time limit",
            "g5 8",
            "S 2 RESERVE; L 6 LEND",
            "h S 0 10 3; a S 1 10 1",
            time_limits=EXCEEDED,
            then={"h": "FAILED", "a": "600-610"},
        ),
        case(
            "R8 an action for another reason does not end it",
            "g5 8",
            "S 2 RESERVE; L 6 LEND",
            "h S 0 10 3; a S 1 10 1",
            time_limits=MAX,
            then={"h": "waits", "a": "waits"},
        ),
        case(
            "R8 a head that only waits for capacity is not ended",
            "g5 2",
            "S 2 RESERVE",
            "a S 0 1000 2; b S 1 10 2",
            time_limits=f"{MAX}; {EXCEEDED}; INSUFFICIENT_INSTANCE_CAPACITY 600",
            then={"b": "1000-1010"},
        ),
        case(
            "R8 the clock starts when the job becomes the head",
            "g5 2",
            "S 2 RESERVE",
            "a S 0 100 2; b S 0 50 2; h S 0 10 3",
            time_limits=MAX,
            then={"a": "0-100", "b": "100-150", "h": "FAILED"},
        ),
        case(
            "R8 blocked heads are ended one after the other",
            "g5 2",
            "S 2 RESERVE",
            "h S 0 10 3; i S 0 10 4; a S 1 10 1",
            time_limits=MAX,
            then={"h": "FAILED", "i": "FAILED", "a": "1200-1210"},
        ),
        case(
            "R8 a clock ends where the configuration unblocks the job",
            "g5 8",
            "S 2 RESERVE; L 6 LEND",
            "h S 0 1000 3; a S 1 10 1",
            updates="300 S 3",
            time_limits=EXCEEDED,
            then={"h": "300-1300", "a": "1300-1310"},
        ),
        case(
            "R8 a clock starts where the configuration blocks a waiting head",
            "g5 2",
            "S 2 RESERVE",
            "a S 0 1000 2; b S 1 10 2; c S 2 10 1",
            updates="100 S 1",
            time_limits=EXCEEDED,
            then={"a": "0-1000", "b": "FAILED", "c": "1000-1010"},
        ),
        case(
            "R8 time without machines adds up over runs",
            "g5 1",
            "S 1 RESERVE",
            "j S 0 60 1 fails=200:CapacityError fails=200:CapacityError fails=250:CapacityError",
            time_limits="INSUFFICIENT_INSTANCE_CAPACITY 600",
            then={"j": "0-200 no machines, 200-400 no machines, 400-600 terminated, FAILED"},
        ),
        case(
            "R8 time without machines adds up over a preemption",
            "g5 2",
            "A 1 L&B; B 1 LEND",
            "a A 0 long 1; j A 0 60 1 fails=500:CapacityError; b B 250 50 1",
            time_limits="INSUFFICIENT_INSTANCE_CAPACITY 600",
            then={"j": "0-250 reclaimed by b, 300-650 terminated, FAILED"},
        ),
        case(
            "R8 a job that gets its machines in time runs on",
            "g5 1",
            "S 1 RESERVE",
            "j S 0 60 1 fails=599:CapacityError",
            time_limits="INSUFFICIENT_INSTANCE_CAPACITY 600",
            then={"j": "0-599 no machines, 599-659"},
        ),
        case(
            "R8 time RUNNING is no time without machines",
            "g5 1",
            "S 1 RESERVE",
            "j S 0 1000 1 fails=400:CapacityError",
            time_limits="INSUFFICIENT_INSTANCE_CAPACITY 600",
            then={"j": "0-400 no machines, 400-1400"},
        ),
    ],
)
def test_rule(row, options, then):
    play(row, options, then)


@pytest.mark.parametrize(
    ("shares", "size", "limit", "reason"),
    [
        ("S 2 RESERVE; L 6 LEND", 9, MAX, "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"),
        ("S 2 RESERVE; L 6 LEND", 3, EXCEEDED, "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"),
    ],
)
def test_r8_an_ended_head_tells_why_in_awss_words(shares, size, limit, reason):
    outcome = world("g5 8", shares, f"h S 0 10 {size}", time_limits=limit).outcome("h")
    assert (outcome.state, outcome.reason, outcome.end) == (State.FAILED, Reason.TIME_LIMIT, 600_000)
    assert outcome.detail == f"Terminated by JobStateTimeLimit action due to reason: {reason}"


def test_r8_the_clock_starts_anew_when_a_job_is_the_head_again():
    # h is the head from 0 to 300 and again from 400 on, when k has left the queue.
    played = world(
        "g5 2",
        "S 2 RESERVE",
        "a S 0 400 2; h S 0 10 3; k S 300 100 2 p5",
        time_limits=MAX,
    )
    played.expect(a="0-400", k="400-500", h="FAILED")
    assert played.outcome("h").end == 1_000_000


def test_r8_only_the_first_job_of_a_share_has_a_clock_where_others_may_pass_it():
    played = world("g5 2", "S 2 RESERVE", "h S 0 10 3; i S 100 10 4; a S 200 10 1", time_limits=MAX, assuming="A1=skip")
    played.expect(h="FAILED", i="FAILED", a="200-210")
    assert (played.outcome("h").end, played.outcome("i").end) == (600_000, 1_200_000)


@pytest.mark.parametrize(
    ("shares", "size", "text"),
    [
        ("S 4 RESERVE", 9, "SERVICE_ENVIRONMENT_MAX_RESOURCE - Service environment(s) associated with the job queue"),
        (
            "S 4 LEND; L 4 LEND",
            5,
            "QUOTA_MANAGEMENT_LIMIT_EXCEEDED - Job requirements exceed quota share capacity limits.",
        ),
        (
            "S 2 L&B 50; L 4 LEND",
            4,
            "LIMIT_EXCEEDED - Job requirements exceed quota share capacity limits and borrow limits.",
        ),
        (
            "S 2 L&B; L 4 LEND",
            7,
            "LIMIT_EXCEEDED - Job requires borrowing that exceeds all configured borrowable capacity.",
        ),
    ],
)
def test_r21_a_job_that_never_starts_tells_why_in_awss_words(shares, size, text):
    assert text in world("g5 8", shares, f"h S 0 10 {size}").outcome("h").detail
