"""R14: capacity that is being released for a job counts for that job."""

from __future__ import annotations

from world import world


def test_a_borrower_does_not_get_what_is_being_released_for_an_owner():
    # b1 needs B's two instances: a2's (until 25) and the free one. At 10 C's borrower could take the free one.
    played = world(
        "g5 4",
        "A 1 L&B; B 2 LEND; C 1 L&B",
        "a1 A 0 long 1; a2 A 0 long 1; c1 C 0 long 1; b1 B 5 10 2; c2 C 10 5 1",
        stop=20,
    )
    played.expect(a1="0-", a2="0-5..25 reclaimed by b1, 35-", b1="25-35", c2="35-40")


def test_nobody_is_preempted_twice_for_one_need():
    # A pass at 10 (a submission) and one at 15 (c1 ends without a successor) must leave a1 and a2 alone.
    played = world(
        "g5 5",
        "A 1 L&B; B 2 LEND; C 2 RESERVE",
        "a1 A 0 long 1; a2 A 0 long 1; a3 A 0 long 1; c1 C 0 15 1; b1 B 5 10 1; c2 C 10 30 1",
        stop=20,
    )
    assert played.preemptions == ["5 a3 by b1"]
    played.expect(a1="0-", a2="0-", b1="25-35", c2="10-40", a3="0-5..25 reclaimed by b1, 35-")


def test_an_owner_goes_before_a_borrower_that_preempted_in_its_own_share():
    # c1 needs three borrowed instances: the two free ones and a2's, that stops until 22. At 3 b1 finds its own
    # share's capacity free and takes it: nobody is reclaimed from, and a1 stays.
    played = world(
        "g5 5",
        "S 1 L&B in-share; T 1 L&B; U 3 LEND",
        "t1 T 0 long 2; s1 S 0 10 1; s2 S 2 10 3 p1; u1 U 3 10 1",
        stop=20,
    )
    assert played.preemptions == ["2 s1 by s2"]
    played.expect(t1="0-", u1="3-13", s1="0-2..22 ousted by s2, 32-42", s2="22-32")


def test_what_a_victim_releases_beyond_the_need_serves_the_next_owner():
    # a2 (4 instances) goes for b1 (2), so that it releases 2 more than b1 needs: c1 needs no victim, a3 stays.
    played = world(
        "g5 7",
        "A 1 L&B; B 4 LEND; C 2 LEND",
        "a1 A 0 long 1; a2 A 0 long 4; a3 A 0 long 2 p1; b1 B 5 10 2; c1 C 10 10 2",
        stop=20,
    )
    assert played.preemptions == ["5 a2 by b1"]
    played.expect(a3="0-", b1="25-35", c1="25-35")


def test_a_victim_that_stops_at_once_does_not_come_back_into_the_claimed_part_of_the_limit():
    # j1 starts at 2 and is still SCHEDULED, so it stops at once; j0 needs 2 s to stop. Under A1=skip j1 may overtake
    # j3 in the queue, but not take the half of S's limit that it was just evicted from.
    played = world(
        "g5 3",
        "R 1 L&B; S 2 LEND in-share",
        "j0 S 0 10 1; j1 S 0 10 1; j2 S 0 1 1 p1; j3 S 0 10 2 p1",
        assuming="A1=skip",
        startup=1,
        stop=2,
    )
    played.expect(
        j0="0(1)-2..4 ousted by j3, 15(16)-26",
        j1="2-2 ousted by j3, 15(16)-26",
        j2="0(1)-2",
        j3="4(5)-15",
    )


def test_a_borrower_of_lower_priority_does_not_go_before_one_of_its_own_share():
    # s2 needs all four instances. s1, requeued at 21 behind it, fits S's limit, but inside S its order decides.
    played = world(
        "g5 4",
        "S 2 L&B in-share; T 2 LEND",
        "s1 S 0 10 1; s2 S 1 10 4 p1",
        assuming="A1=skip",
        stop=20,
    )
    played.expect(s1="0-1..21 ousted by s2, 31-41", s2="21-31")


def test_a_new_head_of_higher_priority_ends_the_claim_of_the_old_one():
    # s1 stops for s2 until 21; s3 (p9) comes at 10 and is the head then: it gets what s1 releases.
    played = world(
        "g5 1",
        "S 1 RESERVE in-share",
        "s1 S 0 long 1; s2 S 1 10 1 p1; s3 S 10 10 1 p9",
        stop=20,
    )
    assert played.preemptions == ["1 s1 by s2"]
    played.expect(s1="0-1..21 ousted by s2, 41-", s2="31-41", s3="21-31")


def test_a_claim_ends_when_its_job_is_terminated():
    # b1 is terminated at 10, while a2 stops for it: from 25 on a2 may borrow again at once.
    played = world(
        "g5 2",
        "A 1 L&B; B 1 LEND",
        "a1 A 0 long 1; a2 A 0 long 1; b1 B 5 10 1",
        updates="10 b1 terminate",
        stop=20,
    )
    played.expect(a1="0-", a2="0-5..25 reclaimed by b1, 25-", b1="FAILED")


def test_the_next_head_inherits_what_is_being_released_for_a_terminated_one():
    # b2 follows b1 as the head of B at 10 and needs no victim of its own.
    played = world(
        "g5 3",
        "A 1 L&B; B 2 LEND",
        "a1 A 0 long 1; a2 A 0 long 1; a3 A 0 long 1; b1 B 5 10 1; b2 B 8 10 1",
        updates="6 b1 terminate",
        stop=20,
    )
    assert played.preemptions == ["5 a3 by b1"]
    played.expect(a3="0-5..25 reclaimed by b1, 35-", b1="FAILED", b2="25-35")


def test_capacity_of_a_terminated_job_counts_for_a_head_that_waits():
    # a1 is terminated at 5 and stops until 25; b1 comes at 10, waits for that and preempts nobody.
    played = world(
        "g5 2",
        "A 1 L&B; B 1 LEND",
        "a1 A 0 long 1; a2 A 0 long 1; b1 B 10 10 1",
        updates="5 a1 terminate",
        stop=20,
    )
    assert played.preemptions == []
    played.expect(a1="0-5..25 terminated, FAILED", a2="0-", b1="25-35")


def test_an_earlier_claim_is_kept_when_an_owner_takes_from_what_was_left_for_a_later_one():
    # s2 preempts s1 (5) for its 3; t1 (4) waits for the rest without preempting. u1 then takes 1 as an owner: of the 7
    # that are free at 8, 6 are left, 3 for s2 and too few for t1. At 18 s1 and t1 are equally old; S stands before T.
    played = world(
        "g5 8",
        "U 3 L&B; S 1 L&B in-share; V 1 L&B; T 3 L&B in-share",
        "t1 T 0 10 4; v1 V 0 20 1; s1 S 0 10 5; s2 S 7 10 3 p1; u1 U 8 10 1",
        assuming="A2=declaration",
        stop=1,
    )
    played.expect(s1="0-7..8 ousted by s2, 18-28", s2="8-18", u1="8-18", t1="28-38")


def test_a_job_that_is_still_scheduled_stops_at_once_and_needs_no_claim():
    # a2 is within its startup of 30 s at 5, so b1 is dispatched at 5.
    played = world(
        "g5 2",
        "A 1 L&B; B 1 LEND",
        "a1 A 0 long 1; a2 A 0 long 1; b1 B 5 10 1",
        startup=30,
        stop=20,
    )
    played.expect(a2="0-5 reclaimed by b1, 45(75)-", b1="5(35)-45")


def test_what_begins_to_stop_later_does_not_stand_in_for_what_an_owner_counts_on():
    # s1 counts on the two free ones and on t2's (until 25). At 7 t3 ousts t1, which releases four more at 27: enough
    # for all, but two seconds too late for s1. So the borrower u1 must not take the free ones at 8.
    played = world(
        "g5 8",
        "S 3 LEND; T 2 L&B in-share; U 1 L&B; V 2 LEND",
        "t1 T 0 long 4 p1; t2 T 0 long 2; s1 S 5 10 3; t3 T 7 long 2 p9; u1 U 8 5 2",
        stop=20,
    )
    assert played.preemptions == ["5 t2 by s1", "7 t1 by t3"]
    played.expect(s1="25-35", t3="27-", u1="27-32")
