"""Random small runs, with updates, for property tests of figures and policies."""

from __future__ import annotations

from hypothesis import strategies as st
from small_runs import BORROW, G5, LEND, P5, RESERVE, job, queue, ran, share

from quota_verifier.model import EnvironmentUpdate, ShareUpdate
from quota_verifier.scheduler.run import Run


@st.composite
def runs(draw) -> Run:
    names = ("A", "B", "C")[: draw(st.integers(1, 3))]
    limits = st.dictionaries(st.sampled_from([G5, P5]), st.integers(0, 4), min_size=1)
    shares = tuple(
        share(
            name,
            draw(limits),
            strategy := draw(st.sampled_from([RESERVE, LEND, BORROW])),
            draw(st.sampled_from([None, -1, 0, 50, 100])) if strategy is BORROW else None,
            in_share_preemption=draw(st.booleans()),
            enabled=draw(st.sampled_from([True, True, False])),
        )
        for name in names
    )
    jobs = [
        job(
            f"j{i}",
            draw(st.sampled_from(names)),
            draw(st.integers(0, 20)),
            draw(st.integers(0, 30)),
            {draw(st.sampled_from([G5, P5])): draw(st.integers(1, 5))},
            priority=draw(st.integers(0, 2)),
        )
        for i in range(draw(st.integers(1, 10)))
    ]
    change = st.one_of(
        st.builds(
            lambda t, s, n: ShareUpdate(t * 1000, s, limits=n), st.integers(0, 40), st.sampled_from(names), limits
        ),
        st.builds(
            lambda t, s, how: ShareUpdate(t * 1000, s, strategy=how),
            st.integers(0, 40),
            st.sampled_from(names),
            st.sampled_from([RESERVE, LEND, BORROW]),
        ),
        st.builds(lambda t, n: EnvironmentUpdate(t * 1000, limits=n), st.integers(0, 40), limits),
    )
    return ran(
        queue(draw(limits), *shares),
        *jobs,
        updates=tuple(draw(st.lists(change, max_size=4))),
        stop=draw(st.sampled_from([0, 3])),
        until=draw(st.sampled_from([None, 25])),
        assuming=[
            f"A6={draw(st.sampled_from(['unusable', 'borrowable']))}",
            f"A10={draw(st.sampled_from(['lent as before', 'withheld']))}",
            f"A4={draw(st.sampled_from(['floor', 'ceil']))}",
        ],
    )
