"""Queues scaled in proportion: largest remainders, with an instance for everybody."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sweep_helpers import G5, P5, QUEUE

from quota_verifier.errors import InputError
from quota_verifier.model import Environment, Queue, Share, Strategy
from quota_verifier.sweep.scaling import apportioned, read_dial

weights = st.dictionaries(st.sampled_from("ABCDEF"), st.integers(1, 60), min_size=1)


def queue_of(capacity: int, **limits: int) -> Queue:
    shares = tuple(Share(name, {G5: limit}, Strategy.LEND) for name, limit in limits.items())
    return Queue(Environment({G5: capacity}), shares)


def limits(queue: Queue) -> list[int]:
    return [share.limit(G5) for share in queue.shares]


@given(weights, st.integers(0, 200))
def test_every_seat_is_given_out_and_nobody_goes_without(of, spare):
    seats = len(of) + spare
    found = apportioned(of, seats)
    assert list(found) == list(of)
    assert sum(found.values()) == seats
    assert min(found.values()) >= 1


@given(weights, st.integers(0, 200))
def test_whoever_has_more_weight_gets_no_less(of, spare):
    found = apportioned(of, len(of) + spare)
    for one, other in combinations(sorted(of, key=of.get), 2):
        assert found[one] <= found[other] or of[one] == of[other]


@given(weights, st.integers(0, 200))
def test_where_nobody_is_too_small_everybody_gets_the_exact_part_rounded_up_or_down(of, spare):
    seats, total = len(of) + spare, sum(of.values())
    assume(min(of.values()) * seats >= total)
    for name, count in apportioned(of, seats).items():
        assert of[name] * seats // total <= count <= -(-of[name] * seats // total)


@given(weights)
def test_a_queue_at_its_own_capacity_stays_as_it_is(of):
    assert apportioned(of, sum(of.values())) == of


def test_largest_remainders_by_hand():
    assert apportioned({"A": 5, "B": 3, "C": 1}, 6) == {"A": 3, "B": 2, "C": 1}
    assert apportioned({"A": 1, "B": 1, "C": 1}, 5) == {"A": 2, "B": 2, "C": 1}
    assert apportioned({"A": 97, "B": 2, "C": 1}, 10) == {"A": 8, "B": 1, "C": 1}


def test_more_seats_can_mean_fewer_for_one_which_is_why_nothing_is_taken_for_monotone():
    of = {"A": 6, "B": 6, "C": 2}
    assert apportioned(of, 10)["C"] == 2
    assert apportioned(of, 11)["C"] == 1


def test_the_shares_scale_with_the_environment_and_keep_their_part_of_it():
    dial = read_dial(None, queue_of(20, A=4, B=6))
    found = dial.turned(queue_of(20, A=4, B=6), 10)
    assert (found.environment.limits, limits(found)) == ({G5: 10}, [2, 3])
    assert limits(dial.turned(queue_of(10, A=8, B=4), 5)) == [4, 2]


def test_the_lowest_setting_has_an_instance_for_every_owner():
    half_promised = queue_of(20, A=4, B=6)
    dial = read_dial(G5, half_promised)
    assert dial.least(half_promised) == 4
    assert limits(dial.turned(half_promised, 4)) == [1, 1]
    assert dial.least(queue_of(4)) == 1
    assert dial.least(queue_of(2, A=2, B=2)) == 1


def test_a_dial_can_turn_the_environment_or_one_limit_alone():
    environment = read_dial(f"environment.{G5}", QUEUE)
    assert (environment.reading(QUEUE), environment.least(QUEUE)) == (4, 1)
    assert limits(environment.turned(QUEUE, 9)) == [2, 2]
    limit = read_dial(f"shares.B.limits.{G5}", QUEUE)
    assert limit.reading(QUEUE) == 2
    found = limit.turned(QUEUE, 1)
    assert (found.environment.limits, limits(found)) == ({G5: 4}, [2, 1])


def test_other_units_are_left_alone():
    two = Queue(Environment({G5: 4, P5: 2}), (Share("A", {G5: 4, P5: 2}), Share("B", {P5: 1})))
    found = read_dial(G5, two).turned(two, 2)
    assert found.environment.limits == {G5: 2, P5: 2}
    assert [share.limits for share in found.shares] == [{G5: 2, P5: 2}, {P5: 1}]


@pytest.mark.parametrize(
    ("text", "of", "message"),
    [
        (
            None,
            {G5: 1, P5: 1},
            "--smallest: smallest capacity of which unit? The queue has ml.g5.xlarge, ml.p5.48xlarge",
        ),
        ("ml.g5.xlrge", {G5: 1}, "--vary: the queue has no unit 'ml.g5.xlrge'; did you mean 'ml.g5.xlarge'?"),
        (G5, {G5: 0}, "--vary: the environment has no ml.g5.xlarge to scale; vary another unit"),
        ("shares.A.state", {G5: 1}, "--vary: 'shares.A.state' is no capacity; vary a unit"),
        ("shares.X.limits.ml.g5.xlarge", {G5: 1}, "--vary: the queue has no share 'X'; known are A"),
    ],
)
def test_what_cannot_be_turned_is_refused(text, of, message):
    with pytest.raises(InputError) as caught:
        read_dial(text, Queue(Environment(of), (Share("A", {G5: 1}),)))
    assert str(caught.value).startswith(message)
