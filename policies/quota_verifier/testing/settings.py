"""Strategies for what a run is told beside its queue and workload: assumptions and timing."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from quota_verifier.scheduler.assumptions import QUESTIONS, Assumptions
from quota_verifier.scheduler.timing import Delay, Timing
from quota_verifier.testing.queues import UNITS

_ASSUMPTIONS = st.builds(Assumptions, **{question.field: st.sampled_from(question.choices) for question in QUESTIONS})


def assumptions() -> st.SearchStrategy[Assumptions]:
    """Any combination of answers to A1-A10; shrinks towards the default profile."""
    return _ASSUMPTIONS


def timings(units: Sequence[str] = UNITS) -> st.SearchStrategy[Timing]:
    """Startup, stop and restore times of 0 to 10 s, sometimes other ones for a unit."""
    delay = st.builds(
        Delay,
        st.sampled_from([0, 0, 1_000, 3_000, 10_000]),
        st.one_of(st.just({}), st.dictionaries(st.sampled_from(units), st.sampled_from([0, 2_000]), max_size=1)),
    )
    return st.builds(Timing, startup=delay, stop=delay, restore=delay)
