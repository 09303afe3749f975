"""Steps make a workload smaller and keep it in the envelope, and what no step makes smaller is a local minimum."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_worlds import RESERVED, THREE, TIMING, policy

from quota_verifier.policy.measured import Measured
from quota_verifier.scheduler.assumptions import Assumptions, profiles
from quota_verifier.search.candidates import choose
from quota_verifier.search.chance import GRAINS
from quota_verifier.search.envelope import Draft, Drafts, Envelope, Kind, Window, allows, fitted
from quota_verifier.search.judge import Judge, breaks
from quota_verifier.search.read_envelope import envelope_of
from quota_verifier.search.shrink import shrunk
from quota_verifier.search.shrink_steps import Candidate, simpler, steps, weight

MINUTE = 60_000
BASE = Assumptions()
KINDS = (
    Kind("a", "QS1", {"u": 1}, (1, 2, 4), range(11), 90_000, 4 * 60 * MINUTE, 0, 600 * MINUTE),
    Kind("b", "QS2", {"u": 1}, range(1, 9), (0, 5), MINUTE, MINUTE, MINUTE, 600 * MINUTE, (Window(2, 30 * MINUTE),)),
)
ENVELOPE = Envelope(KINDS, 600 * MINUTE, None, "envelope")

drafts = st.lists(
    st.one_of(
        st.builds(
            Draft,
            st.integers(0, 600 * MINUTE),
            st.just(0),
            st.integers(90_000, 4 * 60 * MINUTE),
            st.sampled_from((1, 2, 4)),
            st.integers(0, 10),
        ),
        st.builds(
            Draft,
            st.integers(0, 600 * MINUTE),
            st.just(1),
            st.just(MINUTE),
            st.integers(1, 8),
            st.sampled_from((0, 5)),
        ),
    ),
    min_size=1,
    max_size=6,
).map(lambda jobs: fitted(ENVELOPE, jobs, 6))
profile = st.sampled_from(tuple(profiles("one-at-a-time")))


@given(drafts, profile)
@settings(max_examples=25)
def test_every_step_is_allowed_and_smaller(jobs, under):
    here = Candidate(jobs, under)
    for step in steps(ENVELOPE, BASE, here):
        assert allows(ENVELOPE, step.drafts)
        assert step.drafts == tuple(sorted(step.drafts))
        assert weight(ENVELOPE, BASE, step) < weight(ENVELOPE, BASE, here)


def test_a_workload_of_the_least_job_has_no_step():
    least = Candidate((Draft(0, 0, 2 * MINUTE, 1, 0),), BASE)
    assert list(steps(ENVELOPE, BASE, least)) == []


@pytest.mark.parametrize(
    ("kept", "smallest"),
    [
        (lambda jobs: sum(job.kind == 0 for job in jobs) >= 3, ((0, 0, 2), (0, 0, 2), (0, 0, 2))),
        # 10 is not a size: three jobs of 4 are fewer than any others of 10 in all
        (lambda jobs: sum(job.size for job in jobs if job.kind == 0) >= 10, ((0, 0, 2), (0, 0, 2), (0, 0, 2))),
        (lambda jobs: any(job.kind == 1 for job in jobs), ((1, 1, 1),)),
        (lambda jobs: any(job.work_ms > 33 * MINUTE + 7 for job in jobs), ((0, 0, 34),)),
        (lambda jobs: any(later.submit_ms - job.submit_ms >= 100_001 for job, later in pairwise(jobs)), None),
    ],
)
@given(jobs=drafts)
@settings(max_examples=10)
def test_greedy_steps_reach_what_a_person_would_write(kept, smallest, jobs):
    if not kept(jobs):
        return
    here = Candidate(jobs, BASE)
    while step := next((step for step in steps(ENVELOPE, BASE, here) if kept(step.drafts)), None):
        here = step
    if smallest is None:  # two jobs, 2m apart: the least whole minutes
        assert len(here.drafts) == 2
        assert here.drafts[1].submit_ms - here.drafts[0].submit_ms == 2 * MINUTE
    else:
        found = tuple((job.kind, job.submit_ms // MINUTE, job.work_ms // MINUTE) for job in here.drafts)
        assert found == smallest


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_simpler_time_is_rounder_or_less(time, low):
    def key(value: int) -> tuple[int, int]:
        return next(rank for rank, grain in enumerate(GRAINS) if value % grain == 0), value

    time, low = max(time, low), min(time, low)
    for other in simpler(time, low, time + MINUTE):
        assert low <= other <= time + MINUTE
        assert key(other) < key(time)


def judged(expect: str, classes: str = THREE, **rest):
    read = policy(expect, classes, timing=TIMING, **rest)
    envelope = envelope_of(read, RESERVED)
    chosen = choose(read, RESERVED, envelope)
    return envelope, Judge(
        RESERVED, read, envelope, [claim for _, claim in chosen.searched], tuple(profiles("one-at-a-time"))
    )


BIG = (
    *[Draft(0, 0, 240 * MINUTE, 1, 10)] * 4,
    Draft(3 * MINUTE, 2, 20 * MINUTE, 1, 0),
    *(Draft(number * 20 * MINUTE + 4_321, 1, 7 * MINUTE, 1, 0) for number in range(1, 8)),
)


def start_of(judge: Judge, jobs: Drafts) -> tuple[Candidate, Measured]:
    jobs = tuple(sorted(jobs))
    measured = judge.finding(jobs, 0, BASE)
    assert measured is not None
    assert breaks(measured)
    return Candidate(jobs, BASE), measured


@pytest.mark.parametrize(
    "expect",
    [
        "[{share: QS2, reclaimed_within: 10s}]",
        "[{share: QS1, preemptions: <= 2}]",
        "[{thrash: <= 1}]",
        "[{lost_work: 0}]",
    ],
)
def test_no_single_step_of_a_shrunk_workload_breaks_the_claim(expect):
    envelope, judge = judged(expect)
    start, measured = start_of(judge, BIG)
    small = shrunk(judge, envelope, 0, start, measured, lambda: False)
    assert small.complete
    assert breaks(judge.finding(small.candidate.drafts, 0, small.candidate.profile))
    assert small.measured == judge.finding(small.candidate.drafts, 0, small.candidate.profile)
    assert weight(envelope, BASE, small.candidate) < weight(envelope, BASE, start)
    around = list(steps(envelope, BASE, small.candidate))
    assert around
    assert not any(breaks(judge.finding(step.drafts, 0, step.profile)) for step in around)


def test_an_assumption_that_is_not_needed_is_set_back():
    envelope, judge = judged("[{share: QS1, preemptions: 0}]")
    start, measured = start_of(judge, BIG)
    changed = replace(start, profile=replace(BASE, victim_order="oldest"))
    assert shrunk(judge, envelope, 0, changed, measured, lambda: False).candidate.profile == BASE


def test_shrinking_stops_when_time_is_up_and_says_so():
    envelope, judge = judged("[{share: QS1, preemptions: <= 2}]")
    start, measured = start_of(judge, BIG)
    calls = iter(range(1000))
    small = shrunk(judge, envelope, 0, start, measured, lambda: next(calls) >= 10)
    assert (small.complete, small.tried) == (False, 10)
    assert breaks(small.measured)
