"""Sentences for every kind of event, and the timeline around an instant."""

from __future__ import annotations

import pytest
from world import world

from quota_verifier.scheduler.events import Event, Kind, Reason
from quota_verifier.scheduler.replay import replayed
from quota_verifier.scheduler.sentences import sentence
from quota_verifier.scheduler.timeline import timeline

DEMO = world(
    "g5 3",
    "QS1 1 L&B 200 in-share; QS2 1 LEND; QS3 1 RESERVE",
    "high QS1 0 long 1 p3; med QS1 0 long 1 p2; low QS1 0 long 1 p1; qs2j QS2 10 long 1 p1",
    updates="20 low p4",
)


def told(played, kind, job=None, reason=None) -> list[str]:
    """The sentences of events of a kind, of a job or with a reason if so asked."""
    return [
        sentence(event, state)
        for state, event in replayed(played.run)
        if event.kind is kind
        and (job is None or played.run.jobs[event.job].id == job)
        and (reason is None or event.reason is reason)
    ]


def test_the_timeline_of_awss_example_reads_as_aws_tells_it():
    assert timeline(DEMO.run, 0) == (
        """\
 0s  high  QS1  submitted: asks for 1 g5, priority 3
 0s  low   QS1  submitted: asks for 1 g5, priority 1
 0s  med   QS1  submitted: asks for 1 g5, priority 2
 0s  high  QS1  starts within its share's limit: QS1 now holds 1 of its 1 g5 (R12)
 0s  med   QS1  starts on borrowed capacity: QS1 now holds 2 g5, 1 above its limit of 1 (at most 3) (R15)
                = g5: QS1 2/1, QS2 0/1, QS3 0/1; 1 of 3 free
10s  qs2j  QS2  submitted: asks for 1 g5, priority 1
10s  med   QS1  preempted to make room for qs2j (QS2): QS1 holds 2 of its limit 1 on g5 (R13)
10s  med   QS1  stopped: 1 g5 released (R3)
10s  med   QS1  waits again; a preemption uses no attempt (R5)
10s  qs2j  QS2  starts within its share's limit: QS2 now holds 1 of its 1 g5 (R12)
                = g5: QS1 1/1, QS2 1/1, QS3 0/1; 1 of 3 free
20s  low   QS1  priority changed from 1 to 4 (R10)
20s  high  QS1  preempted to make room for low of the same share: priority 3 is below 4 (R16)
20s  high  QS1  stopped: 1 g5 released (R3)
20s  high  QS1  waits again; a preemption uses no attempt (R5)
20s  low   QS1  starts within its share's limit: QS1 now holds 1 of its 1 g5 (R12)
                = g5: QS1 1/1, QS2 1/1, QS3 0/1; 1 of 3 free"""
    )


def test_a_window_shows_what_is_near_and_counts_the_rest():
    assert timeline(DEMO.run, 20_000, window_ms=5_000).splitlines() == [
        "... 10 earlier events",
        "20s  low   QS1  priority changed from 1 to 4 (R10)",
        "20s  high  QS1  preempted to make room for low of the same share: priority 3 is below 4 (R16)",
        "20s  high  QS1  stopped: 1 g5 released (R3)",
        "20s  high  QS1  waits again; a preemption uses no attempt (R5)",
        "20s  low   QS1  starts within its share's limit: QS1 now holds 1 of its 1 g5 (R12)",
        "                = g5: QS1 1/1, QS2 1/1, QS3 0/1; 1 of 3 free",
    ]


def test_a_timeline_keeps_to_its_rows_around_the_instant():
    lines = timeline(DEMO.run, 10_000, max_rows=3).splitlines()
    assert lines[0] == "... 4 earlier events"
    assert lines[-1] == "... 8 later events"
    shown = [line for line in lines if line.lstrip().startswith(("0s", "10s", "20s"))]
    assert [line.split()[0] for line in shown] == ["0s", "10s", "10s"]


def test_an_instant_at_which_nothing_happens_near_is_said_so():
    assert timeline(DEMO.run, 500_000, window_ms=1_000) == "nothing happens around 500s"


def test_usage_is_shown_for_every_unit_that_somebody_may_use():
    played = world("g5 1, p5 2, p4 1", "S g5=1,p5=2 RESERVE", "a S 0 10 p5=1")
    assert timeline(played.run, 0).splitlines()[2:4] == [
        "           = g5: S 0/1; 1 of 1 free",
        "           = p5: S 1/2; 1 of 2 free",
    ]


@pytest.mark.parametrize(
    ("kind", "played", "expected"),
    [
        (
            Kind.REJECTED,
            world("g5 1", "S 1 RESERVE disabled", "a S 0 10 1"),
            ["rejected: its quota share is DISABLED (R20)"],
        ),
        (
            Kind.REJECTED,
            world("g5 1", "S 1 RESERVE", "a S 0 10 1", enabled=False),
            ["rejected: the job queue is DISABLED (R20)"],
        ),
        (
            Kind.TERMINATED,
            world("g5 1", "S 1 RESERVE", "a S 0 10 1; b S 0 10 1", updates="5 a terminate; 5 b terminate"),
            [
                "terminated by request while it held capacity (R3)",
                "terminated by request while waiting (R3)",
            ],
        ),
        (
            Kind.TERMINATED,
            world("g5 1", "S 1 RESERVE", "h S 0 10 2", time_limits="SERVICE_ENVIRONMENT_MAX_RESOURCE 600"),
            ["terminated by a time-limit action while waiting (R8)"],
        ),
        (
            Kind.STOPPED,
            world("g5 2", "S 2 RESERVE in-share", "a S 0 90 2 cp=4; b S 5 10 1 p1"),
            ["stopped: 2 g5 released, 4s of work kept (R3)"],
        ),
        (
            Kind.ATTEMPT_FAILED,
            world("g5 1", "S 1 RESERVE", "a S 0 10 1 attempts=3 timeout=7 fails=3:CapacityError fails=6"),
            [
                "got no machines: 1 g5 released (R6)",
                "run failed: 1 g5 released (R6)",
                "timed out after 7s of RUNNING: 1 g5 released (R7)",
                "timed out after 7s of RUNNING: 1 g5 released (R7)",
            ],
        ),
        (
            Kind.REQUEUED,
            world("g5 1", "S 1 RESERVE", "a S 0 10 1 attempts=3 timeout=7 fails=3:CapacityError fails=6"),
            [
                "waits again; a capacity error uses no attempt (R6)",
                "waits for its next attempt (R6)",
                "waits for its next attempt (R7)",
            ],
        ),
        (
            Kind.FAILED,
            world("g5 1", "S 1 RESERVE", "a S 0 10 1 timeout=7; b S 1 10 1 fails=3"),
            [
                "failed: no attempts are left after the timeout, or a retry rule says EXIT (R7)",
                "failed: no attempts are left, or a retry rule says EXIT (R6)",
            ],
        ),
        (
            Kind.FAILED,
            world("g5 1", "S 1 RESERVE in-share", "a S 0 20 1 retries=0; b S 5 10 1 p1"),
            ["failed: no preemption retries are left (R5)"],
        ),
        (
            Kind.SUCCEEDED,
            world("g5 2, p5 1", "S g5=2,p5=1 RESERVE", "a S 0 10 g5=2,p5=1"),
            ["finished: 2 g5, 1 p5 released"],
        ),
        (
            Kind.CONFIGURED,
            world(
                "g5 4",
                "S 2 L&B 100",
                "a S 0 10 1",
                updates="1 S 3; 2 S LEND; 3 S L&B 50; 4 S percent=20; 5 S in-share; 6 S disabled; "
                "7 env 5; 8 env disabled",
            ),
            [
                "configured: limit on g5 2 to 3 (R20)",
                "configured: strategy LEND_AND_BORROW to LEND (R20)",
                "configured: strategy LEND to LEND_AND_BORROW, borrow limit to 50 % (R20)",
                "configured: borrow limit to 20 % (R20)",
                "configured: in-share preemption to ENABLED (R20)",
                "configured: state to DISABLED (R20)",
                "configured: limit on g5 4 to 5 (R20)",
                "configured: state to DISABLED (R20)",
            ],
        ),
    ],
)
def test_every_event_says_what_happened_and_why(kind, played, expected):
    assert told(played, kind) == expected


def test_borrowing_without_a_borrow_limit_is_said_so():
    played = world("g5 3", "A 1 L&B; B 2 LEND", "a A 0 10 3")
    assert told(played, Kind.DISPATCHED) == [
        "starts on borrowed capacity: A now holds 3 g5, 2 above its limit of 1 (without a borrow limit) (R15)"
    ]


def test_every_kind_and_reason_has_words():
    run = DEMO.run
    for kind in Kind:
        for reason in Reason:
            state, _ = next(replayed(run))
            if kind is not Kind.CONFIGURED and (kind, reason) in _POSSIBLE:
                assert sentence(Event(0, kind, 0, 1, reason, 0), state)


_POSSIBLE = {
    *((Kind.REJECTED, reason) for reason in (Reason.SHARE_DISABLED, Reason.QUEUE_DISABLED)),
    *((Kind.DISPATCHED, reason) for reason in (Reason.OWN_CAPACITY, Reason.BORROWED_CAPACITY)),
    *((Kind.PREEMPTED, reason) for reason in (Reason.RECLAIM, Reason.IN_SHARE)),
    *((Kind.TERMINATED, reason) for reason in (Reason.REQUESTED, Reason.TIME_LIMIT)),
    *((Kind.STOPPED, r) for r in (Reason.RECLAIM, Reason.IN_SHARE, Reason.REQUESTED, Reason.TIME_LIMIT)),
    *((Kind.ATTEMPT_FAILED, r) for r in (Reason.JOB_FAULT, Reason.CAPACITY_ERROR, Reason.TIMEOUT)),
    *(
        (Kind.REQUEUED, reason)
        for reason in (Reason.RECLAIM, Reason.IN_SHARE, Reason.JOB_FAULT, Reason.CAPACITY_ERROR, Reason.TIMEOUT)
    ),
    *(
        (Kind.FAILED, reason)
        for reason in (
            Reason.PREEMPTION_RETRIES_EXHAUSTED,
            Reason.JOB_FAULT,
            Reason.TIMEOUT,
            Reason.TIME_LIMIT,
            Reason.REQUESTED,
        )
    ),
}
