"""Profiles that are taken to be alike give equal runs, event for event."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from policy_helpers import G5, P5

from quota_verifier.model import Environment, EnvironmentUpdate, Job, Queue, Share, ShareUpdate, Strategy
from quota_verifier.policy.likeness import likeness
from quota_verifier.scheduler import QUESTIONS, Assumptions, Delay, Timing, simulate
from quota_verifier.workload import Workload


def queue_of(*shares: Share, capacity: int = 4) -> Queue:
    return Queue(Environment({G5: capacity}), shares)


def idle(queue: Queue, *jobs: Job, updates=()) -> frozenset[str]:
    return likeness(queue, Workload(jobs, updates)).idle_questions


def test_a_queue_of_one_reserve_share_leaves_little_open():
    assert idle(queue_of(Share("A", {G5: 4}))) == {"A2", "A3", "A4", "A6", "A7", "A8", "A9", "A10"}


def test_a_question_matters_as_soon_as_the_configuration_or_an_update_raises_it():
    lend, reserve = Share("B", {G5: 2}, Strategy.LEND), Share("A", {G5: 2})
    borrow = Share("A", {G5: 2}, Strategy.LEND_AND_BORROW, 75)
    assert "A4" not in idle(queue_of(borrow, lend))
    assert "A4" in idle(queue_of(Share("A", {G5: 2}, Strategy.LEND_AND_BORROW, 50), lend))
    assert "A6" not in idle(queue_of(reserve, lend, capacity=5))
    assert "A9" not in idle(queue_of(Share("A", {G5: 2}, in_share_preemption=True), lend))
    assert "A10" not in idle(queue_of(Share("A", {G5: 2}, enabled=False), lend))
    update = ShareUpdate(5, "A", strategy=Strategy.LEND_AND_BORROW)
    assert {"A3", "A7", "A8"}.isdisjoint(idle(queue_of(reserve, lend), updates=(update,)))
    assert "A10" not in idle(queue_of(reserve, lend), updates=(ShareUpdate(5, "A", enabled=False),))
    assert "A6" not in idle(queue_of(reserve, lend), updates=(EnvironmentUpdate(5, limits={G5: 9}),))


def test_per_unit_heads_are_strict_ones_where_all_jobs_use_one_unit():
    queue = Queue(Environment({G5: 4, P5: 4}), (Share("A", {G5: 4, P5: 4}),))
    strict, per_unit = Assumptions(), Assumptions(head_blocking="per-unit")
    one = likeness(queue, Workload((Job("a", "A", 0, 1, {G5: 1}), Job("b", "A", 0, 1, {G5: 2}))))
    two = likeness(queue, Workload((Job("a", "A", 0, 1, {G5: 1}), Job("b", "A", 0, 1, {P5: 2}))))
    assert one.key(strict) == one.key(per_unit) != one.key(Assumptions(head_blocking="skip"))
    assert two.key(strict) != two.key(per_unit)


@st.composite
def cases(draw) -> tuple[Queue, Workload]:
    """Crowded queues, for an answer that matters should show."""
    names = ("A", "B", "C")[: draw(st.sampled_from([1, 2, 2, 3, 3]))]
    few = st.sampled_from([G5, G5, P5]) if draw(st.booleans()) else st.just(G5)
    strategies = draw(st.sampled_from([[Strategy.RESERVE, Strategy.LEND], [Strategy.LEND_AND_BORROW, *Strategy]]))
    crowded, preempting = draw(st.booleans()), draw(st.booleans())
    shares = tuple(
        Share(
            name,
            {G5: draw(st.integers(1, 3)), P5: draw(st.integers(0, 2))},
            strategy := draw(st.sampled_from(strategies)),
            draw(st.sampled_from([None, 0, 50, 75, 100])) if strategy.borrows else None,
            in_share_preemption=preempting and draw(st.booleans()),
            enabled=draw(st.sampled_from([True, True, True, True, False])),
        )
        for name in names
    )
    jobs = tuple(
        Job(
            f"j{i:02}",
            draw(st.sampled_from(names)),
            draw(st.integers(0, 6 if crowded else 20)),
            draw(st.integers(1, 20)),
            {draw(few): draw(st.integers(1, 2))},
            priority=draw(st.integers(0, 2)),
        )
        for i in range(draw(st.integers(4, 14)))
    )
    limits = st.fixed_dictionaries({G5: st.integers(0, 4), P5: st.integers(0, 2)})
    times = st.integers(0, 40)
    update = st.one_of(
        st.builds(lambda t, s, n: ShareUpdate(t, s, limits=n), times, st.sampled_from(names), limits),
        st.builds(lambda t, s, on: ShareUpdate(t, s, enabled=on), times, st.sampled_from(names), st.booleans()),
        st.builds(lambda t, n: EnvironmentUpdate(t, limits=n), times, limits),
    )
    updates = draw(st.one_of(st.just([]), st.lists(update, max_size=2)))
    extra = draw(st.sampled_from([0, 0, 1, -1]))
    capacity = {unit: max(1, sum(share.limit(unit) for share in shares) + extra) for unit in (G5, P5)}
    return Queue(Environment(capacity), shares), Workload(jobs, tuple(updates))


bases = st.one_of(
    st.just(Assumptions()),
    st.builds(
        lambda answers: Assumptions(**answers),
        st.fixed_dictionaries({question.field: st.sampled_from(question.choices) for question in QUESTIONS}),
    ),
)


@settings(max_examples=150, deadline=None)
@given(cases(), bases, st.sampled_from([0, 3]))
def test_profiles_of_one_key_give_equal_runs(case, base, stop):
    queue, workload = case
    like = likeness(queue, workload)

    def records(profile: Assumptions):
        run = simulate(queue, workload, assumptions=profile, timing=Timing(stop=Delay(stop)))
        return run.events, run.outcomes

    expected = records(base)
    for question in QUESTIONS:
        for choice in question.choices:
            other = replace(base, **{question.field: choice})
            if other != base and like.key(other) == like.key(base):
                assert records(other) == expected
