from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.sweep.pareto import front

points = st.lists(st.tuples(*[st.tuples(st.integers(0, 1), st.integers(0, 3))] * 3), max_size=12)


def points_of(*rows):
    return [[(0, value) for value in row] for row in rows]


def test_a_point_that_another_beats_is_not_on_the_front():
    assert front(points_of((1, 5), (2, 4), (2, 5), (5, 1))) == (True, True, False, True)


def test_equal_points_stay_together():
    assert front(points_of((1, 1), (1, 1), (2, 1))) == (True, True, False)


def test_no_value_is_worse_than_any():
    assert front([[(0, 9)], [(1, 0)]]) == (True, False)


@given(points)
def test_the_front_is_that_of_the_definition(rows):
    def beats(one, other):
        return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))

    assert front(rows) == tuple(not any(beats(other, row) for other in rows) for row in rows)
