"""Strategies for queues: one to four shares of one to three units, over- and under-promised."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from quota_verifier.model import Environment, Queue, Share, Strategy, TimeLimitAction, TimeLimitReason

UNITS = ("ml.g5.xlarge", "ml.p4d.24xlarge", "ml.p5.48xlarge")

BORROW_LIMITS = (None, -1, 0, 50, 100, 150, 200)

_BORROW, _LEND, _RESERVE = Strategy.LEND_AND_BORROW, Strategy.LEND, Strategy.RESERVE
_STRATEGIES = st.sampled_from((_BORROW, _BORROW, _BORROW, _LEND, _LEND, _RESERVE))
_FIRST_STRATEGY = st.sampled_from((*(_BORROW,) * 6, _LEND, _RESERVE))
_BORROW_LIMITS = st.sampled_from((None, -1, None, *BORROW_LIMITS))
_UNIT_COUNTS = st.sampled_from((1, 1, 1, 2, 2, 3))
_SHARE_COUNTS = st.sampled_from((2, 2, 2, 3, 3, 4, 1))
_OFTEN = st.sampled_from((True, True, False))
_DISABLED = st.sampled_from((*("",) * 18, "share", "queue", "environment"))
_PROMISES = st.sampled_from((*(0,) * 9, 1, 2, -1, -3))
_TIME_LIMIT = st.builds(TimeLimitAction, st.sampled_from(TimeLimitReason), st.integers(1, 12).map(lambda s: s * 1_000))
_TIME_LIMITS = st.one_of(
    st.just(()),
    st.lists(_TIME_LIMIT, max_size=3, unique_by=lambda action: action.reason).map(tuple),
)


@st.composite
def queues(draw: st.DrawFn, max_shares: int = 4, max_units: int = 3, max_limit: int = 4) -> Queue:
    """A queue with shares of any strategy.

    Most environments have as much as their shares promise, some more and some less; now and then one does
    not list a unit at all. Now and then a share, the queue or the environment is DISABLED.
    """
    units = UNITS[: min(max_units, draw(_UNIT_COUNTS))]
    limits = st.sampled_from((1, 2, 3, 4, *range(5, max_limit + 1), 1, 2, 0, None)[: max(1, max_limit) + 4])
    count = min(max_shares, draw(_SHARE_COUNTS))
    shares = tuple(
        draw(_shares(f"S{index}", units, limits, _STRATEGIES if index else _FIRST_STRATEGY)) for index in range(count)
    )
    environment: dict[str, int] = {}
    for unit in units:
        capacity = sum(share.limit(unit) for share in shares) + draw(_PROMISES)
        if capacity > 0:
            environment[unit] = capacity
    disabled = draw(_DISABLED)
    if disabled == "share":
        shares = (*shares[:-1], replace(shares[-1], enabled=False))
    return Queue(
        Environment(environment, enabled=disabled != "environment"),
        shares,
        enabled=disabled != "queue",
        time_limits=draw(_TIME_LIMITS),
    )


@st.composite
def rivals(draw: st.DrawFn, max_shares: int = 4) -> Queue:
    """A queue whose shares come to fight over one unit: all lend, the first borrows, nothing is over-promised."""
    unit, count = UNITS[0], draw(st.integers(2, max(2, max_shares)))
    limits = [draw(st.integers(1, 3)) for _ in range(count)]
    borrows = [True, *(draw(_OFTEN) for _ in range(count - 1))]
    shares = tuple(
        Share(
            f"S{index}",
            {unit: limit},
            _BORROW if borrowing else _LEND,
            draw(st.sampled_from((None, 200))) if borrowing else None,
            in_share_preemption=draw(_OFTEN),
        )
        for index, (limit, borrowing) in enumerate(zip(limits, borrows, strict=True))
    )
    return Queue(Environment({unit: sum(limits)}), shares)


def time_limits() -> st.SearchStrategy[tuple[TimeLimitAction, ...]]:
    """No time-limit action, or one for each of some reasons; far shorter than AWS allows, so that they fire."""
    return _TIME_LIMITS


@st.composite
def _shares(
    draw: st.DrawFn,
    name: str,
    units: tuple[str, ...],
    limits: st.SearchStrategy[int | None],
    strategies: st.SearchStrategy[Strategy],
) -> Share:
    drawn = {unit: draw(limits) for unit in units}
    strategy = draw(strategies)
    return Share(
        name,
        {unit: limit for unit, limit in drawn.items() if limit is not None} or {units[0]: 1},
        strategy,
        borrow_limit=draw(_BORROW_LIMITS) if strategy.borrows else None,
        in_share_preemption=draw(_OFTEN),
    )
