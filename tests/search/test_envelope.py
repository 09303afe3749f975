"""Which workloads an envelope allows, and the nearest one that it does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quota_verifier.search.envelope import Draft, Envelope, Kind, Window, allows, fitted, jobs_of

HOUR = 3_600_000
KIND = Kind("a", "A", {"u": 1}, (1, 2, 4), range(11), 60_000, HOUR, 0, 24 * HOUR)
PACED = replace(KIND, name="b", windows=(Window(1, HOUR), Window(3, 8 * HOUR)), most=5, start_ms=HOUR)
ENVELOPE = Envelope((KIND, PACED), 24 * HOUR, 12, "envelope")


def at(*hours: float, kind: int = 1, work: int = 60_000, size: int = 1, priority: int = 0) -> tuple[Draft, ...]:
    return tuple(Draft(int(hour * HOUR), kind, work, size, priority) for hour in hours)


@pytest.mark.parametrize(
    ("drafts", "allowed"),
    [
        (at(1), True),
        (at(0.5), False),  # before its start
        (at(23.9), True),
        (at(24), False),  # the horizon is no longer inside
        (at(1, 2, 3), True),
        (at(1, 1.9), False),  # two in an hour
        (at(1, 2, 3, 9), True),
        (at(1, 2, 3, 8.9), False),  # four in 8 hours
        (at(1, 2, 3, 9, 10), True),
        (at(1, 2, 3, 9, 10, 17.5), False),  # six in all
        (at(*[0] * 12, kind=0), True),
        (at(*[0] * 13, kind=0), False),  # thirteen of both
        (at(0, kind=0, size=4), True),
        (at(0, kind=0, size=3), False),
        (at(0, kind=0, priority=11), False),
        (at(0, kind=0, work=59_999), False),
        (at(0, kind=0, work=HOUR + 1), False),
    ],
)
def test_an_envelope_allows_what_keeps_to_every_limit(drafts, allowed):
    assert allows(ENVELOPE, drafts) is allowed


def test_jobs_that_come_too_fast_come_later_and_those_too_many_not_at_all():
    found = fitted(ENVELOPE, at(0, 0, 0, 0, 0, 0, 0), 24)
    assert [draft.submit_ms / HOUR for draft in found] == [1, 2, 3, 9, 10]


def test_a_workload_never_has_more_jobs_than_are_asked_for():
    assert len(fitted(ENVELOPE, at(*range(9), kind=0), 4)) == 4


drafts = st.lists(
    st.builds(
        Draft,
        st.integers(0, 30 * HOUR),
        st.integers(0, 1),
        st.integers(60_000, HOUR),
        st.sampled_from((1, 2, 4)),
        st.integers(0, 10),
    ),
    max_size=20,
).map(lambda jobs: tuple(sorted(jobs)))


@given(drafts)
def test_a_fitted_workload_is_allowed_and_stays_as_it_is(jobs):
    found = fitted(ENVELOPE, jobs, 12)
    assert allows(ENVELOPE, found)
    assert fitted(ENVELOPE, found, 12) == found
    if allows(ENVELOPE, jobs):
        assert found == jobs


def test_jobs_are_numbered_by_class_in_order_of_submission():
    jobs = jobs_of(ENVELOPE, tuple(sorted((*at(1, 2), *at(*[0] * 10, kind=0, size=2, priority=3)))))
    assert [job.id for job in jobs] == [*(f"a-{number:02d}" for number in range(1, 11)), "b-1", "b-2"]
    assert (jobs[0].demand, jobs[0].priority, jobs[0].labels) == ({"u": 2}, 3, {"class": "a"})


def test_a_class_of_several_units_asks_for_all_of_them():
    mixed = replace(KIND, each={"u": 1, "v": 2}, sizes=(1,))
    (job,) = jobs_of(replace(ENVELOPE, kinds=(mixed,)), at(0, kind=0))
    assert job.demand == {"u": 1, "v": 2}
